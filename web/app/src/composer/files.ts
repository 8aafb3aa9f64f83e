import type { Page } from "../state/page.js";

const refusal = "Files cannot be sent yet. Paste a link to the file instead.";

/** Refuses files that are dropped on the page or pasted: the browser would open them in its place. */
export function refuseFiles(page: Page): void {
  const refuse = (e: Event, data: DataTransfer | null) => {
    if (!data?.types.includes("Files")) return;
    e.preventDefault();
    if (e.type !== "dragover") page.toast(refusal);
  };
  addEventListener("dragover", e => refuse(e, e.dataTransfer));
  addEventListener("drop", e => refuse(e, e.dataTransfer));
  // Copied cells of a table or a part of a page are a picture, too, but their text is wanted.
  addEventListener("paste", e => { if (!e.clipboardData?.types.includes("text/plain")) refuse(e, e.clipboardData); });
}
