import { alters, type Change } from "./feed.js";
import type { KeptList } from "./kept.js";
import { Alarm } from "./pause.js";
import type { Caller, PeopleCache } from "./people.js";
import { order } from "./timeline.js";
import type { More, People, Request, RoomEntry, Rooms, Schemas } from "./types.js";
import { Value } from "./value.js";

/** The rooms of the first page, and the most that a request names. */
const PAGE = 50;
/** A list of at most so many rooms is loaded whole: as many as a connection follows. */
export const WHOLE = 100;
/** A load of a longer list reads so many rooms besides the first page: at 1,000 rooms it costs less than 700 units. */
const BESIDE = 14;
/** A list that may be wrong is reloaded after this time, or up to twice this time. */
const RELOAD_AFTER = 500;
/** For a second after a move of a read marker, the list may have its old place. */
const SETTLE = 2000;
/** The characters of the newest message that the list shows. */
const PREVIEW = 200;
const MAX_UNREAD = 1000;

/** Reports whether a room may have something to read. */
const isNews = ({ messages, muted }: Head): boolean => !!messages && !muted;

/** The fields of an entry that a read marker determines. */
type Marker = Pick<RoomEntry, "read" | "unread" | "mentions">;

type Head = Schemas["OwnHead"];
/** Fields of an entry that are replaced, or removed if they are undefined. */
type Fields = { [F in keyof RoomEntry]?: RoomEntry[F] | undefined };

/**
 * The caller's rooms, newest activity first. Changes update the list, or else it is reloaded. Of more than WHOLE
 * rooms it has the newest, the favorites, and those with something new.
 */
export class RoomList extends Value<readonly RoomEntry[]> implements Rooms {
  /** Hears the changes of all rooms that the connection receives, before they are applied. */
  heard: ((room: string, changes: readonly Change[]) => void) | undefined;
  loaded = false;
  cachedAt: number | undefined;
  #heads = new Map<string, number>(); // the number of each room's newest change
  #moved = new Map<string, number>(); // when the list has the moved marker of a room at the latest
  #changed = new Set<string>(); // the rooms that changed while the list was being loaded
  /** The heads of all rooms when they were last compared, in the order of the list. */
  all = new Map<string, Head>();
  #entries = new Map<string, RoomEntry>(); // by room
  #stale = new Set<string>(); // the rooms whose entries are to be loaded
  #whole = true; // whether all heads are to be compared
  /** When they were last requested. */
  comparedAt = 0;
  #loading: Promise<void> | undefined;
  readonly #alarm = new Alarm();

  constructor(
    private readonly request: Request,
    private readonly cards: PeopleCache,
    private readonly caller: Caller,
  ) {
    super([]);
  }

  get unread(): number {
    return this.value.reduce((sum, r) => sum + (r.muted ? r.mentions : r.unread), 0);
  }

  get people(): People {
    return this.cards.value;
  }

  /** Shows the list that this device kept, unless the server's is known. */
  keep({ rooms, people, blocked, at }: KeptList & { at: number }): void {
    if (this.loaded) return;
    this.caller.blocked ??= blocked;
    this.loaded = true;
    this.cachedAt = at;
    for (const r of rooms) this.#entries.set(r.id, r);
    this.#show();
    this.cards.keep(people); // shows the open rooms again, with their unread lines
  }

  /** Returns the ids of all rooms: first the list's, then the others. */
  get ids(): Iterable<string> {
    return new Set([...this.value.map(r => r.id), ...this.all.keys()]);
  }

