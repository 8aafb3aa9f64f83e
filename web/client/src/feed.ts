// The position in one room's feed, and the changes that are known to come after it. Pure: the
// rules 1 to 4 of docs/live.md, "Never a gap".
import type { StoredMessage } from "./types.js";

/** An entry of a feed, of a type that may be unknown. */
export interface Change {
  readonly seq: number;
  readonly type: string;
  readonly id?: string;
  readonly revision?: number;
  readonly message?: StoredMessage;
  readonly omitted?: boolean;
  readonly member?: { readonly user: string; readonly role?: string };
}

/** A page of GET /rooms/{room}/changes. */
export interface ChangePage {
  readonly changes: readonly Change[];
  readonly head: number;
  readonly since?: string;
  readonly reset: boolean;
}

/** Bounds the changes that wait for a missing one. Beyond it they are dropped: the feed has them. */
const MAX_HELD = 1000;

export class Feed {
  /** The position to read from; undefined before the first page of messages. */
  since: string | undefined;
  /** The number of the last change that was handed over; undefined until it is known. */
  seq: number | undefined;
  /** Whether a frame has left out a message that only the feed has. */
  omitted = false;
  #sinceSeq = -1;
  #head = 0;
  #held = new Map<number, Change>();
  #last: { seq: number; since: string } | undefined;

  /** Begins after a page of messages. Its number shows if a frame or an ack has the position, too. */
  start(since: string): Change[] {
    this.since = since;
    this.seq = this.#last?.since === since ? this.#last.seq : undefined;
    this.#sinceSeq = this.seq ?? -1;
    return this.#advance();
  }

  /** Reports whether the server has told a position, or sent a frame. */
  get seen(): boolean {
    return this.#last !== undefined;
  }

  /** Reports whether changes are missing. */
  get behind(): boolean {
    return this.omitted || this.seq === undefined || this.#head > this.seq;
  }

  /** Takes the position that the server reports. Returns the changes that come next. */
  position(head: number, since: string): Change[] {
    this.#last = { seq: head, since };
    this.#head = Math.max(this.#head, head);
    if (this.seq === undefined && since === this.since) return this.start(since);
    // The same number with another text: the feed has begun again, as in a restored table.
    if (head === this.seq && this.#sinceSeq === head && since !== this.since) this.omitted = true;
    return [];
  }

  /** Takes the changes of a frame. Returns those that come next, in order. */
  frame(changes: readonly Change[], since: string): Change[] {
    for (const c of changes) {
      if (c.omitted) this.omitted ||= this.seq === undefined || c.seq > this.seq;
      else this.#hold(c);
      this.#head = Math.max(this.#head, c.seq);
    }
    const next = this.#advance();
    const last = changes.at(-1)?.seq;
    if (last !== undefined && last === this.#head) this.#last = { seq: last, since };
    if (last !== undefined && last === this.seq) this.#mark(last, since);
    return next;
  }

  /** Takes a page of the feed from since. Returns the changes that come next, in order. */
  page(page: ChangePage): Change[] {
    this.omitted = false;
    this.seq ??= (page.changes[0]?.seq ?? page.head + 1) - 1;
    this.#head = Math.max(this.#head, page.head);
    for (const c of page.changes) this.#hold(c);
    const next = this.#advance();
    if (page.since) this.#mark(page.changes.at(-1)?.seq ?? page.head, page.since);
    return next;
  }

  #mark(seq: number, since: string): void {
    if (seq >= this.#sinceSeq) [this.#sinceSeq, this.since] = [seq, since];
  }

  #hold(c: Change): void {
    if (this.seq !== undefined && c.seq <= this.seq) return;
    if (this.#held.size >= MAX_HELD) this.#held.clear();
    this.#held.set(c.seq, c);
  }

  #advance(): Change[] {
    const next: Change[] = [];
    if (this.seq === undefined) return next;
    for (const seq of this.#held.keys()) if (seq <= this.seq) this.#held.delete(seq);
    for (let c; (c = this.#held.get(this.seq + 1)); ) {
      this.#held.delete(c.seq);
      this.seq = c.seq;
      next.push(c);
    }
    return next;
  }
}
