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

/** Reports whether a change alters a room, or a person's place in it. */
export const alters = ({ type, member }: Change, user: string): boolean => type === "room.changed" || member?.user === user;

/** Bounds the changes that wait for a missing one. Beyond it they are dropped: the feed has them. */
const MAX_HELD = 1000;

export class Feed {
  /** The position to read from, at seq or before; undefined before the first page of messages. */
  since: string | undefined;
  /** The number of the last change that was handed over; undefined until the feed was read. */
  seq: number | undefined;
  #head = 0;
  #held = new Map<number, Change>();

  /** Reports whether changes may be missing that can be read. */
  get behind(): boolean {
    return !!this.since && this.#head > (this.seq ?? -1);
  }

  /** Takes the number of the newest change. */
  position(head: number): void {
    this.#head = Math.max(this.#head, head);
  }

  /** Takes the changes of a frame. Returns those that come next, in order. */
  frame(changes: readonly Change[], since: string): Change[] {
    return this.#take(changes, changes.at(-1)?.seq ?? 0, since);
  }

  /** Takes a page of the feed from since. Returns the changes that come next, in order. */
  page({ changes, head, since = "" }: ChangePage): Change[] {
    this.seq ??= (changes[0]?.seq ?? head + 1) - 1;
    this.position(head);
    return this.#take(changes, changes.at(-1)?.seq ?? head, since);
  }

  /** Takes changes, of which the last has a position. What frames leave out is missing. */
  #take(changes: readonly Change[], last: number, since: string): Change[] {
    const next: Change[] = [];
    if (this.#held.size > MAX_HELD) this.#held.clear();
    for (const c of changes) if (!c.omitted) this.#held.set(c.seq, c);
    this.position(last);
    if (this.seq === undefined) return next;
    for (let c; (c = this.#held.get(this.seq + 1)); this.seq++) next.push(c);
    for (const seq of this.#held.keys()) if (seq <= this.seq) this.#held.delete(seq);
    if (last === this.seq) this.since = since;
    return next;
  }
}
