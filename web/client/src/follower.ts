import { RequestError } from "./errors.js";
import { Feed, type Change, type ChangePage } from "./feed.js";
import { Refusal } from "./http.js";
import { backoff } from "./pause.js";

/** How long a missing change is waited for before it is read over HTTP. */
const GAP_WAIT = 500;

export interface FollowerOptions {
  /** Reads the changes after a position. */
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
  readonly #feed = new Feed();
  #reading: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #stopped = false;

  constructor(private readonly o: FollowerOptions) {}

  /** The position, of which a page may already be ahead. */
  get since(): string | undefined {
    return this.#feed.since;
  }

  get seq(): number | undefined {
    return this.#feed.seq;
  }

  /** Begins after a page of messages. */
  start(since: string): void {
    this.#took(this.#feed.start(since), 0);
  }

  /** Takes the position of a hello, a subscription or a sync. */
  position(head: number, since: string): void {
    this.#took(this.#feed.position(head, since), 0);
  }

  /** Takes a frame. */
  frame(changes: readonly Change[], since: string): void {
    this.#took(this.#feed.frame(changes, since), GAP_WAIT);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #took(next: Change[], wait: number): void {
    if (next.length && !this.#stopped) this.o.take(next);
    const feed = this.#feed;
    if (!feed.behind) this.#after();
    else if (feed.since !== undefined && (feed.seq !== undefined || feed.seen)) this.#after(feed.omitted ? 0 : wait);
  }

  /** Reads after a pause, unless it is to read before. Without a pause, it is not to read. */
  #after(ms?: number): void {
    if (ms === undefined || ms === 0) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
    if (ms !== undefined && !this.#stopped) this.#timer ??= setTimeout(() => void this.read().catch(() => {}), ms);
  }

  /** Reads the feed to its end. It throws a RequestError, and tries again by itself. */
  read(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #read(): Promise<void> {
    const feed = this.#feed;
    if (feed.since === undefined) return;
    let pause = backoff;
    try {
      do {
        const before = feed.seq;
        const page = await this.o.read(feed.since);
        if (this.#stopped) return;
        if (page.reset) return this.o.reset();
        const next = feed.page(page);
        if (next.length) this.o.take(next);
        if (feed.seq === before) break; // what is missing cannot be read yet
      } while (feed.behind && !this.#stopped);
      this.#failures = feed.behind ? this.#failures + 1 : 0;
    } catch (e) {
      if (this.#stopped) return;
      const status = e instanceof RequestError ? e.status : 0;
      if (status === 403 || status === 404) return this.o.gone();
      if (status === 422) return this.o.reset();
      this.#failures++;
      if (e instanceof Refusal) pause = failures => e.pause(failures);
      throw e;
    } finally {
      if (feed.behind && this.#failures) this.#after(GAP_WAIT + pause(this.#failures));
    }
  }
}
