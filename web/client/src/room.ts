import { RequestError } from "./errors.js";
import type { Change, ChangePage } from "./feed.js";
import { Follower } from "./follower.js";
import { timeOf } from "./ids.js";
import type { PeopleCache } from "./people.js";
import { Presence } from "./presence.js";
import type { Queue } from "./queue.js";
import { EMPTY, extend, firstUnread, put, trim, type Span } from "./timeline.js";
import type { Message, People, Request, Room, RoomInfo, RoomView, StoredMessage, Unsent } from "./types.js";
import { Value } from "./value.js";

/** How many messages a page has. */
const PAGE = 50;
/** A closed room keeps so many messages, for a first view when it is opened again. */
const KEPT = 100;

interface MessagePage {
  readonly messages: readonly StoredMessage[];
  readonly next?: string;
  readonly prev?: string;
  readonly people?: People;
  readonly since: string;
}

/** What a room needs of the chat. */
export interface Host {
  user: string;
  readonly request: Request;
  readonly http: { once: Request };
  readonly people: PeopleCache;
  readonly queue: Queue;
  readonly blocked: ReadonlySet<string>;
  newId(): string;
  follow(room: OpenRoom): void;
  unfollow(room: OpenRoom): void;
  typing(room: string): void;
  changed(room: string, changes: readonly Change[]): void;
  marked(room: string, read: number, unread: number): void;
  informed(info: RoomInfo): void;
}

const CLOSED: RoomView = {
  messages: [], hasOlder: false, hasNewer: false, phase: "closed", typing: [], online: [], onlineCount: 0, people: {},
};

