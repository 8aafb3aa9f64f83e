import { encode } from "./ids.js";
import type { People, Request } from "./types.js";
import { Value } from "./value.js";

/** Nobody. It has no prototype: a user id may be constructor. */
export const NOBODY: People = { __proto__: null as never };

/** The person who uses the client. */
export interface Caller {
  /** The user id; empty until it is known. */
  readonly user: string;
  /** The ids of the people whom the caller blocks; undefined until they are loaded. */
  readonly blocked: ReadonlySet<string> | undefined;
}

/** The names and avatars of the people who were shown, by user id. */
export class PeopleCache extends Value<People> {
  #requested = new Set<string>();

  constructor(private readonly request: Request) {
    super(NOBODY);
  }

  add(people: People = {}): void {
    this.value = { __proto__: null as never, ...this.value, ...people };
  }

  /** Loads a person's name, unless it is known. */
  need(user: string): void {
    if (this.value[user] || this.#requested.has(user)) return;
    this.#requested.add(user);
    this.request("GET", `/people?ids=${encode(user)}`).then(
      ({ items: [card] }) => card && this.add({ [user]: card }),
      () => this.#requested.delete(user), // their next message tries again
    );
  }
}
