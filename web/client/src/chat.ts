import type { Change } from "./feed.js";
import { Http } from "./http.js";
import { uuids } from "./ids.js";
import type { Frame } from "./link.js";
import { Live } from "./live.js";
import { PeopleCache } from "./people.js";
import { Queue, type QueueHost } from "./queue.js";
import { OpenRoom, type Host } from "./room.js";
import { RoomList } from "./rooms.js";
import { database, leftovers } from "./storage.js";
import { Tokens, claims } from "./tokens.js";
import type { Chat, Observable, Options, Person, Request, Room, State, Storage, StoredMessage } from "./types.js";

/** While rooms are polled, the list is loaded with each of so many polls. */
const LIST_POLLS = 5;

type Listener = (e: unknown) => void;

export class ChatClient implements Chat, Host, QueueHost {
  user: string;
  storage: Storage | undefined;
  blocked: ReadonlySet<string> = new Set();
  readonly request: Request;
  readonly once: Request;
  readonly people: PeopleCache;
  readonly rooms: RoomList;
  readonly queue: Queue;
  readonly state: Observable<State>;
  readonly #tokens: Tokens;
  readonly live: Live;
  readonly #url: string;
  readonly #uuid = uuids(words => void crypto.getRandomValues(words));
  /** The name of this page's lock, which it holds until the end. */
  readonly page = this.#uuid(Date.now());
  readonly #all = new Map<string, OpenRoom>();
  readonly #listeners = { block: new Set<Listener>(), change: new Set<Listener>() };
  readonly #ended = new AbortController();
  #offset = 0; // the server's clock less the machine's
  #polls = 0;

  constructor(private readonly o: Options) {
    const { fetch = (...args) => globalThis.fetch(...args), WebSocket = globalThis.WebSocket, trace, getToken } = o;
    const url = (this.#url = (o.url || location.origin).replace(/\/+$/, ""));
    const signedOut = () => this.#end("signed-out");
    this.user = o.user ?? "";
    const now = () => this.now();
    const tokens = (this.#tokens = new Tokens(o => getToken(o), now, signedOut));
    const { request, once } = new Http({ url, fetch, trace, tokens, signedOut });
    [this.request, this.once] = [request, once];
    this.people = new PeopleCache(request);
    this.rooms = new RoomList(this);
    this.queue = new Queue(this);
    this.live = new Live({
      socket: WebSocket && o.socket === undefined ? `${url.replace("http", "ws")}/ws` : (o.socket ?? null),
      WebSocket, trace, tokens, now, rooms: this.rooms,
      poll: () => this.#poll(), time: text => this.#time(text), personal: e => this.#personal(e),
    });
    this.state = this.live.state;
    this.state.subscribe(() => this.#reached());
    this.rooms.subscribe(() => this.live.subscribe());
    this.people.subscribe(() => this.#renamed());
    this.#watch();
    globalThis.navigator?.locks?.request(this.page, () => new Promise(end => this.#ended.signal.addEventListener("abort", end)));
    this.#try(this.rooms.reload());
    this.#try(this.#begin());
  }

  room(id: string): Room {
    const room = this.#all.get(id) ?? new OpenRoom(id, this);
    this.#all.set(id, room);
    return room;
  }

  now(): number {
    return Date.now() + this.#offset;
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
    for (const { id } of (await this.storage?.all()) ?? []) await this.storage?.delete(id);
  }

  get reachable(): boolean {
    return this.state.value === "online" || this.state.value === "polling";
  }

  newId(serverTime?: string): string {
    if (!this.user) throw new Error("The user is not known yet: give it to connect.");
    if (serverTime) this.#time(serverTime);
    return `${this.#uuid(this.now())}~${this.user}`;
  }

  changed(room: string, change: Change): void {
    this.rooms.changes(room, [change]);
    this.#tell("change", { room, ...change });
  }

  stored(m: StoredMessage): void {
    this.#all.get(m.room)?.stored(m);
  }

  unsent(room: string): void {
    this.#all.get(room)?.show();
  }

  #tell(event: "block" | "change", e: unknown): void {
    for (const fn of [...this.#listeners[event]]) fn(e);
  }

  /** Leaves a failure to the next connection, which tries again. */
  #try(work: Promise<void>): void {
    work.catch(() => {});
  }

  #renamed(): void {
    this.rooms.value = [...this.rooms.value];
    for (const room of this.live.followed.values()) room.show();
  }

  #time(text: string): void {
    this.#offset = Date.parse(text) - Date.now();
  }

  /** Finds out who the caller is, and what they have not sent. */
  async #begin(): Promise<void> {
    this.user ||= claims(await this.#tokens.get()).sub || (await this.request<Person>("GET", "/people/me")).user;
    this.storage ??= this.o.storage ?? (globalThis.indexedDB && database(`parley ${this.#url} ${this.user}`));
    if (!this.storage) return;
    for (const m of await leftovers(this.storage, this.page)) this.queue.add(m);
  }

  /** The server can be reached, or cannot. */
  #reached(): void {
    if (!this.reachable) return;
    this.queue.wake();
    for (const room of this.live.followed.values()) if (room.value.phase === "failed") this.#try(room.latest());
    if (!this.rooms.loaded) this.#try(this.rooms.reload());
    this.#try(this.#begin());
    this.#try(this.#blocks());
  }

  async #blocks(): Promise<void> {
    const { blocks } = await this.request<{ blocks: string[] }>("GET", "/people/me/blocks");
    this.#block(new Set(blocks));
  }

  #block(blocked: ReadonlySet<string>): void {
    this.blocked = blocked;
    for (const room of this.live.followed.values()) room.remark();
  }

  #personal(e: NonNullable<Frame["event"]>): void {
    const { type, room = "", user = "", read = 0 } = e;
    if (type === "read.changed") this.rooms.moved(room, read);
    if (type === "room.added") this.#try(this.rooms.reload());
    if (type === "room.removed") this.rooms.remove(room);
    if (type !== "block.changed") return;
    const blocked = new Set(this.blocked);
    if (e.blocked) blocked.add(user);
    else blocked.delete(user);
    this.#block(blocked);
    this.#tell("block", e);
    this.rooms.doubt();
  }

  async #poll(): Promise<void> {
    const asked = await Promise.all([...this.live.followed.values()].map(room => room.poll()));
    if (!asked.includes(true)) await this.once("GET", "/people/me/rooms?limit=1");
    if (this.#polls++ % LIST_POLLS === 0) await this.rooms.reload();
  }

  /** Listens to the page, which may come back from sleep or lose its network. */
  #watch(): void {
    const { signal } = this.#ended;
    const live = this.live;
    const visible = () => document.visibilityState === "visible" && live.wake();
    globalThis.document?.addEventListener("visibilitychange", visible, { signal });
    globalThis.addEventListener?.("online", () => live.wake(), { signal });
    globalThis.addEventListener?.("offline", () => live.offline(), { signal });
  }

  #end(state: State): void {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort();
    this.live.end(state);
    this.queue.close();
    this.rooms.close();
    for (const room of this.#all.values()) room.close();
  }
}
