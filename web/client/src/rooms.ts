import { encode } from "./ids.js";
import { alters, type Change } from "./feed.js";
import { Alarm } from "./pause.js";
import type { Caller, PeopleCache } from "./people.js";
import type { People, Request, RoomEntry, Rooms } from "./types.js";
import { Value } from "./value.js";

/** The most rooms of an answer. */
const PAGE = 100;
/** A list that may be wrong is loaded again after this time and up to as much more, at random. */
const RELOAD_AFTER = 500;
/** A read marker may show in its former place for a second after it was moved. */
const SETTLE = 2000;
/** The list shows so much of the newest message. */
const PREVIEW = 200;
const MAX_UNREAD = 1000;

/** The caller's rooms, newest activity first. Changes update it; where they cannot, it is loaded. */
export class RoomList extends Value<readonly RoomEntry[]> implements Rooms {
  loaded = false;
  #seqs = new Map<string, number>(); // the number of the last change of each room
  #marks = new Map<string, { read: number; unread: number; until: number }>();
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
    return this.value.reduce((sum, r) => sum + r.unread, 0);
  }

  get people(): People {
    return this.cards.value;
  }

  /** Loads the list, and once more if it is being loaded. */
  reload(): Promise<void> {
    if (this.#loading) this.doubt();
    return (this.#loading ??= this.#load().finally(() => (this.#loading = undefined)));
  }

  /** Loads the list soon, because it may be wrong. */
  doubt(after = RELOAD_AFTER): void {
    // The next doubt, or connection, loads it if this fails.
    if (!this.#alarm.armed) this.#alarm.set(after * (1 + Math.random()), () => void this.reload().catch(() => {}));
  }

  close(): void {
    this.#alarm.clear();
  }

  async #load(): Promise<void> {
    const all = new Map<string, RoomEntry>();
    let cursor = "";
    do {
      const page = await this.request("GET", `/people/me/rooms?include=people&limit=${PAGE}${cursor && `&cursor=${encode(cursor)}`}`);
      for (const r of page.rooms) all.set(r.id, this.#marked(r));
      this.cards.add(page.people);
      cursor = page.next ?? "";
    } while (cursor);
    this.loaded = true;
    this.#show([...all.values()]);
  }

  /** Returns an entry with the read marker that was just moved. */
  #marked(r: RoomEntry): RoomEntry {
    const mark = this.#marks.get(r.id);
    if (!mark || mark.read === r.read || mark.until < Date.now()) return r;
    this.doubt(SETTLE); // the count is of then, too
    return { ...r, read: mark.read, unread: mark.unread };
  }

  #show(rooms: RoomEntry[]): void {
    const before = (a: RoomEntry, b: RoomEntry) => a.lastActivityAt > b.lastActivityAt || a.lastActivityAt === b.lastActivityAt && a.id < b.id;
    this.value = rooms.sort((a, b) => (before(a, b) ? -1 : 1));
  }

  /** Replaces fields of an entry. */
  patch(room: string, fields: Partial<RoomEntry>): void {
    this.#show(this.value.map(r => (r.id === room ? { ...r, ...fields } : r)));
  }

  remove(room: string): void {
    this.#show(this.value.filter(r => r.id !== room));
  }

  /** Takes the answer to a move of the read marker. */
  marked(room: string, read: number, unread: number): void {
    this.#marks.set(room, { read, unread, until: Date.now() + SETTLE });
    this.patch(room, { read, unread });
  }

  /** Takes the news that some device has moved the read marker. */
  moved(room: string, read: number): void {
    if (this.value.find(r => r.id === room)?.read === read) return;
    this.#marks.delete(room);
    if (read >= (this.#seqs.get(room) ?? Infinity)) this.patch(room, { read, unread: 0 });
    else this.doubt(SETTLE);
  }

  /** Takes the head of a room. */
  position(room: string, head: number): void {
    if (this.#seqs.get(room) !== head) this.doubt();
    this.#seqs.set(room, head);
  }

  /** Takes changes of a room, any number of times. */
  changes(room: string, changes: readonly Change[]): void {
    for (const c of changes) {
      const known = this.#seqs.get(room) ?? c.seq - 1;
      if (c.seq <= known) continue;
      this.#seqs.set(room, c.seq);
      if (c.seq > known + 1 || c.omitted || alters(c, this.caller.user) || this.#loading) this.doubt();
      const r = this.value.find(r => r.id === room);
      const next = r && this.#after(r, c);
      if (next !== r && next) this.#show(this.value.map(other => (other === r ? next : other)));
    }
  }

  /** Returns an entry after a change. */
  #after(r: RoomEntry, { type, seq, message }: Change): RoomEntry {
    if (!message || (message.thread && !message.showInRoom)) return r;
    const { id, user, receivedAt, deletedAt, text } = message;
    this.cards.need(user);
    const last = r.lastMessage;
    const others = user !== this.caller.user && !this.caller.blocked?.has(user);
    const lastMessage = { id, user, receivedAt, text: text.slice(0, PREVIEW), ...(deletedAt && { deletedAt }) };
    if (others && type === "message.deleted") this.doubt();
    if (last?.id === id) return { ...r, lastMessage };
    if (!type.endsWith("created")) return r;
    // It may be counted already.
    if (last && receivedAt <= last.receivedAt) {
      if (others) this.doubt();
      return r;
    }
    const unread = others && !deletedAt && seq > r.read ? Math.min(r.unread + 1, MAX_UNREAD) : r.unread;
    return { ...r, unread, lastMessage, lastActivityAt: receivedAt };
  }
}
