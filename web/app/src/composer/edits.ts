// Changes of a text by the bar of marks that have no keys. It is pure.
import type { Change } from "../ui/format.js";

/** Makes the selected words the text of a link, whose address is then selected. */
export function inBrackets(text: string, start: number, end: number): Change {
  const words = text.slice(start, end) || "text";
  const at = start + words.length + 3; // behind [ and ](
  return { from: start, to: end, text: `[${words}](https://)`, start: at, end: at + "https://".length };
}

/** Puts a mark before each selected line, or takes it away if each has it. */
export function prefixed(text: string, start: number, end: number, mark: string): Change {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const stop = text.indexOf("\n", end);
  const to = stop < 0 ? text.length : stop;
  const lines = text.slice(from, to).split("\n");
  const has = lines.every(line => line.startsWith(mark));
  const out = lines.map(line => (has ? line.slice(mark.length) : mark + line)).join("\n");
  return { from, to, text: out, start: lines.length > 1 ? from : from + out.length, end: from + out.length };
}
