import type { Storage, Unsent } from "./types.js";

const TABLE = "unsent";

const done = <T>(r: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    r.onsuccess = () => resolve(r.result);
    r.onerror = () => reject(r.error);
  });

/** Returns a storage in the browser's database of the given name. */
export function database(name: string): Storage {
  let opened: Promise<IDBDatabase> | undefined;
  const open = () => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(TABLE, { keyPath: "id" });
    return done(request);
  };
  const table = async (mode: IDBTransactionMode) => (await (opened ??= open())).transaction(TABLE, mode).objectStore(TABLE);
  return {
    all: async () => done<Unsent[]>((await table("readonly")).getAll()),
    put: async m => void (await done((await table("readwrite")).put(m))),
    delete: async id => done((await table("readwrite")).delete(id)),
  };
}
