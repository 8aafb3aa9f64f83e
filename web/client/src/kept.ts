// The device's store of messages that the person has read. This module reads it; cache.ts, which loads late, writes
// it.
import type { Change } from "./feed.js";
import type { Options } from "./options.js";
import type { AbortSignal, IDBDatabase } from "./platform.js";
import { Alarm } from "./pause.js";
import type { Acts } from "./acts.js";
import { clearRead, openValues, readValues } from "./storage.js";
import type { People, RoomEntry, RoomInfo, StoredMessage } from "./types.js";

/** The version of the stored form. Data in another form is dropped. */
export const VERSION = 1;
/** The keys of the index and of the list. */
export const INDEX = "index";
export const LIST = "list";
/** The storage has this long to answer before a room is loaded from the server; so has the second module. */
const PATIENCE = 500;
/** Changes are written after this time. */
const WRITE_AFTER = 2000;
/** The late module is loaded this long after something was shown. */
const LOAD_AFTER = 500;

/** The newest messages of a room. */
export interface Newest {
  readonly info: RoomInfo;
  readonly messages: readonly StoredMessage[];
  readonly hasOlder: boolean;
  /** The position in the feed, and the number of the last change if it is known: see Feed. */
  readonly since: string;
  readonly seq: number | undefined;
  /** The ids of the messages in which another device may have reacted or voted. */
  readonly unchecked: Iterable<string>;
}

export interface KeptRoom extends Newest {
  /** The people of the messages. */
  readonly people: People;
}

export interface KeptList {
  readonly rooms: readonly RoomEntry[];
  readonly people: People;
  readonly blocked: ReadonlySet<string> | undefined;
}

/** Describes the stored data. It changes in the same transaction. */
export interface Index {
  readonly version: number;
  /** Differs after everything was removed: a page that has read more does not write it again. */
  readonly epoch: string;
  /** When the list was last compared with the server. */
  readonly list?: number;
  /** When each room was last compared with the server, the number of its last change at least, and its size. */
  readonly rooms: ReadonlyMap<string, { readonly at: number; readonly seq: number; readonly bytes: number }>;
}

/** When something was last compared with the server. */
interface Aged {
  readonly at: number;
}

/** Writes the stored data. */
export interface Writer {
  /** Writes what has changed. */
  write(): void;
  /** Handles the changes of a frame. */
  frame(room: string, changes: readonly Change[], since: string): void;
  /** Removes a room. */
  drop(room: string): void;
}

/** The part of the client that reads the stored data. */
interface KeptClient {
  readonly options: Options;
  readonly url: string;
  readonly user: string;
  /** Resolves when the user id is known. */
  readonly identified: Promise<void>;
  readonly ended: AbortSignal;
  readonly acts: Acts;
}

export const keyOf = (room: string): string => `room ${room}`;

/** Returns what work results in, unless it fails or takes too long. */
const patiently = <T>(work: Promise<T>): Promise<T | undefined> =>
  Promise.race([work.catch(() => undefined), new Promise<undefined>(resolve => setTimeout(resolve, PATIENCE))]);

/** Reads what this device keeps. Storage that fails is the same as storage that is empty. */
export class Kept {
  /** The database, unless another storage is given. */
  readonly database: Promise<IDBDatabase | undefined>;
  readonly #alarm = new Alarm();
  #loading: Promise<Writer> | undefined;
  /** Writes the stored data, once it is loaded. */
  writer: Writer | undefined;
  #epoch: string | undefined; // of what was read first

  /** Create loads the late module. It gets the epoch of what was read, if anything was. */
  constructor(
    private readonly chat: KeptClient,
    private readonly create: (database?: IDBDatabase, epoch?: string) => Promise<Writer>,
  ) {
    this.database = this.#open().catch(() => undefined);
  }

  async #open(): Promise<IDBDatabase | undefined> {
    if (this.chat.options.storage) return undefined;
    if (!this.chat.user) await this.chat.identified;
    return openValues(this.#name);
  }

  get #name(): string {
    return `parley ${this.chat.url} ${this.chat.user} cache`;
  }

  /** Reads the index, a value and, unless they are known, the acts or their keys, in one transaction. */
  async #get(key: string): Promise<readonly [Index?, unknown?, (false | readonly unknown[])?]> {
    const database = await this.database;
    const { acts, options: { storage } } = this.chat;
    const read: unknown = database
      ? await readValues(database, INDEX, key)
      : await Promise.all([storage?.cache?.get(INDEX), storage?.cache?.get(key), !acts.delivery && storage?.all()]);
    return read as [Index?, unknown?, (false | readonly unknown[])?];
  }

  /** Reads a value and when it was compared with the server, unless that takes too long. */
  async #read<T>(key: string, at: (i: Index) => number | undefined): Promise<(T & Aged) | undefined> {
    const [index, value, acts] = await patiently(this.#get(key)) ?? [];
    if (acts && acts.length) await patiently(this.chat.acts.load()); // they are shown with the value
    if (index?.version !== VERSION) return undefined;
    this.#epoch ??= index.epoch;
    const time = at(index);
    return time && value ? { ...value as T, at: time } : undefined;
  }

  async list(): Promise<(KeptList & Aged) | undefined> {
    await this.database; // what a room that was opened meanwhile reads comes first
    return this.#read(LIST, i => i.list);
  }

  room(id: string): Promise<(KeptRoom & Aged) | undefined> {
    return this.#read(keyOf(id), i => i.rooms.get(id)?.at);
  }

  /** Writes soon, because something has changed. */
  soon(): void {
    if (!this.#alarm.armed && !this.chat.ended.aborted) {
      this.#alarm.set(this.writer ? WRITE_AFTER : LOAD_AFTER, () => void this.#late(w => w.write()));
    }
  }

  /** Does something with the late module, unless there is nothing to write to, or the client has ended. */
  async #late(work: (writer: Writer) => void): Promise<void> {
    const database = await this.database;
    const { ended, options } = this.chat;
    if (ended.aborted || !(database || options.storage?.cache)) return;
    this.#loading ??= this.create(database, this.#epoch);
    try {
      this.writer = await this.#loading;
      if (!ended.aborted) work(this.writer);
    } catch {
      this.#loading = undefined; // the next change tries again
    }
  }

  /** Removes a room that the person can no longer read, or whose feed has begun again. */
  drop(room: string): void {
    void this.#late(w => w.drop(room));
  }

  /** Writes the last changes, and stops. */
  close(): void {
    this.writer?.write();
    this.#alarm.clear();
  }

  /** Removes what was read and, if all is true, what was not sent. */
  async clear(all: boolean): Promise<void> {
    const database = await this.database;
    if (database) all ? indexedDB.deleteDatabase(this.#name) : await clearRead(database);
    else await this.chat.options.storage?.cache?.clear().catch(() => {});
  }
}
