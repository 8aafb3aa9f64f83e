import { encode } from "./ids.js";
import { alters, type Change } from "./feed.js";
import type { KeptList } from "./kept.js";
import { Alarm } from "./pause.js";
import type { Caller, PeopleCache } from "./people.js";
import { order } from "./timeline.js";
import type { People, Request, RoomEntry, Rooms } from "./types.js";
import { Value } from "./value.js";

/** The most rooms of a page. */
const PAGE = 100;
/** A list that may be wrong is reloaded after this time, or up to twice this time. */
const RELOAD_AFTER = 500;
/** For a second after a move of a read marker, the list may have its old place. */
const SETTLE = 2000;
/** The characters of the newest message that the list shows. */
const PREVIEW = 200;
const MAX_UNREAD = 1000;

/** The fields of an entry that a read marker determines. */
type Marker = Pick<RoomEntry, "read" | "unread" | "mentions">;

/** The caller's rooms, newest activity first. Changes update the list, or else it is reloaded. */
export class RoomList extends Value<readonly RoomEntry[]> implements Rooms {
  loaded = false;
  cachedAt: number | undefined;
  #heads = new Map<string, number>(); // the number of each room's newest change
  #moved = new Map<string, number>(); // when the list has the moved marker of a room at the latest
  #changed = new Set<string>(); // the rooms that changed while the list was being loaded
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
    this.#show([...rooms]);
    this.cards.keep(people); // shows the open rooms again, with their unread lines
  }

  /** Loads the list; once more later, if a load is running. */
  reload(): Promise<void> {
    if (this.#loading) this.reloadSoon();
    return (this.#loading ??= this.#load().finally(() => (this.#loading = undefined)));
  }

  /** Loads the list soon, because it may be wrong. */
  reloadSoon(after = RELOAD_AFTER): void {
    // After a failure, the next call or connection loads it.
    if (!this.#alarm.armed) this.#alarm.set(after * (1 + Math.random()), () => void this.reload().catch(() => {}));
  }

  close(): void {
    this.#alarm.clear();
  }

  async #load(): Promise<void> {
    const all = new Map<string, RoomEntry>();
    this.#changed.clear();
    let cursor = "";
    do {
      const page = await this.request("GET", `/people/me/rooms?include=people&limit=${PAGE}${cursor && `&cursor=${encode(cursor)}`}`);
      for (const r of page.items) all.set(r.id, r);
      this.cards.add(page.people);
      cursor = page.next ?? "";
    } while (cursor);
    this.loaded = true;
    this.cachedAt = undefined;
    this.#show([...all.values()].map(r => this.#newer(r)));
  }

  /** Returns an entry of the list, or the one that is shown if it is newer. The list is then loaded again. */
  #newer(r: RoomEntry): RoomEntry {
    const shown = this.entry(r.id);
    const moved = shown?.read !== r.read && (this.#moved.get(r.id) ?? 0) > Date.now();
    if (!shown || !(moved || this.#changed.has(r.id))) return r;
    this.reloadSoon(SETTLE);
    return shown;
  }

  /** Sorts and shows entries. */
  #show(rooms: RoomEntry[]): void {
    this.value = rooms.sort((a, b) => order(b.lastActivityAt, a.lastActivityAt) || order(a.id, b.id));
  }

  /** Returns the shown entry of a room. */
  entry(room: string): RoomEntry | undefined {
    return this.value.find(r => r.id === room);
  }

  /** Replaces fields of an entry. */
  patch(room: string, fields: Partial<RoomEntry>): void {
    if (this.#loading) this.#changed.add(room);
    this.#show(this.value.map(r => (r.id === room ? { ...r, ...fields } : r)));
  }

  remove(room: string): void {
    this.#show(this.value.filter(r => r.id !== room));
  }

  /** Sets the read marker and the counts of a room after a device moved the marker. A list that is being loaded may be older. */
  setMarker(room: string, marker: Marker): void {
    this.#moved.set(room, Date.now() + SETTLE);
    this.patch(room, marker);
  }

  /** Updates a room whose read marker some device has moved. */
  markerMoved(room: string, read: number): void {
    if (this.entry(room)?.read === read) return;
    if (read >= (this.#heads.get(room) ?? Infinity)) return this.setMarker(room, { read, unread: 0, mentions: 0 });
    this.#moved.delete(room);
    this.reloadSoon(SETTLE);
  }

  /** Returns the number of a room's newest change, as far as it is known. */
  head(room: string): number | undefined {
    return this.#heads.get(room);
  }

  /** Records the number of a room's newest change, and reloads a list that does not have it. */
  setHead(room: string, head: number): void {
    if (this.#heads.get(room) !== head) this.reloadSoon();
    this.#heads.set(room, head);
  }

  /** Applies changes of a room. Repeated changes do nothing. */
  apply(room: string, changes: readonly Change[]): void {
    for (const c of changes) {
      const known = this.#heads.get(room) ?? c.seq - 1;
      if (c.seq <= known) continue;
      this.#heads.set(room, c.seq);
      if (c.seq > known + 1 || c.omitted || alters(c, this.caller.user) || this.#loading) this.reloadSoon();
      const r = this.entry(room);
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
    if (others && (deletedAt || message.mentionRoom || (r.mentions && !created))) this.reloadSoon();
    if (message.thread && !message.showInRoom) return;
    this.cards.need(user);
    const last = r.lastMessage;
    const lastMessage = { id, user, receivedAt, text: text.slice(0, PREVIEW), ...(deletedAt && { deletedAt }), ...(!text && attachments && { attachments }) };
    if (last?.id === id) return { lastMessage };
    if (!created) return;
    // The message may be counted already.
    if (last && receivedAt <= last.receivedAt) {
      if (others) this.reloadSoon();
      return;
    }
    const unread = others && !deletedAt && seq > r.read ? Math.min(r.unread + 1, MAX_UNREAD) : r.unread;
    return { unread, lastMessage, lastActivityAt: receivedAt };
  }
}
