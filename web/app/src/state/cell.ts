// A cell is the app's own observable: what the parts of the page share is in cells, and useValue shows
// them like the objects of the client. A library of signals would take a tenth of the first paint's
// scripts.
import type { Observable } from "@parley/client";

export interface Cell<T> extends Observable<T> { value: T }

/** Returns a cell. Setting it to another value calls its subscribers before it returns. */
export function cell<T>(initial: T): Cell<T> {
  const subscribers = new Set<() => void>();
  let current = initial;
  return {
    get value() { return current; },
    set value(next) {
      if (Object.is(next, current)) return;
      current = next;
      for (const fn of [...subscribers]) fn();
    },
    subscribe(fn) {
      subscribers.add(fn);
      return () => void subscribers.delete(fn);
    },
  };
}
