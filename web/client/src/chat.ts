import { Acts, type Delivery } from "./acts.js";
import type { Client } from "./client.js";
import type { Change } from "./feed.js";
import { Http } from "./http.js";
import { Kept } from "./kept.js";
import { uuid } from "./ids.js";
import { Live } from "./live.js";
import { PeopleCache } from "./people.js";
import { OpenRoom, type Late } from "./room.js";
import { RoomList, WHOLE } from "./rooms.js";
import { Tokens, claims } from "./tokens.js";
import type { Options } from "./options.js";
import { Value } from "./value.js";
import type {
  Act, Events, Links, Notices, Observable, PersonalEvent, SearchOptions, SearchResult, Sending, State,
} from "./types.js";

/** While the client polls, every fifth poll also loads a room list that is whole. */
const LIST_POLLS = 5;

type Listener = (e: unknown) => void;

/** A client: it creates the parts, and passes events from one to the others. */
export class ChatClient implements Client {
  user: string;
  blocked: ReadonlySet<string> | undefined;
  readonly url: string;
  readonly tokens: Tokens;
  readonly http: Http;
  readonly request;
  readonly people: PeopleCache;
  readonly rooms: RoomList;
  readonly acts: Acts;
  readonly kept: Kept;
  readonly live: Live;
  readonly identified: Promise<void>;
  readonly state: Observable<State>;
  readonly error = new Value<Error | undefined>(undefined);
  opened = new Map<string, OpenRoom>();
  #listeners = new Set<readonly [string, Listener]>();
  readonly #ending = new AbortController();
  readonly ended = this.#ending.signal;
  #offset = 0; // the server's clock minus the machine's, in milliseconds
  #polls = 0;
  #wasReachable = false;
  #lostAt = Date.now(); // the end of the last connection

  constructor(readonly options: Options) {
    this.user = options.user ?? "";
    this.url = (options.url || location.origin).replace(/\/+$/, "");
    const end = (state: State) => this.end(state);
    this.tokens = new Tokens(options, () => this.now(), end, e => this.report(e));
    this.http = new Http(this.url, options, this.tokens, end);
    this.request = this.http.request;
    this.people = new PeopleCache(this.request);
    this.rooms = new RoomList(this.request, this.people, this);
    this.acts = new Acts(id => this.opened.get(id)?.show(), () => this.#deliver());
    this.identified = this.#identify();
    this.kept = new Kept(this, (database, epoch) => import("./cache.js").then(m => m.begin(this, database, epoch)));
    this.live = new Live(this);
    this.state = this.live.state;
    this.state.subscribe(() => this.#stateChanged());
    this.rooms.subscribe(() => {
      for (const room of this.opened.values()) room.relist();
      this.live.ensure();
      this.kept.soon();
    });
    this.people.subscribe(() => this.#showNames());
    this.#watchPage();
    this.#background(this.rooms.reload());
    void this.kept.list().then(list => list && this.rooms.keep(list));
    this.#background(this.identified);
  }

  room(id: string): OpenRoom {
    let room = this.opened.get(id);
    if (!room) {
      this.opened.set(id, (room = new OpenRoom(id, this)));
      room.subscribe(() => this.kept.soon());
    }
    return room;
  }

  now(): number {
    return Date.now() + this.#offset;
  }

  on<E extends keyof Events>(event: E, fn: (e: Events[E]) => void): () => void {
    const listener = [event, fn as Listener] as const;
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async unsent(): Promise<Observable<readonly Act[]>> {
    await (this.acts.delivery?.read() ?? this.acts.load());
    return this.acts;
  }

  late<F extends keyof Late>(name: F, ...args: Parameters<Late[F]>): Promise<Awaited<ReturnType<Late[F]>>> {
    return import("./more.js").then(m => (m[name] as (chat: Client, ...args: unknown[]) => never)(this, ...args));
  }

  files(): Promise<Links> {
    return import("./files.js").then(m => m.linksOf(this));
  }

  notices(): Promise<Notices> {
    return import("./notices.js").then(m => m.noticesOf(this));
  }

  async *search(query: string, options?: SearchOptions): AsyncGenerator<SearchResult> {
    yield* (await import("./search.js")).results(this, query, options);
  }

  watch(id: string, report: NonNullable<Sending["onProgress"]>): void {
    this.#background(import("./files.js").then(m => m.watch(this.acts, id, report)));
  }

  close(): void {
    this.end("offline");
  }

  async signOut(): Promise<void> {
    this.acts.delivery?.leave();
    this.end("signed-out");
    await this.#forget();
  }

  /** Removes all that the device keeps of the person. */
  async #forget(): Promise<void> {
    await this.kept.clear(true);
    await import("./more.js").then(m => m.forget(this));
  }

  /** Shows why the server cannot be reached, or that it can be. */
  report(e?: unknown): void {
    this.error.value = e as Error | undefined;
  }

  /** Reports whether the server can be reached. */
  get reachable(): boolean {
    return /online|polling/.test(this.state.value);
  }

  get asOf(): number {
    return this.reachable ? Date.now() : this.#lostAt;
  }

  /** Returns a new message id. */
  newId(): string {
    if (!this.user) throw new Error("The user is not known.");
    return `${uuid(this.now(), crypto.getRandomValues(new Uint32Array(3)))}~${this.user}`;
  }

  /** Sets the clock to the server's time. */
  setTime(text: string): void {
    this.#offset = Date.parse(text) - Date.now();
  }

  /** Handles a change of a followed room. It is called once for each change. */
  handleChange(room: string, change: Change): void {
    this.rooms.apply(room, [change]);
    this.emit("change", { ...change, room });
  }

  emit<E extends keyof Events>(event: E, e: Events[E]): void {
    for (const [type, fn] of this.#listeners) if (type === event) fn(e);
  }

  /** Does work whose failure needs no handling: the next connection repeats it. */
  #background(work: Promise<void>): void {
    work.catch(() => {});
  }

  #showNames(): void {
    this.rooms.value = [...this.rooms.value];
    this.live.show();
  }

  /** Loads the second module, which sends messages. */
  async #deliver(): Promise<Delivery> {
    if (!this.user) throw new Error("The user is not known.");
    return import("./more.js").then(m => m.deliveryOf(this));
  }

  /** Determines the caller's user id, and then sends what was not sent. */
  async #identify(): Promise<void> {
    this.user ||= claims(await this.tokens.get()).sub || (await this.request("GET", "/people/me")).user;
    this.acts.wake();
  }

