// Conversion of a pasted text. The code is loaded with the first text that needs it.
import { withEmoji } from "./emoji.js";
import { replace } from "../ui/field.js";

/** Replaces the codes of emoji between an index and the caret. Undo gives the codes back. */
export function replaceCodes(field: HTMLTextAreaElement, from: number): void {
  const to = field.selectionStart;
  const text = withEmoji(field.value.slice(0, to), from);
  if (text !== field.value.slice(0, to)) replace(field, from, to, text.slice(from));
}
