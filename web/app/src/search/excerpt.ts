// The part of a text that shows what was found. It is pure.
import type { Mark } from "@parley/client";

/** A part of a text, and whether the query matches it. */
export interface Part { readonly text: string; readonly marked: boolean }

/** The most code units before the first mark, and of an excerpt: more than its lines have. */
const mostBefore = 60;
const most = 400;

/** Returns a text from shortly before its first mark on, in parts. */
export function excerptOf(text: string, marks: readonly Mark[] = []): Part[] {
  const start = startOf(text, marks[0]?.from ?? 0);
  const end = start + most;
  const parts: Part[] = start ? [{ text: "…", marked: false }] : [];
  let at = start;
  const add = (to: number, marked: boolean) => {
    const part = text.slice(at, Math.min(to, end));
    if (part) parts.push({ text: part, marked });
    at = Math.max(at, to);
  };
  for (const { from, to } of marks) {
    add(from, false);
    add(to, true);
  }
  add(text.length, false);
  return parts;
}

/** Returns where the excerpt begins: at the beginning of a word, if one begins close before the mark. */
function startOf(text: string, mark: number): number {
  if (mark <= mostBefore) return 0;
  const before = mark - mostBefore;
  const space = text.slice(before, mark).search(/\s\S/);
  if (space >= 0) return before + space + 1;
  return /[\uDC00-\uDFFF]/.test(text.charAt(before)) ? before + 1 : before; // not within a character
}