export class OpenRoom extends Value<RoomView> implements Room {
  #span: Span = EMPTY;
  #follower: Follower | undefined;
  #seen = 0; // the number of the last change that was told
  #turn = 0; // counts the loads, so that a late answer is dropped
  #busy: { older?: Promise<void> | undefined; newer?: Promise<void> | undefined } = {};
  #unread = 0; // at the first load
  #newest = ""; // the id of the newest message then
  readonly presence = new Presence(() => this.#show());
  readonly #rows = new WeakMap<Unsent, Message>();
  readonly #path: string;

  constructor(readonly id: string, private readonly host: Host) {
    super(CLOSED);
    this.#path = `/rooms/${encodeURIComponent(id)}`;
  }

  /** Whether the room is followed. */
  get followed(): boolean {
    return this.value.phase !== "closed";
  }

  async open(around?: string): Promise<void> {
    const { phase } = this.value;
    const loaded = around ? this.#span.messages.some(m => m.id === around) : !this.#span.hasNewer;
    if (phase === "ready" && loaded) return;
    if (phase === "closed") this.host.follow(this);
    await this.#load(around);
  }

  close(): void {
    if (!this.followed) return;
    this.#turn++;
    this.#follower?.stop();
    this.presence.clear();
    this.#span = trim(this.#span, "older", KEPT);
    this.host.unfollow(this);
    this.#show({ phase: "closed" });
  }

  latest(): Promise<void> {
    return this.#span.hasNewer || this.value.phase !== "ready" ? this.#load() : Promise.resolve();
  }

  /** Loads the newest messages once more, after a failure or a reset. */
  reload(): Promise<void> {
    return this.#load();
  }

  async #load(around?: string): Promise<void> {
    const turn = ++this.#turn;
    const first = this.value.phase !== "ready";
    if (first) this.#show({ phase: "loading" });
    const follower = new Follower({
      read: since => this.#changes(since),
      take: changes => this.#take(changes),
      reset: () => void this.#load(),
      gone: () => this.gone(),
    });
    this.#follower?.stop();
    this.#follower = follower;
    this.host.follow(this);
    try {
      const [page, info] = await Promise.all([this.#page(around), first ? this.#info() : this.value.info]);
      if (turn !== this.#turn) return;
      this.#span = { messages: page.messages.map(m => this.#marked(m)).reverse(), hasOlder: !!page.next, hasNewer: !!page.prev };
      for (const m of this.host.queue.of(this.id)) if (this.#has(m.id)) this.host.queue.remove(m.id);
      if (first) {
        this.#unread = info?.me?.unread ?? 0;
        this.#newest = this.#span.messages.at(-1)?.id ?? "";
      }
      this.#show({ phase: "ready", ...(info && { info }), ...(first && this.#line()) });
      follower.start(page.since);
      void this.presence.load(this.host.request, this.id);
    } catch (e) {
      if (turn !== this.#turn) return;
      const status = e instanceof RequestError ? e.status : 0;
      this.#show({ phase: status === 404 || status === 403 ? "gone" : "failed" });
      if (!(e instanceof RequestError)) throw e;
    }
  }

  async #page(around?: string): Promise<MessagePage> {
    const ask = (query: string) =>
      this.host.request<MessagePage>("GET", `${this.#path}/messages?include=people&limit=${PAGE}${query}`);
    const page = await (around
      ? ask(`&around=${encodeURIComponent(around)}`).catch((e: unknown) => {
          if (e instanceof RequestError && (e.status === 404 || e.status === 422)) return ask("");
          throw e;
        })
      : ask(""));
    this.host.people.add(page.people);
    return page;
  }

  async #info(): Promise<RoomInfo> {
    const info = await this.host.request<RoomInfo>("GET", `${this.#path}?include=people,count`);
    this.host.people.add(info.people);
    this.host.informed(info);
    return info;
  }

  #changes(since: string): Promise<ChangePage> {
    return this.host.http.once("GET", `${this.#path}/changes?limit=200&since=${encodeURIComponent(since)}`);
  }

  older(): Promise<void> {
    return this.#more("older", this.#span.messages[0], this.#span.hasOlder);
  }

  newer(): Promise<void> {
    return this.#more("newer", this.#span.messages.at(-1), this.#span.hasNewer);
  }

  #more(end: "older" | "newer", from: StoredMessage | undefined, more: boolean): Promise<void> {
    if (!more || !from || this.value.phase !== "ready") return Promise.resolve();
    return (this.#busy[end] ??= this.#extend(end, from).finally(() => (this.#busy[end] = undefined)));
  }

  async #extend(end: "older" | "newer", from: StoredMessage): Promise<void> {
    const turn = this.#turn;
    const beside = `${end === "older" ? "before" : "after"}=${encodeURIComponent(from.id)}`;
    const path = `${this.#path}/messages?include=people&limit=${PAGE}&${beside}`;
    const page = await this.host.request<MessagePage>("GET", path);
    const at = end === "older" ? this.#span.messages[0] : this.#span.messages.at(-1);
    if (turn !== this.#turn || at?.id !== from.id) return; // loaded anew, or trimmed
    this.host.people.add(page.people);
    this.#span = extend(this.#span, page.messages.map(m => this.#marked(m)), end, !!page.next);
    this.#show(end === "older" ? this.#line() : {});
    await this.#repeat(page.since, turn);
  }

  /** Takes once more what came between a page and the position, which the page may not show. */
  async #repeat(since: string, turn: number): Promise<void> {
    const end = this.#follower?.seq;
    if (end === undefined || since === this.#follower?.since) return;
    for (let last = 0; last < end && turn === this.#turn; ) {
      const page = await this.#changes(since);
      if (page.reset || !page.since || page.since === since) return;
      this.#put(page.changes);
      since = page.since;
      last = page.changes.at(-1)?.seq ?? page.head;
    }
  }

  trim(end: "older" | "newer", keep: number): void {
    const span = trim(this.#span, end, keep);
    if (span === this.#span) return;
    this.#span = span;
    this.#show();
  }

  send(text: string, metadata?: Record<string, unknown>): string {
    const id = this.host.newId();
    this.host.queue.add({ id, room: this.id, text, ...(metadata && { metadata }), at: Date.now() });
    return id;
  }

  retry(id: string): void {
    this.host.queue.retry(id);
  }

  discard(id: string): void {
    this.host.queue.remove(id);
  }

  async edit(id: string, text: string): Promise<void> {
    this.stored(await this.host.request<StoredMessage>("PATCH", this.#message(id), { text }));
  }

  async remove(id: string): Promise<void> {
    this.stored(await this.host.request<StoredMessage>("DELETE", this.#message(id)));
  }

  #message(id: string): string {
    return `${this.#path}/messages/${encodeURIComponent(id)}`;
  }

  async markRead(id = this.#span.messages.at(-1)?.id): Promise<void> {
    if (id) await this.#mark({ message: id });
  }

  async markUnread(id: string): Promise<void> {
    await this.#mark({ unreadFrom: id });
    this.#show({ firstUnread: id });
  }

  async #mark(body: { message: string } | { unreadFrom: string }): Promise<void> {
    const { seq, unread } = await this.host.request<{ seq: number; unread: number }>("PUT", `${this.#path}/read`, body);
    this.host.marked(this.id, seq, unread);
  }

  typing(): void {
    if (this.followed && this.presence.tell(Date.now())) this.host.typing(this.id);
  }

  /** Takes a frame of changes. */
  frame(changes: readonly Change[], since: string): void {
    this.#follower?.frame(changes, since);
  }

  /** Takes the position that the server reports. */
  position(head: number, since: string): void {
    this.#follower?.position(head, since);
  }

  /** Reads the changes over HTTP, and reports whether it could ask. It throws a RequestError. */
  async poll(): Promise<boolean> {
    const asks = this.value.phase === "ready" && this.since !== undefined;
    if (asks) await this.#follower?.read();
    return asks;
  }

  /** The server can be reached again. */
  recover(): void {
    if (this.value.phase === "failed") void this.#load();
  }

  get since(): string | undefined {
    return this.#follower?.since;
  }

  /** The room is unknown, hidden or deleted. */
  gone(): void {
    this.#turn++;
    this.#follower?.stop();
    this.presence.clear();
    this.#span = EMPTY;
    this.#show({ phase: "gone" });
  }

  /** Takes a message that the server has stored. */
  stored(m: StoredMessage): void {
    this.#span = put(this.#span, this.#marked(m));
    this.#show();
  }

  /** Shows everything anew: unsent messages, names or blocks have changed. */
  refresh(blocks = false): void {
    if (blocks) this.#span = { ...this.#span, messages: this.#span.messages.map(m => this.#marked(m)) };
    if (this.followed) this.#show();
  }

  #take(changes: readonly Change[]): void {
    this.#put(changes);
    const fresh = changes.filter(c => c.seq > this.#seen);
    this.#seen = fresh.at(-1)?.seq ?? this.#seen;
    for (const c of fresh) if (c.type === "message.created" && c.message) this.presence.stops(c.message.user);
    const own = (c: Change) => c.type === "room.changed" || c.member?.user === this.host.user;
    if (fresh.some(own)) void this.#info().then(info => this.#show({ info }), () => {});
    this.host.changed(this.id, fresh);
  }

  #put(changes: readonly Change[]): void {
    for (const { message } of changes) {
      if (!message) continue;
      this.#span = put(this.#span, this.#marked(message));
      this.host.queue.remove(message.id);
      this.host.people.need(message.user);
    }
    this.#show();
  }

  #has(id: string): boolean {
    return this.#span.messages.some(m => m.id === id);
  }

  /** Returns a message that tells whether its sender is blocked. */
  #marked(m: StoredMessage): StoredMessage {
    const blocked = this.host.blocked.has(m.user);
    if (!!m.blocked === blocked) return m;
    const { blocked: _, ...rest } = m;
    return blocked ? { ...rest, blocked } : rest;
  }

  /** Returns the line above the first unread message, if it is loaded. */
  #line(): Partial<RoomView> {
    if (this.value.firstUnread) return {};
    const { messages } = this.#span;
    const id = firstUnread(messages.slice(0, messages.findIndex(m => m.id === this.#newest) + 1), this.#unread, this.host.user);
    return id ? { firstUnread: id } : {};
  }

  #row(u: Unsent): Message {
    let row = this.#rows.get(u);
    if (!row) {
      const at = new Date(timeOf(u.id)).toISOString();
      row = {
        id: u.id, room: u.room, user: this.host.user, text: u.text, ...(u.metadata && { metadata: u.metadata }),
        sentAt: at, receivedAt: at, revision: 0, status: u.error ? "failed" : "pending", ...(u.error && { error: u.error }),
      };
      this.#rows.set(u, row);
    }
    return row;
  }

  #show(patch: Partial<RoomView> = {}): void {
    const { messages, hasOlder, hasNewer } = this.#span;
    const { typing, online, onlineCount } = this.presence;
    this.value = {
      ...this.value, hasOlder, hasNewer, online, onlineCount, people: this.host.people.value,
      typing: typing.filter(user => user !== this.host.user),
      messages: [...messages, ...this.host.queue.of(this.id).map(u => this.#row(u))],
      ...patch,
    };
  }
}
