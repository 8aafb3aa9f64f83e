// The marks within one line: links, code and emphasis. Nothing here spans lines.
import { disguises, seen, shownAs, turns } from "./hosts.js";
import { addressAt, targetAt, wordAfter, wordBefore } from "./links.js";

/** A piece of a text. Emphasis nests at most once in each mark, and no link contains a link. */
export type Piece =
  | string
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "block"; readonly text: string; readonly language: string }
  | { readonly kind: "link"; readonly pieces: readonly Piece[]; readonly href: string }
  | { readonly kind: "em" | "strong" | "del" | "quote"; readonly pieces: readonly Piece[] }
  | { readonly kind: "list"; readonly start: number | undefined; readonly items: readonly (readonly Piece[])[] };

const emphasis = { "*": "em", "_": "em", "**": "strong", "~~": "del" } as const;
type Mark = keyof typeof emphasis;

/** A mark that may open emphasis: the piece with this index, which is text until then. */
interface Opener { readonly mark: Mark; readonly index: number }

/** A line while it is read. */
interface Reading {
  readonly line: string;
  readonly out: Piece[];
  readonly openers: Opener[];
  /** The indices of the pieces that are opening brackets, each of which may begin a label. */
  readonly brackets: number[];
  /** Where the text begins that is no piece yet. */
  start: number;
}

/** Appends a piece, and joins texts. */
export function push(out: Piece[], p: Piece): void {
  const last = out.length - 1;
  if (p === "") return;
  if (typeof p === "string" && typeof out[last] === "string") out[last] += p;
  else out.push(p);
}

/** Returns the words of pieces, without their marks. */
export const wordsOf = (pieces: readonly Piece[]): string => pieces.map(words).join("");

function words(p: Piece): string {
  if (typeof p === "string") return p;
  switch (p.kind) {
    case "code": return p.text;
    case "block": return ` ${p.text} `; // blocks are on lines of their own
    case "list": {
      const mark = (i: number) => (p.start === undefined ? "•" : `${p.start + i}.`);
      return ` ${p.items.map((item, i) => `${mark(i)} ${wordsOf(item).trim()}`).join(" ")} `;
    }
    case "quote": return ` ${wordsOf(p.pieces)} `;
    default: return wordsOf(p.pieces);
  }
}

/** Appends the pieces of one line. */
export function readLine(line: string, to: Piece[]): void {
  const reading: Reading = { line, out: [], openers: [], brackets: [], start: 0 };
  const lastTick = line.lastIndexOf("`");
  for (let i = 0; i < line.length;) {
    const c = line.charAt(i);
    if (c === "`" && i < lastTick) i = code(reading, i);
    else if (c === "\\") i = escape(reading, i);
    else if (/[hw]/i.test(c)) i = link(reading, i);
    else if (c === "[") i = bracket(reading, i);
    else if (c === "]") i = label(reading, i);
    else if (c === "*" || c === "_" || c === "~") i = run(reading, i, c);
    else i++;
  }
  flush(reading, line.length);
  for (const p of reading.out) push(to, p);
}

/** Makes the text up to an index a piece. */
function flush(r: Reading, to: number): void {
  if (to > r.start) r.out.push(r.line.slice(r.start, to));
  r.start = to;
}

/** Appends a piece that stands for the text between two indices. Returns the second. */
function take(r: Reading, from: number, end: number, piece: Piece): number {
  flush(r, from);
  r.out.push(piece);
  return (r.start = end);
}

/**
 * Reads code, which ends at as many backticks as it begins with. The spaces that keep backticks in
 * it apart from these are no part of it.
 */
function code(r: Reading, i: number): number {
  const from = afterTicks(r.line, i);
  const n = from - i;
  for (let close = r.line.indexOf("`", from); close >= 0;) {
    const end = afterTicks(r.line, close);
    if (end - close === n) {
      const text = r.line.slice(from, close);
      return take(r, i, end, { kind: "code", text: n > 1 ? text.replace(/^ (.*[^ ].*) $/, "$1") : text });
    }
    close = r.line.indexOf("`", end);
  }
  return from; // no later run is as long
}

