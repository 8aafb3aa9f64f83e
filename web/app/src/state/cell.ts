// A cell is the app's own observable: what the features share is in cells, and useValue shows them like
// the objects of the client (ADR 63).
import type { Observable } from "@parley/client";
import { useLayoutEffect, useState } from "preact/hooks";

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

/** Returns the value of an observable, and renders the component again after each change. */
export function useValue<T>(o: Observable<T>): T {
  const [, render] = useState({});
  const shown = o.value;
  useLayoutEffect(() => {
    if (o.value !== shown) render({});
    return o.subscribe(() => render({}));
  }, [o]);
  return shown;
}
