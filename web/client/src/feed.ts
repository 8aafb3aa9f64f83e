// The position in one room's feed, and the changes that follow it. It implements rules 1 to 3 of
// docs/live.md, "Never a gap", and calls nothing.
import type { ChangeEvent } from "./types.js";

/** An entry of a feed, as frames and pages have it. */
export interface Change extends Omit<ChangeEvent, "room"> {
  readonly omitted?: boolean;
}

/** A page of GET /rooms/{room}/changes. */
export interface ChangePage {
  readonly items: readonly Change[];
  readonly head: number;
  readonly since?: string;
  readonly reset: boolean;
}

/** Reports whether a change concerns the room's settings or a person's membership. */
export const alters = ({ type, member }: Change, user: string): boolean =>
  type === "room.changed" || member?.user === user;

/** The most changes that wait for a missing one. More are dropped, and read from the feed later. */
const MAX_HELD = 1000;

export class Feed {
  /** The position to read from, at or before seq; undefined before the first page of messages. */
  since: string | undefined;
  /** The number of the last change that was returned; undefined until the feed was read. */
  seq: number | undefined;
  /** The number of the change at since, if it is known. */
  at = -1;
  #head = 0;
  #held = new Map<number, Change>();

  /** Reports whether the feed may have changes that were not returned. */
  get behind(): boolean {
    return !!this.since && this.#head > (this.seq ?? -1);
  }

  /** Records the number of the newest change. */
  position(head: number): void {
    this.#head = Math.max(this.#head, head);
  }

  /** Adds the changes of a frame, and returns the changes that come next, in order. */
  frame(changes: readonly Change[], since: string): Change[] {
    return this.#add(changes, changes.at(-1)?.seq ?? 0, since, false);
  }

  /** Adds a page of the feed from since, and returns the changes that come next, in order. */
  page({ items, head, since = "" }: ChangePage): Change[] {
    this.seq ??= (items[0]?.seq ?? head + 1) - 1;
    this.position(head);
    return this.#add(items, items.at(-1)?.seq ?? head, since, true);
  }

  /**
   * Adds changes up to a number and its position. A change that a frame omits stays missing. A page continues
   * from since, so its position is good even if frames have brought more. A repeated frame may be of a copy.
   */
  #add(changes: readonly Change[], last: number, since: string, isPage: boolean): Change[] {
    const next: Change[] = [];
    if (this.#held.size > MAX_HELD) this.#held.clear();
    for (const c of changes) if (!c.omitted) this.#held.set(c.seq, c);
    this.position(last);
    if (this.seq === undefined) return next;
    for (let c; (c = this.#held.get(this.seq + 1)); this.seq++) next.push(c);
    for (const seq of this.#held.keys()) if (seq <= this.seq) this.#held.delete(seq);
    if (last >= this.at && last <= this.seq && (isPage || next.length)) {
      this.since = since;
      this.at = last;
    }
    return next;
  }
}
