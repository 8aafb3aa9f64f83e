/** A file of text, which the build puts into its module. */
declare module "*.txt" {
  const text: string;
  export default text;
}
