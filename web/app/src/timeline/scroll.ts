// Keeps the line being read where it is while content changes above, below and around it. Browsers
// differ in their own anchoring (Safari has none), so the log switches it off and this does it.

/** Closer to the end than this, the reader is at the end and follows new messages. */
export const endMargin = 48;
/** The scroll position of an element. */
export interface Metrics { readonly top: number; readonly height: number; readonly content: number }

/** Returns how far the end is from the lower edge. */
export const below = (m: Metrics): number => m.content - m.height - m.top;
export const isAtEnd = (m: Metrics): boolean => below(m) <= endMargin;

/** Returns the index of the first of count items, in order, that satisfies a test; count if none. */
export function firstIndex(count: number, test: (i: number) => boolean): number {
  let low = 0;
  for (let high = count; low < high;) {
    const middle = (low + high) >> 1;
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the top that shows a room first: the unread line, or the end if all after it fits. */
export function firstTop(m: Metrics, line: number | undefined, margin: number): number {
  const end = Math.max(0, m.content - m.height);
  return line === undefined ? end : Math.max(0, Math.min(end, line - margin));
}

/** Returns the top that shows an item in the middle, or from its beginning if it is too high. */
export function middleTop(m: Metrics, item: { top: number; height: number }): number {
  const space = Math.max(0, (m.height - item.height) / 2);
  return Math.max(0, Math.min(m.content - m.height, item.top - space));
}

/**
 * Returns by how much the log was scrolled since it was at top, by the reader or by a focus. Content
 * that has become shorter also lowers the top, to the end: that is no scrolling.
 */
export function scrolledBy(m: Metrics, top: number): number {
  return m.top < top && below(m) < 1 ? 0 : m.top - top;
}

interface Anchor { readonly node: Element; readonly offset: number }

/** Holds the position of one log. Its items are the articles in it. */
export class Keeper {
  readonly #log: HTMLElement;
  #anchors: readonly Anchor[] = [];
  #atEnd = true;
  /** Whether the end of the log is the newest message: only then does the reader follow it. */
  live = false;
  /** The position when the lines were remembered, or when the log was last moved for them. */
  #top = 0;

  constructor(log: HTMLElement) {
    this.#log = log;
  }

  get metrics(): Metrics {
    const { scrollTop: top, clientHeight: height, scrollHeight: content } = this.#log;
    return { top, height, content };
  }

  get atEnd(): boolean {
    return this.#atEnd;
  }

  /** Remembers the lines being read. Call it when the reader may have scrolled. */
  capture(): void {
    // After a correction of its own, the lines stay those that the reader chose.
    if (this.#log.scrollTop !== this.#top) this.#remember();
  }

  #remember(): void {
    this.#top = this.#log.scrollTop;
    this.#atEnd = this.live && isAtEnd(this.metrics);
    const edge = this.#log.getBoundingClientRect();
    const items = this.#log.getElementsByTagName("article");
    const rect = (i: number) => items[i]?.getBoundingClientRect() ?? edge;
    const anchors: Anchor[] = [];
    for (let i = firstIndex(items.length, i => rect(i).bottom > edge.top); i < items.length; i++) {
      const node = items[i];
      const { top } = rect(i);
      if (!node || top >= edge.bottom) break;
      anchors.push({ node, offset: top - edge.top });
    }
    // The first row in sight comes last: what changes in it, such as its author's name when older
    // messages come, should move the lines above the reader's. archive.test.mjs holds this.
    const [first, ...others] = anchors;
    this.#anchors = first ? [...others, first] : [];
  }

  /** Moves the log so that the remembered line is where it was, or to the end for a reader there. */
  restore(): void {
    const log = this.#log;
    const scrolled = scrolledBy(this.metrics, this.#top);
    if (scrolled < 0) this.#atEnd = false;
    if (this.#atEnd) return this.toEnd();
    const anchor = this.#anchors.find(a => a.node.isConnected);
    if (!anchor) return this.#remember(); // everything was replaced
    const offset = anchor.node.getBoundingClientRect().top - log.getBoundingClientRect().top;
    const shift = offset - (anchor.offset - scrolled);
    if (Math.abs(shift) >= 0.5) log.scrollTop += shift;
    if (scrolled !== 0) this.#remember();
    this.#top = log.scrollTop;
  }

  toEnd(): void {
    this.#log.scrollTop = this.#log.scrollHeight;
    this.#atEnd = true;
    this.#top = this.#log.scrollTop;
  }

  /** Moves to a top of the reader's, and remembers the lines there. */
  to(top: number): void {
    this.#log.scrollTop = top;
    this.#remember();
  }
}

/** A page is loaded when less than this is left to read: some screens, and far less than the window
 * of 300 messages has, so that loading at one end never uncovers the other. */
const ahead = 2000;

export const nearOlder = (m: Metrics): boolean => m.top < ahead;
export const nearNewer = (m: Metrics): boolean => below(m) < ahead;
