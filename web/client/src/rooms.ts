import type { Change } from "./feed.js";
import type { PeopleCache } from "./people.js";
import type { People, Request, RoomEntry, Rooms } from "./types.js";
import { Value } from "./value.js";

/** The list has a room in each of so many entries of an answer. */
const PAGE = 100;
/** A list that may be wrong is loaded again after this time and up to as much more, at random. */
const RELOAD_AFTER = 500;
/** A read marker may show in its former place for a second after it was moved. */
const SETTLE = 2000;
/** A list shows so much of the newest message. */
const PREVIEW = 200;
const MAX_UNREAD = 1000;

interface Page {
  readonly rooms: readonly RoomEntry[];
  readonly people?: People;
  readonly next?: string;
}

export interface RoomListOptions {
  request: Request;
  people: PeopleCache;
  user: () => string;
  blocked: (user: string) => boolean;
}

/** The caller's rooms, newest activity first. Changes update it; where they cannot, it is loaded. */
export class RoomList extends Value<readonly RoomEntry[]> implements Rooms {
  loaded = false;
  #seqs = new Map<string, number>();
  #marks = new Map<string, { read: number; unread: number; until: number }>();
  #loading: Promise<void> | undefined;
  #again = false;
  #late: [string, Change][] = []; // that have come while the list was being loaded
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly o: RoomListOptions) {
    super([]);
  }

  get unread(): number {
    return this.value.reduce((sum, r) => sum + r.unread, 0);
  }

  get people(): People {
    return this.o.people.value;
  }

  entry(room: string): RoomEntry | undefined {
    return this.value.find(r => r.id === room);
  }

  /** Loads the list. A call while it is being loaded loads it once more. */
  reload(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#loading) this.#again = true;
    this.#loading ??= this.#load().finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  /** Loads the list soon. */
  doubt(): void {
    if (this.#loading) this.#again = true;
    else this.#soon(RELOAD_AFTER * (1 + Math.random()));
  }

  #soon(ms: number): void {
    this.#timer ??= setTimeout(() => void this.reload().catch(() => {}), ms);
  }

  /** Ends the timer. */
  close(): void {
    clearTimeout(this.#timer);
  }

  async #load(): Promise<void> {
    do {
      this.#again = false;
      this.#late = [];
      const all: RoomEntry[] = [];
      for (let next: string | undefined = ""; next !== undefined; ) {
        const cursor: string = next && `&cursor=${encodeURIComponent(next)}`;
        const page: Page = await this.o.request<Page>("GET", `/people/me/rooms?include=people&limit=${PAGE}${cursor}`);
        all.push(...page.rooms);
        this.o.people.add(page.people);
        next = page.next;
      }
      this.loaded = true;
      const unique = new Map(all.map(r => [r.id, this.#marked(r)]));
      for (const [room, c] of this.#late) {
        const r = unique.get(room);
        if (r && c.message && c.message.receivedAt > r.lastActivityAt) unique.set(room, this.#after(r, c));
      }
      this.#show([...unique.values()]);
    } while (this.#again);
  }

  /** Returns an entry with the read marker that was just moved. */
  #marked(r: RoomEntry): RoomEntry {
    const mark = this.#marks.get(r.id);
    if (!mark || mark.read === r.read || mark.until < Date.now()) return r;
    this.#soon(SETTLE); // the count is of then, too
    return { ...r, read: mark.read, unread: mark.unread };
  }

  #show(rooms: RoomEntry[]): void {
    this.value = rooms.sort((a, b) => (a.lastActivityAt < b.lastActivityAt ? 1 : a.lastActivityAt > b.lastActivityAt ? -1 : 0));
  }

  /** Replaces fields of an entry. */
  patch(room: string, fields: Partial<RoomEntry>): void {
    if (this.entry(room)) this.#show(this.value.map(r => (r.id === room ? { ...r, ...fields } : r)));
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
    const r = this.entry(room);
    if (!r || r.read === read) return;
    this.#marks.delete(room);
    if (read >= (this.#seqs.get(room) ?? Infinity)) this.patch(room, { read, unread: 0 });
    else setTimeout(() => this.doubt(), SETTLE - RELOAD_AFTER);
  }

  /** Takes the head of a room. */
  position(room: string, head: number): void {
    if (this.#seqs.get(room) === head) return;
    this.#seqs.set(room, head);
    this.doubt();
  }

  /** Takes changes of a room, in any order and any number of times. */
  changes(room: string, changes: readonly Change[]): void {
    for (const c of changes) {
      const known = this.#seqs.get(room) ?? c.seq - 1;
      if (c.seq <= known) continue;
      this.#seqs.set(room, c.seq);
      const r = this.entry(room);
      if (c.seq > known + 1 || c.omitted) this.doubt();
      else if (this.#loading) this.#late.push([room, c]);
      if (!r) continue;
      const next = this.#after(r, c);
      if (next !== r) this.#show(this.value.map(other => (other === r ? next : other)));
    }
  }

  /** Returns an entry after a change. */
  #after(r: RoomEntry, c: Change): RoomEntry {
    const m = c.message;
    if (!m) return r;
    const last = r.lastMessage;
    const { id, user, receivedAt, deletedAt } = m;
    const shown = { id, user, receivedAt, text: [...m.text].slice(0, PREVIEW).join(""), ...(deletedAt && { deletedAt }) };
    const others = user !== this.o.user() && !this.o.blocked(user);
    if (c.type === "message.deleted" && r.unread && others) this.doubt();
    if (last?.id === id) return { ...r, lastMessage: shown };
    if (c.type !== "message.created") return r;
    if (last && receivedAt < last.receivedAt) {
      if (others) this.doubt(); // it may be counted already
      return r;
    }
    const unread = others && !deletedAt && c.seq > r.read ? Math.min(r.unread + 1, MAX_UNREAD) : r.unread;
    return { ...r, unread, lastMessage: shown, lastActivityAt: receivedAt };
  }
}