  /** Catches up with the server once it can be reached. */
  #stateChanged(): void {
    if (this.#wasReachable && !this.reachable) this.#lostAt = Date.now();
    this.live.show();
    if (!(this.#wasReachable = this.reachable)) return;
    this.report();
    for (const room of this.live.followed.values()) {
      if (room.value.phase === "failed") this.#background(room.latest());
      else if (room.value.cachedAt) this.#background(room.compare());
    }
    if (!this.rooms.loaded || this.rooms.cachedAt) this.#background(this.rooms.reload());
    this.#background(this.#identify());
    this.#background(this.#loadBlocked());
  }

  async #loadBlocked(): Promise<void> {
    const { items } = await this.request("GET", "/people/me/blocks");
    this.#setBlocked(new Set(items.map(b => b.user)));
  }

  #setBlocked(blocked: ReadonlySet<string>): void {
    this.blocked = blocked;
    for (const room of this.live.followed.values()) room.markAll();
  }

  /** Handles that a person came to a room of the connection, or left it. */
  handlePresence(e: Events["presence"]): void {
    this.emit("presence", e);
  }

  /** Handles an event that only the caller receives. */
  handlePersonal(e: PersonalEvent): void {
    const { type, room = "", user = "", read = 0 } = e;
    this.emit("personal", e);
    if (e.emoji || e.choices) this.#background(import("./more.js").then(m => m.chosen(this, e)));
    // a mention, a room, or a message in a direct room; or its level changed
    if (/added|pref/.test(type)) this.rooms.reloadSoon(room);
    if (type === "read.changed") this.rooms.markerMoved(room, read);
    if (type === "room.removed") this.rooms.remove(room);
    if (type !== "block.changed") return;
    const blocked = new Set(this.blocked);
    blocked[e.blocked ? "add" : "delete"](user);
    this.#setBlocked(blocked);
    this.emit("block", e);
    this.rooms.reloadAll();
  }

  /** Reads new changes over HTTP. It throws a RequestError. */
  async refresh(): Promise<void> {
    const read = await Promise.all([...this.live.followed.values()].map(room => room.refresh()));
    if (!read.includes(true)) await this.http.once("GET", "/people/me");
    if (this.#polls++ % LIST_POLLS === 0 && this.rooms.all.size <= WHOLE) await this.rooms.reload();
  }

  /** Watches the page: somebody may look at it again, and it may lose its network. */
  #watchPage(): void {
    const signal = this.ended;
    const changed = ({ type, persisted }: Event & { readonly persisted?: boolean }) => {
      this.kept.writer?.write();
      if (persisted === false) return; // the page is loaded, and shown for the first time
      if (globalThis.navigator?.onLine === false) this.live.offline();
      else if (type === "online" || globalThis.document?.visibilityState !== "hidden") this.live.wake();
    };
    for (const event of ["visibilitychange", "focus", "pageshow", "online", "offline"]) {
      globalThis.addEventListener?.(event, changed, { signal });
    }
  }

  /** Ends the client in a state. */
  end(state: State): void {
    if (this.ended.aborted) return;
    this.#ending.abort();
    this.live.finish(state);
    this.acts.close();
    this.rooms.close();
    if (state === "offline") this.kept.close();
    else this.#background(state === "suspended" ? this.#forget() : this.kept.clear(false));
    for (const room of this.opened.values()) room.end();
  }
}