function afterTicks(line: string, i: number): number {
  while (line[i] === "`") i++;
  return i;
}

const mark = /[*_~`[\]]/;
/** What a backslash keeps from being a quote or an item at the beginning of a line. */
const beginning = /^[ \t]*(?:\\[>+-]|\d{1,3}\\\.)/;

/** Reads backslashes: one before a mark makes it text, and two are one there. */
function escape(r: Reading, i: number): number {
  let end = i;
  while (r.line[end] === "\\") end++;
  if (!mark.test(r.line.charAt(end)) && !(end === i + 1 && beginning.test(r.line.slice(0, end + 1)))) return end;
  for (; i < end; i += 2) {
    flush(r, i);
    r.start = i + 1;
  }
  return i;
}

function link(r: Reading, i: number): number {
  const found = addressAt(r.line, i, r.brackets.length > 0);
  if (!found) return i + 1;
  const { text, href } = found;
  return take(r, i, i + text.length, href === undefined ? text : { kind: "link", pieces: [shownAs(text, href)], href });
}

function bracket(r: Reading, i: number): number {
  take(r, i, i + 1, "[");
  r.brackets.push(r.out.length - 1);
  return i + 1;
}

/**
 * Makes the pieces since the last open bracket the label of a link, if an address follows. One that
 * reads as another address is followed by the real one.
 */
function label(r: Reading, i: number): number {
  const index = r.brackets.pop();
  if (index === undefined || r.line[i + 1] !== "(") return i + 1;
  r.brackets.length = 0; // no link contains a link, and an address is read once
  const target = targetAt(r.line, i + 1);
  if (!target) return i + 1;
  flush(r, i);
  const shown = r.out.slice(index + 1);
  const text = wordsOf(shown);
  if (seen(text) === "") return i + 1;
  const { href, end } = target;
  const pieces: Piece[] = [];
  for (const p of turns(text) ? [href] : [...unlinked(shown), disguises(text, href) ? ` (${href})` : ""]) {
    push(pieces, p);
  }
  r.out.length = index;
  r.openers.splice(0, r.openers.length, ...r.openers.filter(o => o.index < index));
  r.out.push({ kind: "link", pieces, href });
  return (r.start = end);
}

/** Returns pieces without their links, whose words stay. */
function unlinked(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.flatMap((p): readonly Piece[] => {
    if (typeof p === "string" || !("pieces" in p)) return [p];
    return p.kind === "link" ? unlinked(p.pieces) : [{ ...p, pieces: unlinked(p.pieces) }];
  });
}

/** Reads a run of one character, which may be a mark. */
function run(r: Reading, i: number, c: string): number {
  let end = i + 1;
  while (r.line[end] === c) end++;
  const mark = r.line.slice(i, Math.min(end, i + 3));
  if (!(mark in emphasis)) return end;
  take(r, i, end, mark);
  delimit(r, mark as Mark, i, end);
  return end;
}

/** Closes or opens emphasis with the mark from start to end, which is the last piece. */
function delimit({ line, out, openers, brackets }: Reading, mark: Mark, start: number, end: number): void {
  const before = line.slice(Math.max(0, start - 2), start);
  const after = line.slice(end, end + 2);
  const position = openers.findIndex(o => o.mark === mark);
  const opener = openers[position];
  if (opener && opener.index < out.length - 2 && /\S$/.test(before) && !wordAfter.test(after)) {
    const pieces: Piece[] = [];
    for (const p of out.splice(opener.index + 1).slice(0, -1)) push(pieces, p);
    out[opener.index] = { kind: emphasis[mark], pieces };
    openers.length = position;
    while ((brackets.at(-1) ?? -1) > opener.index) brackets.pop();
  } else if (/^\S/.test(after) && !wordBefore.test(before)) {
    if (opener) openers.length = position; // the nearest opener counts
    openers.push({ mark, index: out.length - 1 });
  }
}
