import type { CacheStorage, Storage } from "./options.js";
import type { Unsent, UnsentFile } from "./types.js";

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

/** The only table of the database of what was read. */
const VALUES = "values";

export const openValues = (database: string): Promise<IDBDatabase> => open(database, VALUES);

export const valueOf = (database: IDBDatabase, key: string): Promise<unknown> =>
  done(database.transaction(VALUES).objectStore(VALUES).get(key));

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
    clear: () => write(t => t.clear()),
  };
}

/** Removes the database with a name, and its files' database. */
export function forgetDatabase(name: string): void {
  for (const end of ["", " files"]) globalThis.indexedDB?.deleteDatabase(name + end);
}

/**
 * Returns a storage in the browser's database with a name. The bytes of files are in another one: a
 * message changes often, and they never do. A message is stored before the bytes, and removed after
 * them, so no bytes remain without their message.
 */
export function database(name: string): Storage {
  const messages = table(name, "unsent", { keyPath: "id" });
  let blobs: Use | undefined;
  const stored = new Set<string>(); // the keys of blobs
  const useBlobs: Use = work => (blobs ??= table(`${name} files`, "blobs"))(work);
  const keyOf = (m: Unsent, f: UnsentFile) => `${m.id} ${f.id}`;
  const withBlob = async (m: Unsent, f: UnsentFile) => {
    const blob = await useBlobs<Blob | undefined>(t => t.get(keyOf(m, f)));
    if (blob) stored.add(keyOf(m, f));
    return { ...f, blob: blob ?? new Blob() };
  };
  return {
    all: async () => Promise.all((await messages<Unsent[]>(t => t.getAll())).map(async m => (
      m.files ? { ...m, files: await Promise.all(m.files.map(f => withBlob(m, f))) } : m
    ))),
    put: async m => {
      await messages(t => t.put(m.files ? { ...m, files: m.files.map(({ blob: _, ...f }) => f) } : m));
      for (const f of m.files ?? []) {
        if (stored.has(keyOf(m, f))) continue;
        stored.add(keyOf(m, f));
        await useBlobs(t => t.put(f.blob, keyOf(m, f)));
        // The message may have been removed meanwhile.
        if (!(await messages(t => t.getKey(m.id)))) await useBlobs(t => t.delete(keyOf(m, f)));
      }
    },
    delete: async id => {
      const hasFiles = [...stored].some(key => key.startsWith(`${id} `));
      if (hasFiles) await useBlobs(t => t.delete(IDBKeyRange.bound(`${id} `, `${id}!`))); // every key that begins so
      await messages(t => t.delete(id));
    },
  };
}
