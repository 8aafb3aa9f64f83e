// A storage in memory that survives a reload of the page, and can fail.
import type { CacheStorage, StoredMessage } from "../../src/index.js";
import { INDEX, keyOf, type Index, type KeptRoom } from "../../src/kept.js";
import { Shelf } from "./world.js";

/** Keeps clones of values, as a database does. */
export class Drawer implements CacheStorage {
  readonly values = new Map<string, unknown>();
  /** The failure of each use; none if it is undefined. */
  failure: Error | undefined;
  /** The space for rooms: a write that needs more fails, and changes nothing. */
  mostRooms = Infinity;
  writes = 0;

  async get(key: string): Promise<unknown> {
    if (this.failure) throw this.failure;
    return structuredClone(this.values.get(key));
  }

  async update(key: string, write: (value: unknown) => Readonly<Record<string, unknown>>): Promise<void> {
    if (this.failure) throw this.failure;
    const changes = Object.entries(write(structuredClone(this.values.get(key))));
    const after = new Map([...this.values, ...changes]);
    if ([...after].filter(([k, value]) => k.startsWith(keyOf("")) && value).length > this.mostRooms) throw new DOMException("no space", "QuotaExceededError");
    for (const [k, value] of changes) {
      this.writes++;
      if (value === undefined) this.values.delete(k);
      else this.values.set(k, structuredClone(value));
    }
  }

  async clear(): Promise<void> {
    this.values.clear();
  }

  get index(): Index | undefined {
    return this.values.get(INDEX) as Index | undefined;
  }

  room(id: string): KeptRoom | undefined {
    return this.values.get(keyOf(id)) as KeptRoom | undefined;
  }

  /** Returns the texts that are kept of a room. */
  texts(id: string): string[] | undefined {
    return this.room(id)?.messages.map((m: StoredMessage) => m.text);
  }

  /** Reports whether a text is anywhere in the stored data. */
  has(text: string): boolean {
    return [...this.values.values()].some(v => JSON.stringify(v).includes(text));
  }
}

/** A device: what it has not sent, and what it keeps. */
export class Device extends Shelf {
  override readonly cache = new Drawer();
}
