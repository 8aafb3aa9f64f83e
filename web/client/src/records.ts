// The rooms and the list that a device keeps, as they are stored.
import { INDEX, LIST, VERSION, keyOf, type Index, type KeptList, type KeptRoom } from "./kept.js";
import type { CacheStorage } from "./options.js";
import type { People, StoredMessage } from "./types.js";

/** The messages of a room that are kept. */
export const MOST_MESSAGES = 200;

type Values = Record<string, unknown>;

/** Returns the size of a room. A character takes up to two bytes. */
export const bytesOf = (room: KeptRoom): number => 2 * JSON.stringify(room).length;

/** Returns the cards of users, each from the first that has it. */
export function pick(users: readonly string[], ...cards: People[]): People {
  const find = (user: string) => cards.find(all => Object.hasOwn(all, user))?.[user];
  return Object.fromEntries([...new Set(users)].flatMap(user => find(user) ? [[user, find(user)!]] : []));
}

/** Returns the users whom messages name. */
export const usersOf = (messages: readonly StoredMessage[]): string[] =>
  messages.flatMap(m =>
    [m.user, ...(m.mentions ?? []), ...(m.quote ? [m.quote.user] : []), ...(m.replies?.users ?? [])]);

/** Returns the ids that messages have, each once. */
export const among = (messages: readonly StoredMessage[], ids: Iterable<string>): string[] =>
  [...new Set(ids)].filter(id => messages.some(m => m.id === id));

/** The records of a storage. All pages of a person share it. */
export class Records {
  private constructor(
    private readonly storage: CacheStorage,
    readonly epoch: string,
  ) {}

  /** Begins to keep. If what had the epoch was removed since, nothing is kept any more: the person has signed out. */
  static async of(storage: CacheStorage, epoch?: string): Promise<Records> {
    const before = (await storage.get(INDEX)) as Index | undefined;
    if (before && before.version !== VERSION) await storage.clear();
    const fresh: Index = { version: VERSION, epoch: `${Date.now()} ${Math.random()}`, rooms: new Map() };
    await storage.update(INDEX, value => (value || epoch ? {} : { [INDEX]: fresh }));
    return new Records(storage, epoch ?? ((await storage.get(INDEX)) as Index).epoch);
  }

  /** Changes the index, and other values with it, unless all was removed since. */
  update(change: (index: Index) => Values): Promise<void> {
    return this.storage.update(INDEX, value => {
      const index = value as Index | undefined;
      return index?.epoch === this.epoch ? change(index) : {};
    });
  }

  /** Removes a room. */
  drop(room: string): Promise<void> {
    return this.update(index => {
      const rooms = new Map(index.rooms);
      return rooms.delete(room) ? { [INDEX]: { ...index, rooms }, [keyOf(room)]: undefined } : {};
    });
  }

  async rooms(): Promise<Index["rooms"]> {
    return ((await this.storage.get(INDEX)) as Index | undefined)?.rooms ?? new Map();
  }

  async room(id: string): Promise<KeptRoom | undefined> {
    return (await this.storage.get(keyOf(id))) as KeptRoom | undefined;
  }

  async list(): Promise<KeptList | undefined> {
    return (await this.storage.get(LIST)) as KeptList | undefined;
  }
}
