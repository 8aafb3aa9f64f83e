// The part of a text that shows what was found. It is pure.
import type { Mark } from "@parley/client";

/** A part of a text, and whether the query matches it. */
export interface Part { readonly text: string; readonly marked: boolean }

/** The most code units of an excerpt: more than its lines have. */
const most = 400;

/** Returns a text in parts. It begins at most so many code units before its first mark. */
export function excerptOf(text: string, marks: readonly Mark[], before: number): Part[] {
  const start = startOf(text, (marks[0]?.from ?? 0) - before);
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

/** The most code units that are left out for the excerpt to begin with a word. */
const mostWord = 20;

/** Returns where the excerpt begins: at a place or soon after it, at the beginning of a word. */
function startOf(text: string, place: number): number {
  if (place <= 0) return 0;
  const space = text.slice(place, place + mostWord).search(/\s\S/);
  if (space >= 0) return place + space + 1;
  return /[\uDC00-\uDFFF]/.test(text.charAt(place)) ? place + 1 : place; // not within a character
}
