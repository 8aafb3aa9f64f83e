import { replace } from "./field.js";

/** Puts a text that is not sent before what the field has, below the list that has an element. */
export function takeBack(text: string, from: Element): void {
  const field =
    (from.closest(".panel:has(.composer)") ?? document).querySelector<HTMLTextAreaElement>(".composer textarea");
  if (!field) return;
  replace(field, 0, 0, field.value ? `${text}\n` : text);
  field.focus();
}
