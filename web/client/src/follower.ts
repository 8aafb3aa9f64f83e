import { Feed, type Change, type ChangePage } from "./feed.js";
import { isGone, retryIn, statusOf } from "./http.js";
import { backoff } from "./pause.js";

/** How long a missing change is waited for before it is read over HTTP. */
const GAP_WAIT = 500;

export interface FollowerOptions {
  /** Reads the changes after a position. It throws a RequestError. */
  read: (since: string) => Promise<ChangePage>;
  /** Told of changes, in order and each once. */
  take: (changes: Change[]) => void;
  /** Told that the feed cannot continue. */
  reset: () => void;
  /** Told that the room cannot be read. */
  gone: () => void;
}

/** Follows a room: hands its changes over in order, whatever happens to frames. */
export class Follower {
  readonly feed = new Feed();
  #reading: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #pause = 0; // before the next try after a failure
  #stopped = false;

  constructor(private readonly o: FollowerOptions) {}

  /** Begins after a page of messages. */
  start(since: string): void {
    this.#took(this.feed.start(since), 0);
  }

  /** Takes the position of a hello, a subscription or a sync. */
  position(head: number, since: string): void {
    this.#took(this.feed.position(head, since), 0);
  }

  /** Takes a frame. */
  frame(changes: readonly Change[], since: string): void {
    this.#took(this.feed.frame(changes, since), GAP_WAIT);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #took(next: Change[], wait: number): void {
    if (this.#stopped) return;
    if (next.length) this.o.take(next);
    if (this.feed.behind) this.#timer ??= setTimeout(() => void this.read().catch(() => {}), wait);
    else this.#cancel();
  }

  #cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Reads the feed to its end. It throws a RequestError, and then tries again by itself. */
  read(): Promise<void> {
    this.#cancel();
    return (this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
      this.#took([], this.#pause);
    }));
  }

  async #read(): Promise<void> {
    const { feed, o } = this;
    try {
      for (let before = -1; feed.since && feed.seq !== before && !this.#stopped; ) {
        before = feed.seq ?? before;
        const page = await o.read(feed.since);
        if (this.#stopped) return;
        if (page.reset) return o.reset();
        this.#took(feed.page(page), GAP_WAIT);
        this.#failures = 0;
        this.#pause = GAP_WAIT + backoff(1); // for what cannot be read yet
        if (!feed.behind) return;
      }
    } catch (e) {
      this.#pause = GAP_WAIT + retryIn(e, ++this.#failures);
      const status = statusOf(e);
      if (this.#stopped) return;
      if (isGone(status)) return o.gone();
      if (status === 422) return o.reset();
      throw e;
    }
  }
}