  /** The rooms that the list does not have. */
  get #others(): Head[] {
    return [...this.all.values()].filter(h => !this.entry(h.id));
  }

  get more(): More {
    const others = this.#others;
    return { rooms: others.length, unread: others.filter(isNews).length };
  }

  /** Loads the list; once more later, if a load is running. */
  reload(): Promise<void> {
    this.#whole = true;
    return this.#reload();
  }

  #reload(): Promise<void> {
    if (this.#loading) this.#later();
    return (this.#loading ??= this.#load().finally(() => (this.#loading = undefined)));
  }

  loadMore(): Promise<void> {
    const first = this.#others.sort((a, b) => +isNews(b) - +isNews(a)).slice(0, PAGE);
    for (const { id } of first) this.#stale.add(id);
    return this.#reload();
  }

  /** Loads the list soon, or one of its rooms, because it may be wrong. */
  reloadSoon(room?: string, after = RELOAD_AFTER): void {
    if (room) this.#stale.add(room);
    else this.#whole = true;
    this.#later(after);
  }

  #later(after = RELOAD_AFTER): void {
    // After a failure, the next call or connection loads it.
    if (!this.#alarm.armed) this.#alarm.set(after * (1 + Math.random()), () => void this.#reload().catch(() => {}));
  }

  /** Loads all entries again, because they depend on more than their heads. */
  reloadAll(): void {
    for (const { id } of this.value) this.#stale.add(id);
    this.reloadSoon();
  }

  /** Compares the heads of all rooms, and loads entries that have changed. */
  async compare(): Promise<void> {
    this.comparedAt = Date.now();
    this.#compare((await this.request("GET", "/people/me/heads")).items, PAGE);
    if (this.#stale.size) await this.#reload();
  }

  close(): void {
    this.#alarm.clear();
  }

  async #load(): Promise<void> {
    const whole = this.#whole;
    this.#whole = false;
    this.#changed.clear();
    if (whole) {
      this.comparedAt = Date.now();
      const doubted = [...this.#stale];
      const { items, heads } = await this.#ask(`,heads&limit=${PAGE}`, doubted);
      const page = new Set(heads!.items.slice(0, PAGE).map(h => h.id));
      for (const id of doubted) if (!page.has(id)) this.#stale.add(id);
      this.#compare(heads!.items, BESIDE, page);
      this.loaded = true;
      this.cachedAt = undefined;
      this.#merge(items, page, id => !this.all.has(id));
    }
    const ids = [...this.#stale].slice(0, PAGE);
    if (!ids.length) return;
    const { items } = await this.#ask(`&ids=${ids.join()}`, ids);
    this.#merge(items, ids, id => ids.includes(id));
    if (this.#stale.size) this.#later();
  }

  /** Requests entries with their people, whose names are shown first. If that fails, some are still to be loaded. */
  async #ask(query: string, stale: readonly string[]) {
    for (const id of stale) this.#stale.delete(id);
    try {
      const page = await this.request("GET", `/people/me/rooms?include=people${query}`);
      this.cards.add(page.people);
      return page;
    } catch (e) {
      for (const id of stale) this.#stale.add(id);
      throw e;
    }
  }

  /**
   * Takes the heads of all rooms, and notes which entries are to be loaded: of rooms that are not
   * shown, at most some.
   */
  #compare(heads: readonly Head[], most: number, loaded?: ReadonlySet<string>): void {
    const before = this.all;
    this.all = new Map(heads.map(h => [h.id, h]));
    const news: string[] = [];
    for (const h of heads) {
      const { id, head, read } = h;
      const shown = this.entry(id);
      const known = this.#heads.get(id) ?? -1;
      this.#heads.set(id, Math.max(known, head));
      if (known > head) this.reloadSoon(id, SETTLE); // the answer is old
      if (loaded?.has(id)) continue;
      if (shown
        ? known < head || shown.read !== read || shown.favorite !== h.favorite || shown.level !== h.level
        : h.favorite || heads.length <= WHOLE) {
        this.#stale.add(id);
      } else if (!shown && isNews(h) && before.get(id)?.head !== head) news.push(id);
    }
    for (const id of news) if (this.#stale.size < most) this.#stale.add(id);
  }

  /**
   * Shows entries in place of those that are left out. Asked are the rooms of the request: only their heads show
   * direct rooms with a blocked person.
   */
  #merge(items: readonly RoomEntry[], asked: Iterable<string>, isOut: (id: string) => boolean): void {
    const next = items.map(r => this.#newer(r));
    for (const id of asked) if (!items.some(r => r.id === id)) this.all.delete(id);
    for (const id of this.#entries.keys()) if (isOut(id)) this.#entries.delete(id);
    for (const r of next) this.#entries.set(r.id, r);
    this.#show();
  }

  /** Returns an entry of the list, or the one that is shown if it is newer. It is then loaded again. */
  #newer(r: RoomEntry): RoomEntry {
    const shown = this.entry(r.id);
    const moved = shown?.read !== r.read && (this.#moved.get(r.id) ?? 0) > Date.now();
    if (!shown || !(moved || this.#changed.has(r.id))) return r;
    this.reloadSoon(r.id, SETTLE);
    return shown;
  }

  /** Sorts and shows the entries. */
  #show(): void {
    this.value =
      [...this.#entries.values()].sort((a, b) => order(b.lastActivityAt, a.lastActivityAt) || order(a.id, b.id));
  }

  /** Reports whether the person is in a room. */
  has(room: string): boolean {
    return this.all.has(room) || !!this.entry(room);
  }

  /** Returns the shown entry of a room. */
  entry(room: string): RoomEntry | undefined {
    return this.#entries.get(room);
  }

  /** Replaces fields of an entry, or loads it. */
  patch(room: string, fields: Fields = {}): void {
    const r = this.entry(room);
    if (!r) return void (this.all.has(room) && this.reloadSoon(room));
    if (this.#loading) this.#changed.add(room);
    this.#entries.set(room, { ...r, ...fields } as RoomEntry);
    this.#show();
  }

  remove(room: string): void {
    this.all.delete(room);
    this.#entries.delete(room);
    this.#show();
  }

  /**
   * Sets the read marker and the counts of a room after a device moved the marker. A list that is
   * being loaded may be older.
   */
  setMarker(room: string, marker: Marker): void {
    this.#moved.set(room, Date.now() + SETTLE);
    this.patch(room, { ...marker, addedBy: undefined });
  }

  /** Updates a room whose read marker some device has moved. */
  markerMoved(room: string, read: number): void {
    if (this.entry(room)?.read === read) return;
    if (read >= (this.#heads.get(room) ?? Infinity)) return this.setMarker(room, { read, unread: 0, mentions: 0 });
    this.#moved.delete(room);
    this.reloadSoon(room, SETTLE);
  }

  /** Returns the number of a room's newest change, as far as it is known. */
  head(room: string): number | undefined {
    return this.#heads.get(room);
  }

  /** Records the number of a room's newest change, and loads an entry that does not have it. */
  setHead(room: string, head: number): void {
    if (this.has(room) && (this.#heads.get(room) ?? head) !== head) this.reloadSoon(room);
    this.#heads.set(room, head);
  }

  /** Applies changes of a room. Repeated changes do nothing. */
  apply(room: string, changes: readonly Change[]): void {
    this.heard?.(room, changes);
    for (const c of changes) {
      const known = this.#heads.get(room) ?? c.seq - 1;
      if (c.seq <= known) continue;
      this.#heads.set(room, c.seq);
      const r = this.entry(room);
      if (c.seq > known + 1 || c.omitted || alters(c, this.caller.user) || this.#loading || (!r && this.has(room))) {
        this.reloadSoon(room);
      }
      const fields = r && this.#after(r, c);
      if (fields) this.patch(room, fields);
    }
  }

  /** Returns the fields of an entry that a change sets. */
  #after(r: RoomEntry, { type, seq, message }: Change): Partial<RoomEntry> | undefined {
    if (!message || type.endsWith("changed")) return; // its counts, or whether it is pinned
    const { id, user, receivedAt, deletedAt, text, attachments } = message;
    const others = user !== this.caller.user && !this.caller.blocked?.has(user);
    // No event reports a mention of everyone, or the end of a mention.
    const created = type.endsWith("created");
    if (others && (deletedAt || message.mentionRoom || (r.mentions && !created))) this.reloadSoon(r.id);
    if (message.kind || (message.thread && !message.showInRoom)) return;
    this.cards.need(user);
    const last = r.lastMessage;
    const lastMessage = {
      id,
      user,
      receivedAt,
      text: text.slice(0, PREVIEW),
      ...(deletedAt && { deletedAt }),
      ...(!text && attachments && { attachments }),
    };
    if (last?.id === id) return { lastMessage };
    if (!created) return;
    // The message may be counted already.
    if (last && receivedAt <= last.receivedAt) return void (others && this.reloadSoon(r.id));
    const unread = others && !deletedAt && seq > r.read ? Math.min(r.unread + 1, MAX_UNREAD) : r.unread;
    return { unread, lastMessage, lastActivityAt: receivedAt };
  }
}
