// The paste of the fields for messages: a link over words, and codes such as :tada:, which become emoji.
import { pasteLink } from "../ui/aids.js";

export function paste(e: ClipboardEvent & { readonly currentTarget: EventTarget | null }): void {
  const field = e.currentTarget as HTMLTextAreaElement;
  const from = field.selectionStart;
  if (pasteLink(e) || !/:\S+:/.test(e.clipboardData?.getData("text/plain") ?? "")) return;
  import("./pasted.js").then(late => late.replaceCodes(field, from), () => undefined); // the codes stay
}
