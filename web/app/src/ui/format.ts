// Changes of a text by the keys of emphasis, by a pasted link, and by a new line in a list. It is pure.
import { hrefOf } from "./links.js";

/** A part of a text to replace, and the selection afterwards. */
export interface Change {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Puts marks around the selected words, or takes them away. Marks stay within a line. */
export function marked(text: string, start: number, end: number, mark: string): Change {
  const n = mark.length;
  while (start < end && /\s/.test(text.charAt(start))) start++;
  while (end > start && /\s/.test(text.charAt(end - 1))) end--;
  const selected = text.slice(start, end);
  if (text.slice(start - n, start) === mark && text.slice(end, end + n) === mark) { // outside of the selection
    return { from: start - n, to: end + n, text: selected, start: start - n, end: end - n };
  }
  if (selected.length > 2 * n && selected.startsWith(mark) && selected.endsWith(mark)) { // within
    return { from: start, to: end, text: selected.slice(n, -n), start, end: end - 2 * n };
  }
  const lines = selected.includes("\n");
  const out = !lines ? mark + selected + mark
    : mark === "`" ? `\`\`\`\n${selected}\n\`\`\``
    : selected.split("\n")
      .map(line => line.replace(/^(\s*(?:[-*•] |\d+\. |> )?)(.*\S)/, `$1${mark}$2${mark}`))
      .join("\n");
  return lines ? { from: start, to: end, text: out, start, end: start + out.length }
    : { from: start, to: end, text: out, start: start + n, end: end + n };
}

/** Makes the selected words the text of a pasted link; null if they are none, or what was pasted is no link. */
export function linked(text: string, start: number, end: number, pasted: string): Change | null {
  const address = pasted.trim();
  const selected = text.slice(start, end);
  if (
    !selected.trim() || /[\n[\]]/.test(selected) || hrefOf(selected.trim()) || /\s/.test(address)
    || !hrefOf(address)
  ) return null;
  const out = `[${selected}](${address.replaceAll("(", "%28").replaceAll(")", "%29")})`;
  return { from: start, to: end, text: out, start: start + out.length, end: start + out.length };
}

const item = /^([ \t]*)(?:([-*•])|(\d{1,3})\.)[ \t]+(.*)$/;

/** Continues a list or a quote in a new line, or ends it after an empty item; null outside of one. */
export function continued(text: string, at: number): Change | null {
  const from = text.lastIndexOf("\n", at - 1) + 1;
  const line = text.slice(from, at);
  const [, indent = "", bullet, number, words] = item.exec(line) ?? [];
  const quote = /^> (.*)$/.exec(line)?.[1];
  const rest = words ?? quote;
  if (rest === undefined) return null;
  if (!rest.trim()) return { from, to: at, text: "", start: from, end: from };
  const next = `\n${quote !== undefined ? "> " : `${indent}${bullet ?? `${Number(number) + 1}.`} `}`;
  return { from: at, to: at, text: next, start: at + next.length, end: at + next.length };
}
