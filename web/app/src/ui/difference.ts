// The difference of two texts in lines and words, for the history of a message and of a part.

export interface Piece {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
}

/** Above this many cells the comparison would hold up the page: about 30 ms. */
const maxCells = 4_000_000;

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/** Returns the words, the spaces and the marks of a text, which together are the text. */
function wordsOf(text: string): string[] {
  return Array.from(segmenter.segment(text), s => s.segment);
}

const linesOf = (text: string): string[] => text.split(/(?<=\n)/);

/**
 * Returns the pieces that lead from one text to another. Without those added they are before,
 * without those removed after. Lines that differ are compared in pairs, word by word.
 */
export function compare(before: string, after: string): Piece[] {
  const pieces: Piece[] = [];
  const lines: Record<"removed" | "added", string[]> = { removed: [], added: [] };
  const pair = () => {
    const { removed, added } = lines;
    for (let i = 0; i < Math.max(removed.length, added.length); i++) {
      pieces.push(...difference(wordsOf(removed[i] ?? ""), wordsOf(added[i] ?? "")));
    }
    lines.removed = [];
    lines.added = [];
  };
  for (const p of difference(linesOf(before), linesOf(after))) {
    if (p.kind !== "same") lines[p.kind].push(p.text);
    else {
      pair();
      pieces.push(p);
    }
  }
  pair();
  return joined(pieces);
}

/** Returns the parts of two texts that are the same, removed or added. */
function difference(a: string[], b: string[]): Piece[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const middle = changes(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return [...a.slice(0, start).map(same), ...middle, ...a.slice(a.length - end).map(same)];
}

const same = (text: string): Piece => ({ kind: "same", text });

function changes(a: string[], b: string[]): Piece[] {
  const removed = (text: string): Piece => ({ kind: "removed", text });
  const added = (text: string): Piece => ({ kind: "added", text });
  if (a.length * b.length > maxCells) return [...a.map(removed), ...b.map(added)];
  const width = b.length + 1;
  const common = commonLengths(a, b);
  const pieces: Piece[] = [];
  let i = 0, j = 0;
  while (i < a.length && j < b.length) {
    const x = a[i] ?? "", y = b[j] ?? "";
    if (x === y) {
      pieces.push(same(x));
      i++, j++;
    } else if ((common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0)) {
      pieces.push(removed(x));
      i++;
    } else {
      pieces.push(added(y));
      j++;
    }
  }
  return [...pieces, ...a.slice(i).map(removed), ...b.slice(j).map(added)];
}

/** Returns, for each pair of ends of a and b, the length of their longest common subsequence. */
function commonLengths(a: string[], b: string[]): Uint32Array {
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const below = (i + 1) * width + j;
      lengths[i * width + j] = a[i] === b[j]
        ? (lengths[below + 1] ?? 0) + 1
        : Math.max(lengths[below] ?? 0, lengths[i * width + j + 1] ?? 0);
    }
  }
  return lengths;
}

/** Joins neighbours of one kind. */
function joined(pieces: Piece[]): Piece[] {
  const out: Piece[] = [];
  for (const p of pieces) {
    const last = out.at(-1);
    if (last?.kind === p.kind) out[out.length - 1] = { kind: p.kind, text: last.text + p.text };
    else out.push(p);
  }
  return out;
}
