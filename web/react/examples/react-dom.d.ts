declare module "react-dom/server" {
  export function renderToStaticMarkup(element: unknown): string;
}
