import type { Observable } from "./types.js";

/** A value that notifies its subscribers when it is replaced. */
export class Value<T> implements Observable<T> {
  #subscribers = new Set<() => void>();
  #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  set value(next: T) {
    if (next === this.#value) return;
    this.#value = next;
    for (const fn of [...this.#subscribers]) fn();
  }

  subscribe(fn: () => void): () => void {
    this.#subscribers.add(fn);
    return () => void this.#subscribers.delete(fn);
  }
}
