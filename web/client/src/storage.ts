import type { CacheStorage, Storage } from "./options.js";
import type { Act, Unsent, UnsentFile } from "./types.js";

/** Returns the result of a request of the database. */
const done = <T>(r: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    r.onsuccess = () => resolve(r.result);
    r.onerror = () => reject(r.error);
  });

type Use = <T>(work: (table: IDBObjectStore) => IDBRequest<T>) => Promise<T>;

/** Opens a database with one table. */
async function open(database: string, name: string, options?: IDBObjectStoreParameters): Promise<IDBDatabase> {
  const opening = indexedDB.open(database, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(name, options);
  const opened = await done(opening);
  opened.onversionchange = () => opened.close(); // it is being deleted
  return opened;
}

/** Opens the only table of a database. */
function table(database: string, name: string, options?: IDBObjectStoreParameters): Use {
  const opened = open(database, name, options);
  opened.catch(() => {}); // each use fails then, and messages wait in memory
  return async work => done(work((await opened).transaction(name, "readwrite").objectStore(name)));
}

/** The only table of the database of what was read and of what was not sent. */
const VALUES = "values";
/** The keys of acts begin so, and sort before all others. */
const ACT = "act ";
const AFTER_ACTS = "act!";
const acts = () => IDBKeyRange.bound(ACT, AFTER_ACTS);

export const openValues = (database: string): Promise<IDBDatabase> => open(database, VALUES);

const values = (database: IDBDatabase, mode?: IDBTransactionMode) =>
  database.transaction(VALUES, mode).objectStore(VALUES);

/** Returns two values, and the keys of all acts. */
export function readValues(
  database: IDBDatabase, first: string, second: string,
): Promise<[unknown, unknown, unknown[]]> {
  const t = values(database);
  return Promise.all([done(t.get(first)), done(t.get(second)), done(t.getAllKeys(acts()))]);
}

/** Removes what was read, and keeps acts. */
export const clearRead = (database: IDBDatabase): Promise<void> =>
  done(values(database, "readwrite").delete(IDBKeyRange.lowerBound(AFTER_ACTS)));

export const valueOf = (database: IDBDatabase, key: string): Promise<unknown> =>
  done(values(database).get(key));

/** Returns the storage of what was read in its database. */
export function cacheIn(database: IDBDatabase): CacheStorage {
  const write = (work: (t: IDBObjectStore) => void) => new Promise<void>((resolve, reject) => {
    const transaction = database.transaction(VALUES, "readwrite");
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
    work(transaction.objectStore(VALUES));
  });
  return {
    get: async key => valueOf(database, key),
    update: (key, change) => write(t => {
      const request = t.get(key);
      request.onsuccess = () => {
        for (const [k, value] of Object.entries(change(request.result))) {
          value === undefined ? t.delete(k) : t.put(value, k);
        }
      };
    }),
    clear: () => clearRead(database),
  };
}

/** Removes the database with a name, and its files' database. */
export function forgetDatabase(name: string): void {
  for (const end of ["", " files"]) globalThis.indexedDB?.deleteDatabase(name + end);
}

/** Moves the messages that an older client has not sent from its database to a storage. */
export async function moveOld(name: string, { put }: Storage): Promise<void> {
  if (!(await indexedDB.databases()).some(d => d.name === name)) return;
  const old = await open(name, "unsent", { keyPath: "id" });
  const unsent = () => old.transaction("unsent", "readwrite").objectStore("unsent");
  for (const m of await done(unsent().getAll() as IDBRequest<Unsent[]>)) {
    await put({ ...m, kind: "message" });
    await done(unsent().delete(m.id));
  }
  old.close();
}

/**
 * Returns a storage of acts in the database of what was read. The bytes of files are in another one, with a name: a
 * message changes often, and they never do. A message is stored before the bytes, and removed after them, so no bytes
 * remain without their message.
 */
export function database(opened: IDBDatabase, name: string): Storage {
  let blobs: Use | undefined;
  const stored = new Set<string>(); // the keys of blobs
  const useBlobs: Use = work => (blobs ??= table(`${name} files`, "blobs"))(work);
  const keyOf = (m: Act, f: UnsentFile) => `${m.id} ${f.id}`;
  const filesOf = (a: Act) => (a.kind === "message" && a.files) || [];
  const withBlob = async (m: Act, f: UnsentFile) => {
    const blob = await useBlobs<Blob | undefined>(t => t.get(keyOf(m, f)));
    if (blob) stored.add(keyOf(m, f));
    return { ...f, blob: blob ?? new Blob() };
  };
  const whole = async (a: Act): Promise<Act> => {
    const files = filesOf(a);
    return files.length ? { ...a, files: await Promise.all(files.map(f => withBlob(a, f))) } as Unsent : a;
  };
  return {
    all: async () => Promise.all((await done<Act[]>(values(opened).getAll(acts()))).map(whole)),
    has: async id => !!(await done(values(opened).getKey(ACT + id))),
    put: async a => {
      const files = filesOf(a);
      const bare = files.length ? { ...a, files: files.map(({ blob: _, ...f }) => f) } : a;
      await done(values(opened, "readwrite").put(bare, ACT + a.id));
      for (const f of files) {
        if (stored.has(keyOf(a, f)) || !f.blob) continue; // an older client has stored it
        stored.add(keyOf(a, f));
        await useBlobs(t => t.put(f.blob, keyOf(a, f)));
        // The message may have been removed meanwhile.
        if (!(await done(values(opened).getKey(ACT + a.id)))) await useBlobs(t => t.delete(keyOf(a, f)));
      }
    },
    delete: async (id, at = Infinity) => {
      const hasFiles = [...stored].some(key => key.startsWith(`${id} `));
      if (hasFiles) await useBlobs(t => t.delete(IDBKeyRange.bound(`${id} `, `${id}!`))); // every key that begins so
      const table = values(opened, "readwrite");
      const { at: since = 0 } = (await done<Act | undefined>(table.get(ACT + id))) ?? {};
      if (since <= at) await done(table.delete(ACT + id));
    },
  };
}
