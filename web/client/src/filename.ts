/** The longest name in bytes of UTF-8. */
const MAX_NAME = 120;
/** The characters that are invisible in a name or disguise it: control characters and marks of direction. */
const HIDDEN = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

const size = (text: string) => new TextEncoder().encode(text).length;

/** Returns a name as the server accepts it. A long one is shortened before its extension. */
export function cleanName(name: string): string {
  const clean = name.replace(HIDDEN, "").replace(/[/\\]/g, "_").trim();
  const [, stem = "", extension = ""] = /^(.+?)(\.[^.\s]{1,16})?$/u.exec(clean) ?? [];
  const characters = [...stem];
  while (size(characters.join("") + extension) > MAX_NAME) characters.pop();
  const short = characters.join("").trim() + extension;
  return /^\.{0,2}$/.test(short) ? "file" : short;
}

/** Returns a media type as the server accepts it: without parameters, in lower case. */
export function cleanType(type: string): string {
  const clean = type.toLowerCase().split(";")[0]!.trim();
  return /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/.test(clean) ? clean : "application/octet-stream";
}
