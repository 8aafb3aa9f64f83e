import { encode } from "./ids.js";
import type { Change, ChangePage } from "./feed.js";
import { Follower } from "./follower.js";
import { isGone, statusOf, type Http } from "./http.js";
import type { Kept, KeptRoom, Newest } from "./kept.js";
import type { Caller, PeopleCache } from "./people.js";
import { EMPTY, ENDS, extend, put, trim, type End, type Span } from "./timeline.js";
import type { People, RoomInfo, RoomView, StoredMessage } from "./types.js";
import { Value } from "./value.js";
import { CLOSED, withBlocked } from "./view.js";

/** The messages of a page, unless the caller states another limit. */
const PAGE = 50;
/** What a device kept is loaded again if there are more changes since. */
const FAR = 400;
/** A failed comparison is repeated after this time, or up to twice this time. */
const RETRY_AFTER = 5000;

interface MessagePage {
  readonly items: readonly StoredMessage[];
  readonly next?: string;
  readonly prev?: string;
  readonly people?: People;
  readonly since: string;
}

/** The part of the client that the messages of a room use. */
export interface PagesClient extends Caller {
  readonly http: Http;
  readonly people: PeopleCache;
  readonly kept: Kept;
  /** When the server could last be reached: now, or the end of the last connection. */
  readonly asOf: number;
}

/** The loaded messages of a room, and the changes that follow them. */
export abstract class Pages<C extends PagesClient> extends Value<RoomView> {
  protected readonly path: `/rooms/${string}`;
  protected span: Span = EMPTY;
  /** The last load. It does not throw. */
  protected running = Promise.resolve();
  follower: Follower | undefined;
  #turn = 0; // counts the loads, so that a late answer can be dropped
  #extending: { [end in End]?: Promise<void> | undefined } = {};
  #comparing: Promise<void> | undefined;
  #leftAt = 0; // when the room was closed

  constructor(
    readonly id: string,
    protected readonly chat: C,
  ) {
    super(CLOSED);
    this.path = `/rooms/${encode(id)}`;
  }

  protected abstract show(patch?: Partial<RoomView>): void;
  /** Applies changes in order. After a load, some of them are repeated. */
  abstract apply(changes: readonly Change[]): void;
  /** Called before the messages are loaded. */
  protected abstract loading(): void;
  /**
   * The first unread message, if it is loaded. The list of rooms tells it of a room that was not
   * compared with the server.
   */
  protected abstract get line(): string | undefined;
  /** Called when the messages are loaded; info is undefined if it was not loaded, too. */
  protected abstract loaded(info: RoomInfo | undefined): void;
  /** Called when all changes up to the newest were applied, after some may have been missed. */
  abstract caughtUp(): void;
  /** Shows that the room is unknown, hidden or deleted. */
  abstract gone(error?: Error): void;
  /** The ids of the messages whose counts changed since the caller's choices were read. */
  abstract readonly unchecked: Set<string>;

  /**
   * The newest messages and their position in the feed; undefined if they are not loaded, or not
   * compared with the server.
   */
  get newest(): Newest & { seq: number } | undefined {
    const { span: { messages, hasOlder, hasNewer }, value: { phase, info, cachedAt } } = this;
    const { since, seq } = this.follower?.feed ?? {};
    return info && since && seq !== undefined && !hasNewer && !cachedAt && phase !== "gone"
      ? { info, messages, hasOlder, since, seq, unchecked: this.unchecked }
      : undefined;
  }

