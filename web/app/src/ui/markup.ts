// The safe subset of Markdown that messages show: links, code, emphasis, lists and quotes. The parser
// gives data, never HTML, and takes time linear in the length of the text.
import { type Piece, push, readLine, wordsOf } from "./inline.js";

export type { Piece };

type Block = Extract<Piece, { kind: "block" }>;

/** Returns the pieces of a text in order. */
export const parse = (text: string): readonly Piece[] => read(text, false);

/** A line outside of blocks, and what follows it if it is an item: blocks of code, and the rests of their lines. */
interface Row { readonly text: string; readonly after: (Block | string)[] }

/** Returns the pieces of a text. A quote has no quotes in it. */
function read(text: string, inQuote: boolean): Piece[] {
  const out: Piece[] = [];
  const blockAt = blocksOf(text);
  const quoteAt = inQuote ? () => Infinity : quotesOf(text);
  let rows: Row[] = [];
  let item: Row | undefined; // which has the line that a block has left
  /** Reads lines up to an index, and returns the beginning of the last one. */
  const readTo = (from: number, to: number): string => {
    const lines = text.slice(from, to).split("\n");
    if (item) {
      const rest = lines.shift() ?? "";
      if (rest.trim()) item.after.push(rest);
      if (!lines.length) return "";
      item = undefined;
    }
    const last = lines.pop() ?? "";
    for (const line of lines) rows.push({ text: line, after: [] });
    return last;
  };
  const end = () => {
    readRows(rows, out);
    rows = [];
  };
  for (let at = 0; ;) {
    const block = blockAt(at);
    const quote = quoteAt(at);
    if (quote < (block?.from ?? Infinity)) {
      readTo(at, quote);
      end();
      const [lines = ""] = quotedLines.exec(text.slice(quote)) ?? [];
      out.push({ kind: "quote", pieces: read(lines.replace(/\n$/, "").replace(/^> ?/gm, ""), true) });
      at = quote + lines.length;
      continue;
    }
    const begin = readTo(at, block?.from ?? text.length);
    if (!block) {
      rows.push({ text: begin, after: [] });
      end();
      return out;
    }
    const code = blockOf(block.text, begin);
    item ??= ownerOf(rows, begin);
    if (item) item.after.push(code);
    else {
      if (begin.trim()) rows.push({ text: begin, after: [] });
      end();
      out.push(code);
    }
    at = block.to;
    if (text[at] !== "\n") continue;
    at++;
    item = undefined;
  }
}

/**
 * Returns the item to which a block belongs that follows the beginning of a line, and removes blank
 * lines between them; undefined if there is none.
 */
function ownerOf(rows: Row[], begin: string): Row | undefined {
  if (itemOf({ text: begin, after: [""] })) {
    const row: Row = { text: begin, after: [] };
    rows.push(row);
    return row;
  }
  if (!nested.test(begin) || begin.trim()) return undefined;
  const last = rows.findLastIndex(row => row.text.trim());
  const row = rows[last];
  if (!row || !itemOf(row)) return undefined;
  rows.length = last + 1;
  return row;
}

/**
 * Returns a function that finds the next block at an index or later. The index only grows. A block
 * ends at as many backticks as it begins with, or more; an empty one is text.
 */
