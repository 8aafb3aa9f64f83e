import type { Client } from "./client.js";
import type { Change } from "./feed.js";
import { Http } from "./http.js";
import { uuid } from "./ids.js";
import type { PersonalEvent } from "./link.js";
import { Live } from "./live.js";
import { PeopleCache } from "./people.js";
import { Queue, type Delivery } from "./queue.js";
import { OpenRoom } from "./room.js";
import { RoomList } from "./rooms.js";
import { Tokens, claims } from "./tokens.js";
import type { Observable, Options, State } from "./types.js";

/** While rooms are polled, the list is loaded with each of so many polls. */
const LIST_POLLS = 5;

type Listener = (e: unknown) => void;

/** A client: creates its parts, and passes the events of one to the others. */
export class ChatClient implements Client {
  user: string;
  blocked: ReadonlySet<string> | undefined; // until they are loaded
  readonly url: string;
  readonly tokens: Tokens;
  readonly http: Http;
  readonly request;
  readonly people: PeopleCache;
  readonly rooms: RoomList;
  readonly queue: Queue;
  readonly live: Live;
  readonly state: Observable<State>;
  opened = new Map<string, OpenRoom>();
  #listeners = new Set<readonly [string, Listener]>();
  #ended = new AbortController();
  #offset = 0; // the server's clock less the machine's
  #polls = 0;

  constructor(readonly o: Options) {
    this.user = o.user ?? "";
    this.url = (o.url || location.origin).replace(/\/+$/, "");
    const end = (state: State) => this.end(state);
    this.tokens = new Tokens(o, () => this.now(), end);
    this.http = new Http(this.url, o, this.tokens, end);
    this.request = this.http.request;
    this.people = new PeopleCache(this.request);
    this.rooms = new RoomList(this.request, this.people, this);
    this.queue = new Queue(id => this.opened.get(id)?.show(), () => this.#deliver());
    this.live = new Live(this);
    this.state = this.live.state;
    this.state.subscribe(() => this.#reached());
    this.rooms.subscribe(() => this.live.ensure());
    this.people.subscribe(() => this.#renamed());
    this.#watch();
    this.#try(this.rooms.reload());
    this.#try(this.#begin());
  }

  room(id: string): OpenRoom {
    const room = this.opened.get(id) ?? new OpenRoom(id, this);
    this.opened.set(id, room);
    return room;
  }

  now(): number {
    return Date.now() + this.#offset;
  }

  on(event: "block" | "personal" | "change", fn: Listener): () => void {
    const listener = [event, fn] as const;
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.end("offline");
  }

  async signOut(): Promise<void> {
    this.end("signed-out");
    await this.queue.forget();
  }

  /** Whether the server can be reached. */
  get reachable(): boolean {
    return /online|polling/.test(this.state.value);
  }

  /** Returns a new id of a message. */
  newId(): string {
    if (!this.user) throw new Error("The user is not known.");
    return `${uuid(this.now(), crypto.getRandomValues(new Uint32Array(3)))}~${this.user}`;
  }

  /** Takes the server's time. */
  time(text: string): void {
    this.#offset = Date.parse(text) - Date.now();
  }

  /** Takes a change of a room that is followed, once. */
  changed(room: string, change: Change): void {
    this.rooms.changes(room, [change]);
    this.#tell("change", { room, ...change });
  }

  #tell(event: "block" | "personal" | "change", e: unknown): void {
    for (const [heard, fn] of this.#listeners) if (heard === event) fn(e);
  }

  /** Leaves a failure to the next connection, which tries again. */
  #try(work: Promise<void>): void {
    work.catch(() => {});
  }

  #renamed(): void {
    this.rooms.value = [...this.rooms.value];
    for (const room of this.live.followed.values()) room.show();
  }

  /** Loads the second module, which sends messages. */
  async #deliver(): Promise<Delivery> {
    if (!this.user) throw new Error("The user is not known.");
    const { Sender } = await import("./more.js");
    return new Sender(this);
  }

  /** Finds out who the caller is. */
  async #begin(): Promise<void> {
    this.user ||= claims(await this.tokens.get()).sub || (await this.request("GET", "/people/me")).user;
    this.queue.wake();
  }

  /** The server can be reached, or cannot. */
  #reached(): void {
    if (!this.reachable) return;
    for (const room of this.live.followed.values()) if (room.value.phase === "failed") this.#try(room.latest());
    if (!this.rooms.loaded) this.#try(this.rooms.reload());
    this.#try(this.#begin());
    this.#try(this.#blocks());
  }

  async #blocks(): Promise<void> {
    const { blocks } = await this.request("GET", "/people/me/blocks");
    this.#block(new Set(blocks));
  }

  #block(blocked: ReadonlySet<string>): void {
    this.blocked = blocked;
    for (const room of this.live.followed.values()) room.remark();
  }

  /** Takes an event of the caller alone. */
  personal(e: PersonalEvent): void {
    const { type, room = "", user = "", read = 0 } = e;
    this.#tell("personal", e);
    if (e.emoji || e.choices) this.#try(import("./more.js").then(m => m.chosen(this, e)));
    if (type === "mention.added") this.rooms.doubt();
    if (type === "read.changed") this.rooms.moved(room, read);
    if (type === "room.added") this.#try(this.rooms.reload());
    if (type === "room.removed") this.rooms.remove(room);
    if (type !== "block.changed") return;
    const blocked = new Set(this.blocked);
    blocked[e.blocked ? "add" : "delete"](user);
    this.#block(blocked);
    this.#tell("block", e);
    this.rooms.doubt();
  }

  /** Reads what is new over HTTP. It throws a RequestError. */
  async refresh(): Promise<void> {
    const asked = await Promise.all([...this.live.followed.values()].map(room => room.refresh()));
    if (!asked.includes(true)) await this.http.once("GET", "/people/me/rooms?limit=1");
    if (this.#polls++ % LIST_POLLS === 0) await this.rooms.reload();
  }

  /** Listens to the page, which may come back from sleep or lose its network. */
  #watch(): void {
    const { signal } = this.#ended;
    const changed = () => (globalThis.navigator?.onLine === false ? this.live.offline() : this.live.wake());
    for (const event of ["visibilitychange", "online", "offline"]) globalThis.addEventListener?.(event, changed, { signal });
  }

  /** Ends everything. */
  end(state: State): void {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort();
    this.live.finish(state);
    this.queue.close();
    this.rooms.close();
    for (const room of this.opened.values()) room.close();
  }
}