  /**
   * Loads the newest messages, or the messages around one, and follows the room from there. What this device
   * kept is shown meanwhile.
   */
  protected load(around?: string, limit?: number): Promise<void> {
    return (this.running = this.#load(around, limit));
  }

  /** Loads the newest messages again, because the feed cannot continue from the loaded or stored position. */
  reload(): Promise<void> {
    this.chat.kept.drop(this.id);
    return this.load();
  }

  async #load(around?: string, limit?: number): Promise<void> {
    const turn = ++this.#turn;
    const shows = this.value.phase === "ready";
    const first = !shows || !!this.value.cachedAt;
    const before = this.newest;
    if (!shows) this.show({ phase: "loading", error: undefined });
    this.follower?.stop();
    const follower = (this.follower = new Follower(this));
    this.loading();
    if (!shows) {
      const kept = before ? { ...before, at: this.#leftAt } : await this.chat.kept.room(this.id);
      if (turn !== this.#turn) return;
      if (kept && (!around || kept.messages.some(m => m.id === around))) return this.#resume(kept);
    }
    try {
      const [page, info] = await Promise.all([this.#around(around, limit), first ? this.info() : undefined]);
      if (turn !== this.#turn) return;
      this.span = {
        messages: page.items.map(m => this.mark(m)).reverse(), hasOlder: !!page.next, hasNewer: !!page.prev,
      };
      this.loaded(info);
      follower.start(page.since);
    } catch (e) {
      if (turn !== this.#turn) return;
      if (isGone(statusOf(e)) || statusOf(e) === 422) this.gone(e as Error); // 422: no room has such an id
      else if (!this.value.cachedAt) this.show({ phase: "failed", error: e as Error });
    }
  }

  /** Shows what was kept, and follows the room from there. */
  #resume({ messages, hasOlder, info, people, since, seq, unchecked, at }: Newest & Partial<KeptRoom> & {
    at: number;
  }): Promise<void> {
    this.chat.people.keep(people);
    for (const id of unchecked) this.unchecked.add(id);
    this.span = { messages: messages.map(m => this.mark(m)), hasOlder, hasNewer: false };
    this.show({ phase: "ready", info, cachedAt: at, firstUnread: this.line });
    this.follower!.start(since, seq);
    this.#comparing = undefined; // it was for an earlier open
    return this.compare();
  }

  /** Compares what was kept with the server. After a failure, the next connection repeats it. */
  compare(): Promise<void> {
    return (this.#comparing ??= this.#compare().finally(() => (this.#comparing = undefined)));
  }

  async #compare(): Promise<void> {
    if (!this.follower?.feed.since) return this.reload(); // a load has failed
    const turn = this.#turn;
    try {
      const [info] = await Promise.all([this.info(), this.follower.read()]);
      if (turn === this.#turn) this.loaded(info);
    } catch (e) {
      if (turn !== this.#turn) return;
      if (isGone(statusOf(e))) this.gone(e as Error);
      else setTimeout(
        () => void (this.value.phase === "ready" && this.value.cachedAt && this.compare()),
        RETRY_AFTER * (1 + Math.random()),
      );
    }
  }

  /** Ignores the answers of running loads, and stops following the room. */
  protected stop(): void {
    this.#turn++;
    this.#leftAt = this.chat.asOf;
    this.follower?.stop();
  }

  #around(id?: string, limit?: number): Promise<MessagePage> {
    if (!id) return this.#page("", limit);
    return this.#page(`&around=${encode(id)}`, limit).catch((e: unknown) => {
      if (!statusOf(e)) throw e;
      return this.#page("", limit); // the message does not exist, or is only in a thread
    });
  }

  async #page(query: string, limit = PAGE): Promise<MessagePage> {
    const page = await this.chat.http.request("GET", `${this.path}/messages?include=people&limit=${limit}${query}`);
    this.chat.people.add(page.people);
    return page;
  }

  /** Reads the room's settings and the caller's own state. */
  async info(): Promise<RoomInfo> {
    const info = await this.chat.http.request("GET", `${this.path}?include=people,count`);
    this.chat.people.add(info.people);
    return info;
  }

  /** Reads the changes after a position. It throws a RequestError. */
  async read(since: string): Promise<ChangePage> {
    const page: ChangePage = await this.chat.http.once("GET", `${this.path}/changes?limit=200&since=${encode(since)}`);
    const far = !!this.value.cachedAt && page.head - (page.items.at(-1)?.seq ?? page.head) > FAR;
    return far ? { ...page, reset: true } : page;
  }

  older(limit?: number): Promise<void> {
    return this.#more("older", limit);
  }

  newer(): Promise<void> {
    return this.#more("newer");
  }

  #last(end: End): StoredMessage | undefined {
    return this.span.messages.at(end === "older" ? 0 : -1);
  }

  /** Extends the loaded messages at an end, unless it is being extended. */
  async #more(end: End, limit?: number): Promise<void> {
    const from = this.#last(end);
    if (!this.span[ENDS[end]] || !from) return;
    await (this.#extending[end] ??= this.#extend(end, from, limit).finally(() => (this.#extending[end] = undefined)));
  }

  async #extend(end: End, from: StoredMessage, limit?: number): Promise<void> {
    const turn = this.#turn;
    const page = await this.#page(`&${end === "older" ? "before" : "after"}=${encode(from.id)}`, limit);
    if (turn !== this.#turn || this.#last(end)?.id !== from.id) return; // reloaded, or trimmed
    this.span = extend(this.span, page.items.map(m => this.mark(m)), end, !!page.next);
    this.show();
    // The page may lack changes that came before it was applied.
    const { feed } = this.follower!; // load has created it
    for (let { since } = page, last = 0; since !== feed.since && last < (feed.seq ?? 0); ) {
      const next = await this.read(since);
      if (turn !== this.#turn || !next.since) return;
      since = next.since;
      last = next.items.at(-1)?.seq ?? Infinity;
      this.put(next.items);
      this.show();
    }
  }

  trim(end: End, keep: number): void {
    const span = trim(this.span, end, keep);
    if (span === this.span) return;
    this.span = span;
    this.show();
  }

  /** Puts the messages of changes in their places within the loaded ones. */
  protected put(changes: readonly Change[]): void {
    for (const { message } of changes) if (message) this.span = put(this.span, this.mark(message), true);
  }

  /** Returns a message that says whether its sender is blocked, if that is known here. */
  protected mark(m: StoredMessage): StoredMessage {
    for (const user of [...(m.mentions ?? []), ...(m.quote ? [m.quote.user] : [])]) this.chat.people.need(user);
    return withBlocked(m, this.chat.blocked?.has(m.user));
  }
}