function blocksOf(text: string): (at: number) => {
  readonly from: number; readonly to: number; readonly text: string;
} | undefined {
  const runs = [...text.matchAll(/`{3,}/g)].map(
    ({ 0: { length }, index }) => ({ from: index, to: index + length, length }),
  );
  let i = 0;
  return at => {
    for (; i < runs.length; i++) {
      const open = runs[i]!;
      if (open.from < at) continue;
      let n = i + 1;
      while (n < runs.length && runs[n]!.length < open.length) n++;
      const close = runs[n];
      if (!close) continue; // those that follow are shorter
      if (text.slice(open.to, close.from).trim() === "") i = n;
      else return { from: open.from, to: close.to, text: text.slice(open.to, close.from) };
    }
    return undefined;
  };
}

/**
 * Returns a function that finds the next quote at an index or later. The index only grows. A line
 * without a word begins none.
 */
function quotesOf(text: string): (at: number) => number {
  const begins = /^>[^\S\n]+\S/gm;
  let next = -1;
  return at => {
    if (next < at) {
      begins.lastIndex = at;
      next = begins.exec(text)?.index ?? Infinity;
    }
    return next;
  };
}

const quotedLines = /^(?:>(?:[^\S\n][^\n]*)?(?:\n|$))+/;

/** Returns a text without its marks, for a line that only names it. */
export const plain = (text: string): string => wordsOf(parse(text));

/** Reports whether a text shows otherwise than it is typed. */
export function hasMarkup(text: string): boolean {
  if (!/[*_~`>[\-•.\\]/.test(text)) return false;
  const pieces = parse(text);
  return pieces.some(isMarkup) || wordsOf(pieces) !== text;
}

const isMarkup = (p: Piece): boolean => typeof p !== "string" && !(p.kind === "link" && p.pieces[0] === p.href);

/**
 * Returns the content between two fences: the name of a language, and the code without the line ends at its edges,
 * and without the indent of the first fence, which follows the beginning of a line.
 */
function blockOf(s: string, begin: string): Block {
  const indent = itemOf({ text: begin, after: [""] }) ?? !begin.trim() ? begin.length : 0;
  const text = (indent ? s.replace(new RegExp(`^[ \\t]{1,${indent}}`, "gm"), "") : s).replace(/\n[ \t]*$/, "");
  const end = s.indexOf("\n");
  const head = text.split("\n", 1)[0]!.trim();
  if (end < 0 || !/^[\w+#.-]*$/.test(head)) return { kind: "block", text, language: "" };
  return { kind: "block", text: text.slice(text.indexOf("\n") + 1), language: head };
}

/** A line of a list: its indent, its mark, and its text. A long number begins a sentence, not an item. */
const itemLine = /^([ \t]*)(?:[-*•]|(\d{1,3})\.)[ \t]+(\S.*)?$/;
/** The least indent of an item within another. */
const nested = /^(?:\t|  )/;

interface Line extends Row { readonly nested: boolean; readonly number: number | undefined }

function itemOf({ text: line, after }: Row): Line | undefined {
  const found = itemLine.exec(line);
  const [, indent = "", number, text = ""] = found ?? [];
  if (!found || !(text || after.length)) return undefined;
  return { nested: nested.test(indent), number: number === undefined ? undefined : Number(number), text, after };
}

/** Appends the pieces of lines. Neighboring lines of a list are one piece. */
function readRows(rows: readonly Row[], out: Piece[]): void {
  let breaks = false; // whether the next line needs a line end before it
  for (let i = 0; i < rows.length;) {
    const items = itemsAt(rows, i);
    if (items.length) readList(items, out);
    else {
      if (breaks) push(out, "\n");
      readLine(rows[i]!.text, out);
    }
    breaks = !items.length;
    i += items.length || 1;
  }
}

/** Returns the items from line i on that form one list. */
function itemsAt(rows: readonly Row[], i: number): readonly Line[] {
  const items: Line[] = [];
  for (let row = rows[i], line; row && (line = itemOf(row)); row = rows[i + items.length]) {
    const [first] = items;
    if (!first) items.push({ ...line, nested: false });
    else if (line.nested || (line.number === undefined) === (first.number === undefined)) items.push(line);
    else break;
  }
  return items;
}

/** Appends a list. The nested items after an item are lists within it. */
function readList(items: readonly Line[], out: Piece[]): void {
  const list: Piece[][] = [];
  for (let i = 0; i < items.length;) {
    const pieces: Piece[] = [];
    const { text, after } = items[i++]!;
    readLine(text, pieces);
    for (const p of after) typeof p === "string" ? readLine(p, pieces) : pieces.push(p);
    list.push(pieces);
    while (items[i]?.nested) {
      const ordered = items[i]?.number !== undefined;
      let end = i;
      while (items[end]?.nested && (items[end]?.number !== undefined) === ordered) end++;
      readList(items.slice(i, end).map(line => ({ ...line, nested: false })), pieces);
      i = end;
    }
  }
  out.push({ kind: "list", start: items[0]?.number, items: list });
}

const part = String.raw`\p{Extended_Pictographic}\ufe0f?\p{EMod}?`;
const emoji = [
  String.raw`(?:\p{RI}\p{RI}|[0-9#*]\ufe0f\u20e3|(?=\p{Emoji_Presentation}|..?[\ufe0f\u200d]|..?\p{EMod})${part}`,
  String.raw`[\u{e0020}-\u{e007f}]*(?:\u200d${part})*)`,
].join("");
const one = new RegExp(`^${emoji}$`, "u");
const few = new RegExp(`^${emoji}(?:\\s*${emoji}){0,2}$`, "u");
// The longest emoji in use, a family with skin tones or a flag of a region, has fewer code units.
const longestEmoji = 40;

/** Reports whether a text is one emoji and nothing else. */
export function isEmoji(text: string): boolean {
  const s = text.trim();
  return s.length > 0 && s.length <= longestEmoji && one.test(s);
}

/** Reports whether a text is one to three emoji and nothing else: these are shown large, as in Slack. */
export function isFewEmoji(text: string): boolean {
  const s = text.trim();
  return s.length > 0 && s.length <= 3 * longestEmoji && few.test(s);
}
