// How long a client lacked a change while it had a later one: only then may it read the feed.
import type { Trace } from "../../src/index.js";

interface Changes {
  readonly rooms?: readonly { readonly changes?: readonly { readonly seq: number }[] }[];
}

export class Gaps {
  /** The longest gap so far, in milliseconds. */
  longest = 0;
  private next = 0; // the number of the first change that is lacking
  private since = 0; // when a later one came; 0 without
  private readonly later = new Set<number>();

  /** Takes what a client of one room received. */
  readonly take = (t: Trace): void => {
    if (t.kind !== "received") return;
    const now = performance.now();
    const { rooms = [] } = JSON.parse(t.frame) as Changes;
    for (const { seq } of rooms.flatMap(r => r.changes ?? [])) {
      this.next ||= seq;
      if (seq >= this.next) this.later.add(seq);
    }
    while (this.later.delete(this.next)) this.next++;
    if (this.since) this.longest = Math.max(this.longest, now - this.since);
    this.since = this.later.size ? this.since || now : 0;
  };
}
