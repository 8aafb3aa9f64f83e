import { Feed, type Change, type ChangePage } from "./feed.js";
import { isGone, retryIn, statusOf } from "./http.js";
import { Alarm, backoff } from "./pause.js";

/** A missing change is read over HTTP after this time. */
export const GAP_WAIT = 500;

/** A room whose feed is followed. */
export interface FollowedRoom {
  /** Reads the changes after a position. It throws a RequestError. */
  read(since: string): Promise<ChangePage>;
  /** Applies changes, which come in order and once each. */
  apply(changes: readonly Change[]): void;
  /** Loads the newest messages again. */
  reload(): Promise<void>;
  /** Handles that the feed was read to its end over HTTP. */
  caughtUp(): void;
  /** Handles that the room cannot be read any more. */
  gone(): void;
}

/** Follows a room: it delivers all changes in order, and reads those that no frame contains. */
export class Follower {
  readonly feed = new Feed();
  #reading: Promise<void> | undefined;
  readonly #alarm = new Alarm();
  #failures = 0;
  #pause = 0; // before the next read
  #stopped = false;

  constructor(private readonly room: FollowedRoom) {}

  /** Starts at the position of a page of messages, or at one that was kept with the number of its last change. */
  start(since: string, seq?: number): void {
    this.feed.since = since;
    this.feed.seq = seq;
    this.#deliver([], 0);
  }

  /** Records the newest change's number, and reads after some milliseconds what no frame has brought. */
  position(head: number, wait: number): void {
    this.feed.position(head);
    this.#deliver([], wait);
  }

  /** Handles the changes of a frame. */
  frame(changes: readonly Change[], since: string): void {
    this.#deliver(this.feed.frame(changes, since), GAP_WAIT);
  }

  stop(): void {
    this.#stopped = true;
    this.#alarm.clear();
  }

  #deliver(next: Change[], wait: number): void {
    if (this.#stopped) return;
    if (next.length) this.room.apply(next);
    if (!this.feed.behind) this.#alarm.clear();
    else if (!this.#alarm.armed) this.#alarm.set(wait, () => void this.read().catch(() => {}));
  }

  /** Reads the feed to its end. It throws a RequestError, and retries later by itself. */
  read(): Promise<void> {
    this.#alarm.clear();
    return (this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
      this.#deliver([], this.#pause);
    }));
  }

  async #read(): Promise<void> {
    const { feed, room } = this;
    try {
      for (let before: number | undefined; feed.since && feed.at !== before && !this.#stopped; ) {
        before = feed.at;
        const page = await room.read(feed.since);
        if (this.#stopped) return;
        if (page.reset) return void room.reload();
        this.#deliver(feed.page(page), GAP_WAIT);
        this.#failures = 0;
        this.#pause = GAP_WAIT + backoff(1); // the feed may not have the newest change yet
        if (!feed.behind) return room.caughtUp();
      }
    } catch (e) {
      this.#pause = GAP_WAIT + retryIn(e, ++this.#failures);
      const status = statusOf(e);
      if (this.#stopped) return;
      if (isGone(status)) return room.gone();
      if (status === 422) return void room.reload();
      throw e;
    }
  }
}
