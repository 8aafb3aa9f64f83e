// Fields as high as their text, up to the limit that the style sheet sets.

/** Whether the browser sizes fields by itself, which costs no layout for each key. */
const native = CSS.supports("field-sizing", "content");

/** Makes a field as high as its text. */
export function grow(field: HTMLTextAreaElement): void {
  if (native) return;
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight}px`;
}

/** The longest text of a message in bytes: the API refuses a longer one. */
export const maxText = 32 << 10;
/** From here on, the rest is shown. */
const nearEnd = maxText - 2000;
const encoder = new TextEncoder();

/** Returns how many bytes a text may still have, if it is near the end or beyond it. */
export function restOf(text: string): number | undefined {
  if (text.length * 3 < nearEnd) return undefined; // a unit of UTF-16 has at most three bytes
  const rest = maxText - encoder.encode(text).length;
  return rest <= maxText - nearEnd ? rest : undefined;
}

/** Returns the rest in words. */
export function restWords(rest: number | undefined): string {
  if (rest === undefined) return "";
  return rest < 0 ? `${-rest} bytes too long` : `${rest} bytes left`; // a letter may have several
}
