// The small safe subset of markup that messages show: links, code and emphasis. The parser gives
// data, never HTML, and takes time linear in the length of the text.

/** A piece of a text. Emphasis nests at most once in each kind. */
export type Piece =
  | string
  | { readonly kind: "code" | "block"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly href: string }
  | { readonly kind: "em" | "strong"; readonly pieces: readonly Piece[] };

type Emphasis = "em" | "strong";
/** A delimiter that may open emphasis: the piece with this index, which is text until then. */
interface Opener { readonly kind: Emphasis; readonly index: number }
/** A line while it is read. */
interface Reading { readonly line: string; readonly out: Piece[]; readonly openers: Opener[] }

const fence = "```";
// Invisible characters that change the direction or joining of what follows: a link that contained
// one could show another address than its own.
const linkEnd = /[\s<>"`|\\^{}\u3001\u3002\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]/;
// Scripts without spaces between words, such as Chinese, have letters without case.
const wordBefore = /[\p{Ll}\p{Lu}\p{N}_]$/u;
const wordAfter = /^[\p{Ll}\p{Lu}\p{N}_]/u;
const trailing = ".,:;!?'*~…";

/** Returns the pieces of a text in order. */
export function parse(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (;;) {
    const open = text.indexOf(fence, at);
    const close = open < 0 ? -1 : text.indexOf(fence, open + fence.length);
    if (close < 0) break;
    const block = blockText(text.slice(open + fence.length, close));
    if (block.trim() === "") { // an empty block is text
      inline(text.slice(at, close + fence.length), pieces);
    } else {
      inline(text.slice(at, open).replace(/\n$/, ""), pieces);
      pieces.push({ kind: "block", text: block });
    }
    at = close + fence.length;
    if (block.trim() !== "" && text[at] === "\n") at++;
  }
  inline(text.slice(at), pieces);
  return pieces;
}

/** Returns a text without its marks, for a line that only names it. */
export function plain(text: string): string {
  return parse(text).map(wordsOf).join("");
}

function wordsOf(p: Piece): string {
  if (typeof p === "string") return p;
  if ("pieces" in p) return p.pieces.map(wordsOf).join("");
  return p.kind === "block" ? ` ${p.text} ` : p.text; // it was on lines of its own
}

/** Returns what a block shows: without the name of a language, and the line ends at its edges. */
function blockText(s: string): string {
  const end = s.indexOf("\n");
  if (end < 0) return s;
  const head = s.slice(0, end).trim();
  const rest = /^[\w+#.-]*$/.test(head) ? s.slice(end + 1) : s;
  return rest.endsWith("\n") ? rest.slice(0, -1) : rest;
}

/** Appends the pieces of a text without blocks. */
function inline(text: string, out: Piece[]): void {
  for (const [i, line] of text.split("\n").entries()) {
    if (i > 0) push(out, "\n");
    for (const p of lineOf(line)) push(out, p);
  }
}

function push(out: Piece[], p: Piece): void {
  const last = out.length - 1;
  if (p === "") return;
  if (typeof p === "string" && typeof out[last] === "string") out[last] += p;
  else out.push(p);
}

/** Returns the pieces of one line. Nothing spans lines but blocks. */
function lineOf(line: string): readonly Piece[] {
  const reading: Reading = { line, out: [], openers: [] };
  const { out } = reading;
  const lastTick = line.lastIndexOf("`");
  let start = 0;
  const take = (from: number, end: number, piece: Piece): number => {
    if (from > start) out.push(line.slice(start, from));
    out.push(piece);
    return (start = end);
  };
  for (let i = 0; i < line.length;) {
    const c = line[i];
    const found = c === "`" && i < lastTick ? codeAt(line, i) : c === "h" ? linkAt(line, i) : undefined;
    if (found) {
      i = take(i, found.end, found.piece);
    } else if (c === "*") {
      let end = i + 1;
      while (line[end] === "*") end++;
      take(i, end, line.slice(i, end));
      if (end - i <= 2) delimit(reading, i, end);
      i = end;
    } else {
      i++;
    }
  }
  if (start < line.length) out.push(line.slice(start));
  return out;
}

/** Closes or opens emphasis with the delimiter from start to end, which is the last piece. */
function delimit({ line, out, openers }: Reading, start: number, end: number): void {
  const kind = end - start === 1 ? "em" : "strong";
  const before = line.slice(Math.max(0, start - 2), start);
  const after = line.slice(end, end + 2);
  const position = openers.findIndex(o => o.kind === kind);
  const opener = openers[position];
  if (opener && opener.index < out.length - 2 && /\S$/.test(before) && !wordAfter.test(after)) {
    const pieces: Piece[] = [];
    for (const p of out.splice(opener.index + 1).slice(0, -1)) push(pieces, p);
    out[opener.index] = { kind, pieces };
    openers.length = position;
  } else if (/^\S/.test(after) && !wordBefore.test(before)) {
    if (opener) openers.length = position; // the nearest opener counts
    openers.push({ kind, index: out.length - 1 });
  }
}

interface Found { readonly piece: Piece; readonly end: number }

function codeAt(line: string, i: number): Found | undefined {
  const close = line.indexOf("`", i + 1);
  return close > i + 1 ? { piece: { kind: "code", text: line.slice(i + 1, close) }, end: close + 1 } : undefined;
}

/** Returns the link at i. An address that is none is text as a whole, so that it is read once. */
function linkAt(line: string, i: number): Found | undefined {
  if (!line.startsWith("https://", i) && !line.startsWith("http://", i)) return undefined;
  if (wordBefore.test(line.slice(Math.max(0, i - 2), i))) return undefined;
  let end = i;
  while (end < line.length && !linkEnd.test(line.charAt(end))) end++;
  const text = withoutTrailing(line.slice(i, end));
  const href = addressOf(text);
  return { piece: href === undefined ? text : { kind: "link", text, href }, end: i + text.length };
}

/** Cuts punctuation that ends the sentence rather than the address. */
function withoutTrailing(s: string): string {
  // How many brackets are closed that the address did not open.
  const surplus = { ")": 0, "]": 0 };
  for (const c of s) {
    if (c === ")" || c === "]") surplus[c]++;
    else if (c === "(") surplus[")"]--;
    else if (c === "[") surplus["]"]--;
  }
  let end = s.length;
  for (; end > 0; end--) {
    const c = s.charAt(end - 1);
    if (c === ")" || c === "]") {
      if (surplus[c]-- <= 0) break;
    } else if (!trailing.includes(c)) {
      break;
    }
  }
  return s.slice(0, end);
}

/** Returns the address of a link to the web. A user before the host would pass for the host. */
function addressOf(s: string): string | undefined {
  try {
    const url = new URL(s);
    const web = (url.protocol === "https:" || url.protocol === "http:") && /^[a-z0-9[]/.test(url.hostname);
    return web && url.username === "" && url.password === "" ? url.href : undefined;
  } catch {
    return undefined;
  }
}

const part = String.raw`\p{Extended_Pictographic}\ufe0f?\p{EMod}?`;
const emoji = new RegExp([
  String.raw`^(?:\p{RI}\p{RI}|[0-9#*]\ufe0f\u20e3|(?=\p{Emoji_Presentation}|..?[\ufe0f\u200d]|..?\p{EMod})${part}`,
  String.raw`[\u{e0020}-\u{e007f}]*(?:\u200d${part})*)$`,
].join(""), "u");
// The longest emoji in use, a family with skin tones or a flag of a region, has fewer code units.
const longestEmoji = 40;

/** Reports whether a text is one emoji and nothing else. */
export function isEmoji(text: string): boolean {
  const s = text.trim();
  return s.length > 0 && s.length <= longestEmoji && emoji.test(s);
}
