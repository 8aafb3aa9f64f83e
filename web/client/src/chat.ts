import type { Change } from "./feed.js";
import { Http } from "./http.js";
import { uuids } from "./ids.js";
import type { Frame } from "./link.js";
import { Live } from "./live.js";
import { PeopleCache } from "./people.js";
import { Queue } from "./queue.js";
import { OpenRoom, type Host } from "./room.js";
import { RoomList } from "./rooms.js";
import { database } from "./storage.js";
import { Tokens, claims } from "./tokens.js";
import type { Chat, Observable, Options, Person, Room, RoomInfo, State, Storage } from "./types.js";

/** While rooms are polled, the list is loaded with each of so many polls. */
const LIST_POLLS = 5;
/** The header Date has whole seconds: a greater difference is the clock's. */
const COARSE = 2000;

type Listener = (e: unknown) => void;

export class ChatClient implements Chat, Host {
  user: string;
  readonly people: PeopleCache;
  readonly rooms: RoomList;
  readonly queue: Queue;
  readonly state: Observable<State>;
  readonly http: Http;
  readonly request;
  blocked: ReadonlySet<string> = new Set();
  readonly #tokens: Tokens;
  readonly #live: Live;
  readonly #url: string;
  #storage: Storage | undefined;
  readonly #uuid = uuids(bytes => void crypto.getRandomValues(bytes));
  #offset: number | undefined; // the server's clock less the machine's
  readonly #all = new Map<string, OpenRoom>();
  readonly #followed = new Map<string, OpenRoom>();
  readonly #listeners = { block: new Set<Listener>(), change: new Set<Listener>() };
  readonly #page: string = crypto.randomUUID();
  #release = () => {};
  #polls = 0;
  #closed = false;

