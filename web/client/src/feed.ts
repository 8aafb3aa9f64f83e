// The position in one room's feed, and the changes that are known to come after it. Pure: the
// rules 1 to 3 of docs/live.md, "Never a gap".
import type { StoredMessage } from "./types.js";

/** An entry of a feed, of a type that may be unknown. */
export interface Change {
  readonly seq: number;
  readonly type: string;
  readonly id?: string;
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
  /** The position to read from, at seq or before; undefined before the first page of messages. */
  since: string | undefined;
  /** The number of the last change that was handed over; undefined until it is known. */
  seq: number | undefined;
  #head = -1;
  #told: string | undefined; // the position of head
  #held = new Map<number, Change>();

  /** Reports whether changes are missing that can be read. */
  get behind(): boolean {
    return this.since !== undefined && this.#head > (this.seq ?? -1);
  }

  /** Begins after a page of messages. Its number is known if it is the head. */
  start(since: string): Change[] {
    this.since = since;
    if (since === this.#told) this.seq = this.#head;
    return this.#advance();
  }

  /** Takes the position that the server reports. */
  position(head: number, since: string): Change[] {
    if (head >= this.#head) [this.#head, this.#told] = [head, since];
    return this.seq === undefined && since === this.since ? this.start(since) : [];
  }

  /** Takes the changes of a frame. Returns those that come next, in order. */
  frame(changes: readonly Change[], since: string): Change[] {
    for (const c of changes) if (!c.omitted) this.#hold(c);
    const last = changes.at(-1)?.seq ?? -1;
    if (last >= this.#head) [this.#head, this.#told] = [last, since];
    return this.#next(last, since);
  }

  /** Takes a page of the feed from since. Returns the changes that come next, in order. */
  page({ changes, head, since }: ChangePage): Change[] {
    this.seq ??= (changes[0]?.seq ?? head + 1) - 1;
    this.#head = Math.max(this.#head, head);
    for (const c of changes) this.#hold(c);
    return this.#next(changes.at(-1)?.seq ?? head, since);
  }

  #next(last: number, since: string | undefined): Change[] {
    const next = this.#advance();
    if (last === this.seq && since) this.since = since;
    return next;
  }

  #hold(c: Change): void {
    if (this.#held.size >= MAX_HELD) this.#held.clear();
    if (c.seq > (this.seq ?? -1)) this.#held.set(c.seq, c);
  }

  #advance(): Change[] {
    const next: Change[] = [];
    if (this.seq === undefined) return next;
    for (let c; (c = this.#held.get(this.seq + 1)); this.seq++) next.push(c);
    for (const seq of this.#held.keys()) if (seq <= this.seq) this.#held.delete(seq);
    return next;
  }
}
