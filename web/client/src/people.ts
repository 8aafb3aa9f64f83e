import { encode } from "./ids.js";
import type { Names, People, Request } from "./types.js";
import { Value } from "./value.js";

/** The most people of a request. */
const MOST = 50;
/** Nobody. It has no prototype: a user id may be constructor. */
export const NOBODY: People = { __proto__: null as never };

/** The person who uses the client. */
export interface Caller {
  /** The user id; empty until it is known. */
  readonly user: string;
  /** The ids of the people whom the caller blocks; undefined until they are loaded. */
  blocked: ReadonlySet<string> | undefined;
}

/** The names and avatars of the people who were shown, by user id. */
export class PeopleCache extends Value<People> implements Names {
  #needed: string[] = []; // for the next request
  #requested = new Set<string>();
  #old = new Set<string>(); // whose cards were kept, and may have changed

  constructor(private readonly request: Request) {
    super(NOBODY);
  }

  add(people: People = {}): void {
    for (const user in people) this.#old.delete(user);
    this.value = { __proto__: null as never, ...this.value, ...people };
  }

  /** Shows the people whom this device kept, unless they are known. */
  keep(people: People = {}): void {
    for (const user in people) if (!this.value[user]) this.#old.add(user);
    this.value = { __proto__: null as never, ...people, ...this.value };
  }

  /** Loads the people again whom this device kept. */
  renew(): void {
    for (const user of this.#old) this.#request(user);
    this.#old.clear();
  }

  /** Loads a person's name, unless it is known. */
  need(user: string): void {
    if (!this.value[user]) this.#request(user);
  }

  #request(user: string): void {
    if (this.#requested.has(user)) return;
    this.#requested.add(user);
    if (this.#needed.push(user) === 1) queueMicrotask(() => this.#load());
  }

  /** Loads the names that were asked for in one piece of work. */
  #load(): void {
    const users = this.#needed.splice(0, MOST);
    if (this.#needed.length) this.#load();
    this.request("GET", `/people?ids=${users.map(encode).join()}`).then(
      ({ items }) => this.add(Object.fromEntries(items.map(card => [card.user, card]))),
      () => users.forEach(user => this.#requested.delete(user)), // their next messages try again
    );
  }
}
