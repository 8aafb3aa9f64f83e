import type { Card, People, Request } from "./types.js";
import { Value } from "./value.js";

/** The names and avatars of all people who have been shown. */
export class PeopleCache extends Value<People> {
  #asked = new Set<string>();

  constructor(private readonly request: Request) {
    super({});
  }

  add(people: People = {}): void {
    const next = { ...this.value, ...people };
    if (JSON.stringify(next) !== JSON.stringify(this.value)) this.value = next;
  }

  /** Asks for a person who is not known yet. */
  need(user: string): void {
    if (this.value[user] || this.#asked.has(user)) return;
    this.#asked.add(user);
    this.#ask(user).catch(() => this.#asked.delete(user)); // their next message asks again
  }

  async #ask(user: string): Promise<void> {
    const { people } = await this.request<{ people: Card[] }>("GET", `/people?ids=${encodeURIComponent(user)}`);
    if (people[0]) this.add({ [user]: people[0] });
  }
}
