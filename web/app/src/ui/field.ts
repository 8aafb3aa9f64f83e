// Fields as high as their text, up to the limit that the style sheet sets.

/** Whether the browser sizes fields by itself, which costs no layout for each key. */
const native = CSS.supports("field-sizing", "content");

/** Makes a field as high as its text. */
export function grow(field: HTMLTextAreaElement): void {
  if (native) return;
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight}px`;
}

/** Replaces a part of a field's text as if it were typed, so that the browser can undo it. */
export function replace(field: HTMLTextAreaElement, from: number, to: number, text: string): void {
  field.focus();
  field.setSelectionRange(from, to);
  if (document.execCommand(text ? "insertText" : "delete", false, text)) return; // the only way that undo knows
  field.setRangeText(text, from, to, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

/** The longest text of a message in bytes: the API refuses a longer one. */
export const maxText = 32 << 10;
/** From here on, the rest is shown. */
const nearEnd = maxText - 2000;
const encoder = new TextEncoder();

/**
 * Returns how many more characters fit after a text of such characters, if the text is near the limit or exceeds it.
 */
export function restOf(text: string): { readonly characters: number } | undefined {
  if (text.length * 3 < nearEnd) return undefined; // a unit of UTF-16 has at most three bytes
  const bytes = encoder.encode(text).length;
  if (bytes < nearEnd) return undefined;
  const characters = [...text].length;
  const rest = (maxText - bytes) * characters / bytes;
  return { characters: Math.floor(rest) };
}

/** Returns the rest in words. */
export function restWords(rest: { readonly characters: number } | undefined): string {
  if (!rest) return "";
  const n = Math.abs(rest.characters);
  const words = `${n.toLocaleString("en")} ${n === 1 ? "character" : "characters"}`;
  return rest.characters < 0 ? `${words} too many` : `${words} left`;
}
