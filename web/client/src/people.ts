import type { Card, People, Request } from "./types.js";
import { Value } from "./value.js";

/** How many people one request may ask for. */
const MOST = 100;
/** People who appear together are asked for together. */
const GATHER = 50;

/** The names and avatars of all people who have been shown. */
export class PeopleCache extends Value<People> {
  #wanted = new Set<string>();
  #asked = new Set<string>();

  constructor(private readonly request: Request) {
    super({});
  }

  add(people: People | undefined): void {
    if (people && Object.keys(people).length) this.value = { ...this.value, ...people };
  }

  /** Asks for people who are not known yet. */
  need(...users: string[]): void {
    for (const user of users) {
      if (user in this.value || this.#asked.has(user)) continue;
      if (!this.#wanted.size) setTimeout(() => void this.#ask(), GATHER);
      this.#wanted.add(user);
      this.#asked.add(user);
    }
  }

  async #ask(): Promise<void> {
    const ids = [...this.#wanted];
    this.#wanted.clear();
    for (let i = 0; i < ids.length; i += MOST) {
      const some = ids.slice(i, i + MOST);
      try {
        const path = `/people?limit=${MOST}&ids=${some.map(encodeURIComponent).join(",")}`;
        const page = await this.request<{ people: (Card & { user: string })[] }>("GET", path);
        this.add(Object.fromEntries(page.people.map(p => [p.user, p])));
      } catch {
        for (const user of some) this.#asked.delete(user); // the next message asks again
      }
    }
  }
}
