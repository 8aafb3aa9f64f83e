// The fifth module of the client: it writes what this device keeps. It is loaded after the first room.
import { CatchUp } from "./catch-up.js";
import type { Client } from "./client.js";
import type { Change } from "./feed.js";
import { INDEX, LIST, keyOf, type Index, type KeptList, type KeptRoom, type Writer } from "./kept.js";
import { MOST_MESSAGES, Records, among, bytesOf, pick, usersOf } from "./records.js";
import type { OpenRoom } from "./room.js";
import { cacheIn } from "./storage.js";
import type { RoomEntry } from "./types.js";

const MOST_ROOMS = 100;
const MOST_BYTES = 50_000_000;

type Newest = NonNullable<OpenRoom["newest"]>;

/** Begins to keep what a client reads. */
export async function begin(chat: Client, database?: IDBDatabase, epoch?: string): Promise<Writer> {
  const records = await Records.of(database ? cacheIn(database) : chat.options.storage!.cache!, epoch);
  const list = await records.list();
  return new Cache(chat, records, new Set(list?.rooms.map(r => r.id)));
}

/** Writes the rooms and the list of a client. */
class Cache implements Writer {
  readonly #catchUp: CatchUp;
  #written = new Map<string, Newest>();
  #list: readonly RoomEntry[] | undefined; // that was written
  #blocked: ReadonlySet<string> | undefined;

  constructor(
    private readonly chat: Client,
    private readonly records: Records,
    private listed: ReadonlySet<string>, // the rooms of the list that is kept
  ) {
    this.#catchUp = new CatchUp(chat, records);
  }

  write(): void {
    this.#write().catch(() => this.#shrink());
    this.#catchUp.run();
  }

  async drop(room: string): Promise<void> {
    this.#written.delete(room);
    await this.records.drop(room).catch(() => {});
  }

  frame(room: string, changes: readonly Change[], since: string): void {
    this.#catchUp.frame(room, changes, since);
  }

  async #write(): Promise<void> {
    const { chat } = this;
    const rooms = this.#changedRooms().map(([id, newest]) => [id, this.#roomOf(newest), newest.seq] as const);
    const list = this.#changedList();
    const left = list
      ? [...this.listed].filter(id => !list.rooms.some(r => r.id === id) && !chat.live.followed.has(id))
      : [];
    if (list) this.listed = new Set(list.rooms.map(r => r.id));
    const isCompared = chat.rooms.loaded && !chat.rooms.cachedAt;
    await this.records.update(index => {
      const next = new Map(index.rooms);
      const values: Record<string, unknown> = list ? { [LIST]: list } : {};
      for (const [id, room, seq] of rooms) {
        if (seq < (next.get(id)?.seq ?? 0)) continue; // another page has read more
        next.delete(id);
        next.set(id, { at: chat.asOf, seq, bytes: bytesOf(room) });
        values[keyOf(id)] = room;
      }
      for (const [id, entry] of next) if (chat.live.head(id) === entry.seq) next.set(id, { ...entry, at: chat.asOf });
      for (const id of [...left, ...beyond(next)]) {
        next.delete(id);
        values[keyOf(id)] = undefined;
      }
      return { ...values, [INDEX]: { ...index, rooms: next, ...(isCompared && { list: chat.asOf }) } };
    });
  }

  /** Returns the rooms that have changed since they were written. */
  #changedRooms(): [string, Newest][] {
    const changed = [...this.chat.opened.values()].flatMap(({ id, newest }): [string, Newest][] => {
      const before = this.#written.get(id);
      const same = !newest
        || (before?.messages === newest.messages && before.info === newest.info && before.since === newest.since);
      return same ? [] : [[id, newest]];
    });
    for (const [id, newest] of changed) this.#written.set(id, newest);
    return changed;
  }

  #roomOf({ messages, hasOlder, ...newest }: Newest): KeptRoom {
    const kept = messages.slice(-MOST_MESSAGES);
    const users = [...(newest.info.direct ?? []), ...usersOf(kept)];
    return {
      ...newest,
      messages: kept,
      unchecked: among(kept, newest.unchecked),
      hasOlder: hasOlder || kept.length < messages.length,
      people: pick(users, this.chat.people.value),
    };
  }

  /** Returns the list if it has changed. */
  #changedList(): KeptList | undefined {
    const { rooms: { value, loaded, cachedAt }, blocked, people } = this.chat;
    if (!loaded || cachedAt || (value === this.#list && blocked === this.#blocked)) return undefined;
    this.#list = value;
    this.#blocked = blocked;
    // a page hides the others
    const rooms = value.filter(({ direct }) => direct?.length !== 2 || !direct.some(user => blocked?.has(user)));
    const users = rooms.flatMap(r => [...(r.direct ?? []), ...(r.lastMessage ? [r.lastMessage.user] : [])]);
    return { rooms, people: pick(users, people.value), blocked };
  }

  /** Removes the older half of the rooms after a failed write: the storage may be full. */
  async #shrink(): Promise<void> {
    this.#written.clear();
    this.#list = undefined;
    await this.records.update(index => {
      const all = [...index.rooms];
      const half = Math.ceil(all.length / 2);
      const gone = all.slice(0, half).map(([id]) => [keyOf(id), undefined]);
      return { ...Object.fromEntries(gone), [INDEX]: { ...index, rooms: new Map(all.slice(half)) } };
    }).catch(() => {});
  }
}

/**
 * Returns the rooms that are too many, or for which there is no space. The rooms are in the order
 * in which they were read.
 */
function beyond(rooms: Index["rooms"]): string[] {
  let bytes = 0;
  return [...rooms].reverse()
    .filter(([, room], i) => (bytes += room.bytes) > MOST_BYTES || i >= MOST_ROOMS)
    .map(([id]) => id);
}
