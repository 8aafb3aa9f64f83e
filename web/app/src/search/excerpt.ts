// The part of a text that shows what was found. It is pure.
import type { Mark } from "@parley/client";
import { parse, type Piece } from "../ui/markup.js";

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
    if (from >= end) break;
    add(from, false);
    add(to, true);
  }
  add(text.length, false);
  return parts;
}

/**
 * Returns a text without the signs of its markup, and the marks in that. Marks in an address need
 * the text as it is.
 */
export function shown(text: string, marks: readonly Mark[]): {
  readonly text: string; readonly marks: readonly Mark[];
} {
  let out = "";
  let at = 0; // in text
  let next = 0; // the first mark that ends after at
  const moved: Mark[] = [];
  const sources = (line: string) =>
    (line === separator || text.indexOf(line, at) >= 0 ? [line] : line.split(escapable));
  for (const line of parse(text).flatMap(lines).flatMap(sources)) {
    const from = line === separator ? -1 : text.indexOf(line, at);
    if (from >= 0) {
      at = from + line.length;
      for (let m; (m = marks[next]) && m.from < at; next++) {
        const [start, end] = [Math.max(m.from, from), Math.min(m.to, at)];
        if (start < end) moved.push({ from: start - from + out.length, to: end - from + out.length });
        if (m.to > at) break;
      }
    }
    out += line;
  }
  return marks.length && !moved.length ? { text, marks } : { text: out, marks: moved };
}

const separator = "\n";
/** Before what a backslash may have been. */
const escapable = /(?=[*_~`[\]>.+-])/;

/** Returns the lines of a piece, which the text has in this order, and separators. */
function lines(p: Piece): string[] {
  if (typeof p === "string") return p.split(/(\n)/).filter(Boolean);
  switch (p.kind) {
    case "code": return [p.text];
    case "block": return [separator, ...lines(p.text), separator];
    case "list": return [separator, ...p.items.flatMap(item => [...item.flatMap(lines), separator])];
    case "quote": return [separator, ...p.pieces.flatMap(lines), separator];
    default: return p.pieces.flatMap(lines);
  }
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
