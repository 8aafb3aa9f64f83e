import { encode } from "./ids.js";
import type { People, Request } from "./types.js";
import { Value } from "./value.js";

/** Nobody. Without a prototype: people may be called constructor. */
export const NOBODY: People = { __proto__: null as never };

/** The person who uses the client. */
export interface Caller {
  /** The user id; empty until it is known. */
  readonly user: string;
  /** The ids of the people whom the caller blocks; undefined until they are loaded. */
  readonly blocked: ReadonlySet<string> | undefined;
}

/** The names and avatars of all people who have been shown. */
export class PeopleCache extends Value<People> {
  #asked = new Set<string>();

  constructor(private readonly request: Request) {
    super(NOBODY);
  }

  add(people: People = {}): void {
    this.value = { __proto__: null as never, ...this.value, ...people };
  }

  /** Asks for a person who is not known yet. */
  need(user: string): void {
    if (this.value[user] || this.#asked.has(user)) return;
    this.#asked.add(user);
    this.request("GET", `/people?ids=${encode(user)}`).then(
      ({ people: [card] }) => card && this.add({ [user]: card }),
      () => this.#asked.delete(user), // their next message asks again
    );
  }
}
