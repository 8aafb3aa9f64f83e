import type { Card, People, Request } from "./types.js";
import { Value } from "./value.js";

/** How many people one request may ask for. */
const MOST = 100;
/** People who appear within this time are asked for together. */
const GATHER = 50;

/** The names and avatars of all people who have been shown. */
export class PeopleCache extends Value<People> {
  #asked = new Set<string>();
  #wanted: string[] = [];

  constructor(private readonly request: Request) {
    super({});
  }

  add(people: People = {}): void {
    const unknown = Object.keys(people).some(user => JSON.stringify(people[user]) !== JSON.stringify(this.value[user]));
    if (unknown) this.value = { ...this.value, ...people };
  }

  /** Asks for a person who is not known yet. */
  need(user: string): void {
    if (this.value[user] || this.#asked.has(user)) return;
    this.#asked.add(user);
    if (this.#wanted.push(user) === 1) setTimeout(() => void this.#ask(), GATHER);
  }

  async #ask(): Promise<void> {
    const ids = this.#wanted.splice(0, MOST);
    if (this.#wanted.length) setTimeout(() => void this.#ask(), GATHER);
    try {
      const { people } = await this.request<{ people: (Card & { user: string })[] }>("GET", `/people?limit=${MOST}&ids=${ids.map(encodeURIComponent)}`);
      this.add(Object.fromEntries(people.map(p => [p.user, p])));
    } catch {
      for (const user of ids) this.#asked.delete(user); // their next message asks again
    }
  }
}