  constructor(private readonly o: Options) {
    this.user = o.user ?? "";
    this.#url = (o.url || globalThis.location?.origin).replace(/\/+$/, "");
    const trace = o.trace ?? (() => {});
    const signedOut = () => this.#end("signed-out");
    this.#tokens = new Tokens(o.getToken, () => (this.#offset === undefined ? undefined : this.now()), signedOut);
    this.http = new Http({
      url: this.#url, trace, signedOut, tokens: this.#tokens, closed: () => this.#closed, date: ms => this.#date(ms),
      fetch: o.fetch ?? globalThis.fetch.bind(globalThis),
    });
    this.request = this.http.request;
    this.people = new PeopleCache(this.request);
    this.rooms = new RoomList({
      request: this.request, people: this.people, user: () => this.user, blocked: user => this.blocked.has(user),
    });
    this.queue = new Queue({
      storage: () => this.#storage,
      post: ({ id, room, text, metadata }) =>
        this.http.once("POST", `/rooms/${encodeURIComponent(room)}/messages`, { id, text, ...(metadata && { metadata }) }),
      newId: serverTime => this.newId(serverTime),
      ready: () => this.state.value === "online" || this.state.value === "polling",
      changed: room => this.#all.get(room)?.refresh(),
      stored: m => this.#all.get(m.room)?.stored(m),
    });
    const WebSocket = o.WebSocket ?? globalThis.WebSocket;
    this.#live = new Live({
      socket: o.socket === undefined && WebSocket ? `${this.#url.replace(/^http/, "ws")}/ws` : (o.socket ?? null),
      WebSocket, trace, tokens: this.#tokens, now: () => this.now(), poll: () => this.#poll(),
      rooms: this.rooms, followed: this.#followed, time: text => this.#time(text), personal: e => this.#personal(e),
    });
    this.state = this.#live.session.state;
    this.state.subscribe(() => this.#reached());
    this.rooms.subscribe(() => this.#live.subscribe());
    this.people.subscribe(() => this.#renamed());
    this.#watch(true);
    void this.rooms.reload().catch(() => {});
    void this.#begin().catch(() => {});
  }

  room(id: string): Room {
    let room = this.#all.get(id);
    if (!room) this.#all.set(id, (room = new OpenRoom(id, this)));
    return room;
  }

  now(): number {
    return Date.now() + (this.#offset ?? 0);
  }

  on(event: "block" | "change", fn: Listener): () => void {
    this.#listeners[event].add(fn);
    return () => void this.#listeners[event].delete(fn);
  }

  close(): void {
    this.#end("offline");
  }

  async signOut(): Promise<void> {
    this.#end("signed-out");
    for (const m of (await this.#storage?.all()) ?? []) await this.#storage?.delete(m.id);
  }

  newId(serverTime?: string): string {
    if (!this.user) throw new Error("The user is not known yet: give it to connect.");
    if (serverTime) this.#time(serverTime);
    return `${this.#uuid(this.now())}~${this.user}`;
  }

  follow(room: OpenRoom): void {
    this.#followed.set(room.id, room);
    this.#live.follow(room);
  }

  unfollow(room: OpenRoom): void {
    this.#followed.delete(room.id);
    this.#live.unfollow(room.id);
  }

  typing(room: string): void {
    this.#live.session.send("typing", { room });
  }

  changed(room: string, changes: readonly Change[]): void {
    this.rooms.changes(room, changes);
    for (const change of changes) this.#tell("change", { room, ...change });
  }

  marked(room: string, read: number, unread: number): void {
    this.rooms.marked(room, read, unread);
  }

  informed({ id, name, topic }: RoomInfo): void {
    const r = this.rooms.entry(id);
    if (r && (r.name !== name || r.topic !== topic)) this.rooms.patch(id, { name, topic });
  }

  #tell(event: "block" | "change", e: unknown): void {
    for (const fn of [...this.#listeners[event]]) fn(e);
  }

  #renamed(): void {
    this.rooms.value = [...this.rooms.value];
    for (const room of this.#followed.values()) room.refresh();
  }

  #time(text: string): void {
    this.#offset = Date.parse(text) - Date.now();
  }

  #date(ms: number): void {
    if (this.#offset === undefined || Math.abs(ms - this.now()) > COARSE) this.#offset = ms - Date.now();
  }

  /** Finds out who the caller is, and what they have not sent. */
  async #begin(): Promise<void> {
    this.user ||= claims(await this.#tokens.get()).sub ?? (await this.request<Person>("GET", "/people/me")).user;
    if (this.#storage || this.#closed) return;
    this.#storage = this.o.storage ?? (globalThis.indexedDB && database(`parley ${this.#url} ${this.user}`));
    void globalThis.navigator?.locks?.request(this.#page, () => new Promise<void>(resolve => (this.#release = resolve)));
    await this.#adopt();
  }

  /** Takes over the unsent messages of pages that are closed. */
  async #adopt(): Promise<void> {
    const storage = this.#storage;
    const locks = globalThis.navigator?.locks;
    const take = async (pages = new Set<string | undefined>()) => {
      const all = (await storage?.all()) ?? [];
      const left = all.filter(m => !pages.has(m.page)).sort((a, b) => a.at - b.at);
      if (!this.#closed) this.queue.add(...left.map(m => ({ ...m, page: this.#page })));
    };
    if (!locks) return take();
    await locks.request(`parley ${this.#url}`, async () => take(new Set((await locks.query()).held?.map(l => l.name))));
  }

  /** The server can be reached again, or not. */
  #reached(): void {
    if (!["online", "polling"].includes(this.state.value)) return;
    this.queue.wake();
    for (const room of this.#followed.values()) room.recover();
    if (!this.rooms.loaded) void this.rooms.reload().catch(() => {});
    void this.#begin().catch(() => {});
    void this.#blocks().catch(() => {});
  }

  async #blocks(): Promise<void> {
    const { blocks } = await this.request<{ blocks: string[] }>("GET", "/people/me/blocks");
    this.#block(new Set(blocks));
  }

  #block(blocked: ReadonlySet<string>): void {
    this.blocked = blocked;
    for (const room of this.#all.values()) room.refresh(true);
  }

  #personal(e: NonNullable<Frame["event"]>): void {
    const { type, room = "", user = "" } = e;
    if (type === "read.changed") this.rooms.moved(room, e.read ?? 0);
    if (type === "room.added") void this.rooms.reload().catch(() => {});
    if (type === "room.removed") {
      this.rooms.remove(room);
      this.rooms.doubt();
    }
    if (type === "block.changed") {
      const others = [...this.blocked].filter(other => other !== user);
      this.#block(new Set(e.blocked ? [...others, user] : others));
      this.#tell("block", e);
      this.rooms.doubt();
    }
  }

  async #poll(): Promise<void> {
    const asked = await Promise.all([...this.#followed.values()].map(room => room.poll()));
    if (!asked.includes(true)) await this.http.once("GET", "/people/me/rooms?limit=1");
    if (this.#polls++ % LIST_POLLS === 0) await this.rooms.reload();
  }

  readonly #visible = () => {
    if (document.visibilityState === "visible") this.#live.session.wake();
  };
  readonly #online = () => this.#live.session.wake();
  readonly #offline = () => this.#live.session.offline();

  #watch(on: boolean): void {
    const change = on ? "addEventListener" : "removeEventListener";
    globalThis.document?.[change]("visibilitychange", this.#visible);
    globalThis[change]?.("online", this.#online);
    globalThis[change]?.("offline", this.#offline);
  }

  #end(state: State): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#watch(false);
    this.#live.end();
    this.#live.session.end(state);
    this.queue.close();
    this.rooms.close();
    for (const room of this.#all.values()) room.close();
    this.#release();
  }
}
