import type { Storage } from "./options.js";
import type { Unsent } from "./types.js";

const TABLE = "unsent";

/** Returns the result of a request of the database. */
const done = <T>(r: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    r.onsuccess = () => resolve(r.result);
    r.onerror = () => reject(r.error);
  });

/** Returns a storage in the browser's database with a name. */
export function database(name: string): Storage {
  const opening = indexedDB.open(name, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(TABLE, { keyPath: "id" });
  const opened = done(opening);
  opened.catch(() => {}); // each use fails then, and messages wait in memory
  const use = async <T>(work: (table: IDBObjectStore) => IDBRequest<T>) =>
    done(work((await opened).transaction(TABLE, "readwrite").objectStore(TABLE)));
  return {
    all: () => use<Unsent[]>(table => table.getAll()),
    put: async m => void (await use(table => table.put(m))),
    delete: id => use(table => table.delete(id)),
  };
}
