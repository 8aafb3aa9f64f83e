// The safe subset of Markdown that messages show: links, code, emphasis, lists and quotes. The parser
// gives data, never HTML, and takes time linear in the length of the text.
import { type Piece, push, readLine, wordsOf } from "./inline.js";

export type { Piece };

const fence = "```";

/** Returns the pieces of a text in order. */
export function parse(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (;;) {
    const open = text.indexOf(fence, at);
    const close = open < 0 ? -1 : text.indexOf(fence, open + fence.length);
    if (close < 0) break;
    const block = blockOf(text.slice(open + fence.length, close));
    if (block.text.trim() === "") { // an empty block is text
      readLines(text.slice(at, close + fence.length), pieces);
      at = close + fence.length;
      continue;
    }
    readLines(text.slice(at, open).replace(/\n$/, ""), pieces);
    pieces.push(block);
    at = close + fence.length;
    if (text[at] === "\n") at++;
  }
  readLines(text.slice(at), pieces);
  return pieces;
}

/** Returns a text without its marks, for a line that only names it. */
export const plain = (text: string): string => wordsOf(parse(text));

/** Reports whether a text shows otherwise than it is typed. */
export const hasMarkup = (text: string): boolean => /[*_~`>[\-•.]/.test(text) && parse(text).some(isMarkup);

const isMarkup = (p: Piece): boolean => typeof p !== "string" && !(p.kind === "link" && p.pieces[0] === p.href);

/** Returns what is between two fences: the name of a language, and the code without the line ends at its edges. */
function blockOf(s: string): { kind: "block"; text: string; language: string } {
  const end = s.indexOf("\n");
  if (end < 0) return { kind: "block", text: s, language: "" };
  const head = s.slice(0, end).trim();
  const named = /^[\w+#.-]*$/.test(head);
  const rest = named ? s.slice(end + 1) : s;
  return { kind: "block", text: rest.endsWith("\n") ? rest.slice(0, -1) : rest, language: named ? head : "" };
}

/** A line of a list: its indent, its mark, and its text. A long number begins a sentence, not an item. */
const item = /^([ \t]*)(?:[-*•]|(\d{1,3})\.)[ \t]+(\S.*)$/;
const quoted = /^> ?/;
/** The least indent of an item within another. */
const nested = /^(?:\t|  )/;

interface Line { readonly nested: boolean; readonly number: number | undefined; readonly text: string }

function itemOf(line: string): Line | undefined {
  const found = item.exec(line);
  if (!found) return undefined;
  const [, indent = "", number, text = ""] = found;
  return { nested: nested.test(indent), number: number === undefined ? undefined : Number(number), text };
}

/** Appends the pieces of a text without blocks. Neighboring lines of a quote or a list are one piece. */
function readLines(text: string, out: Piece[], inQuote = false): void {
  if (text === "") return;
  const lines = text.split("\n");
  let breaks = false; // whether the next line needs a line end before it
  for (let i = 0; i < lines.length;) {
    const end = inQuote ? i : quoteEnd(lines, i);
    const items = end > i ? [] : itemsAt(lines, i);
    if (end > i) {
      const pieces: Piece[] = [];
      readLines(lines.slice(i, end).map(line => line.replace(quoted, "")).join("\n"), pieces, true);
      out.push({ kind: "quote", pieces });
      i = end;
    } else if (items.length) {
      readList(items, out);
      i += items.length;
    } else {
      if (breaks) push(out, "\n");
      readLine(lines[i++] ?? "", out);
      breaks = true;
      continue;
    }
    breaks = false;
  }
}

/** Returns the index after the quote that begins with line i. A line without a word begins none. */
function quoteEnd(lines: readonly string[], i: number): number {
  let end = i;
  if (/^>\s+\S/.test(lines[i] ?? "")) while (/^>(?:\s|$)/.test(lines[end] ?? "")) end++;
  return end;
}

/** Returns the items from line i on that form one list. */
function itemsAt(lines: readonly string[], i: number): readonly Line[] {
  const items: Line[] = [];
  for (let line = itemOf(lines[i] ?? ""); line; line = itemOf(lines[i + items.length] ?? "")) {
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
    readLine(items[i++]?.text ?? "", pieces);
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
