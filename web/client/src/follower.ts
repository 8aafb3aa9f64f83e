import { Feed, type Change, type ChangePage } from "./feed.js";
import { isGone, retryIn, statusOf } from "./http.js";
import { Alarm, backoff } from "./pause.js";

/** How long a missing change is waited for before it is read over HTTP. */
const GAP_WAIT = 500;

export interface FollowedRoom {
  /** Reads the changes after a position. It throws a RequestError. */
  read(since: string): Promise<ChangePage>;
  /** Takes changes, in order and each once. */
  take(changes: readonly Change[]): void;
  /** Begins again with the newest messages. */
  latest(always: boolean): Promise<void>;
  /** Learns that it cannot be read. */
  gone(): void;
}

/** Follows a room: hands its changes over in order, whatever happens to frames. */
export class Follower {
  readonly feed = new Feed();
  #reading: Promise<void> | undefined;
  readonly #alarm = new Alarm();
  #failures = 0;
  #pause = 0; // before the next try after a failure
  #stopped = false;

  constructor(private readonly room: FollowedRoom) {}

  /** Begins after a page of messages. */
  start(since: string): void {
    this.feed.since = since;
    this.#took([], 0);
  }

  /** Takes the position of a hello, a subscription or a sync. */
  position(head: number): void {
    this.feed.position(head);
    this.#took([], 0);
  }

  /** Takes a frame. */
  frame(changes: readonly Change[], since: string): void {
    this.#took(this.feed.frame(changes, since), GAP_WAIT);
  }

  stop(): void {
    this.#stopped = true;
    this.#alarm.clear();
  }

  #took(next: Change[], wait: number): void {
    if (this.#stopped) return;
    if (next.length) this.room.take(next);
    if (!this.feed.behind) this.#alarm.clear();
    else if (!this.#alarm.armed) this.#alarm.set(wait, () => void this.read().catch(() => {}));
  }

  /** Reads the feed to its end. It throws a RequestError, and then tries again by itself. */
  read(): Promise<void> {
    this.#alarm.clear();
    return (this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
      this.#took([], this.#pause);
    }));
  }

  async #read(): Promise<void> {
    const { feed, room } = this;
    try {
      for (let before = -1; feed.since && feed.seq !== before && !this.#stopped; ) {
        before = feed.seq ?? before;
        const page = await room.read(feed.since);
        if (this.#stopped) return;
        if (page.reset) return void room.latest(true);
        this.#took(feed.page(page), GAP_WAIT);
        this.#failures = 0;
        this.#pause = GAP_WAIT + backoff(1); // for what cannot be read yet
        if (!feed.behind) return;
      }
    } catch (e) {
      this.#pause = GAP_WAIT + retryIn(e, ++this.#failures);
      const status = statusOf(e);
      if (this.#stopped) return;
      if (isGone(status)) return room.gone();
      if (status === 422) return void room.latest(true);
      throw e;
    }
  }
}
