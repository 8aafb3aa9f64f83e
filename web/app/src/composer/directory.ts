// The people whom a text of a room may mention, as far as they are known: the members, and others who
// were looked up by their names.
import type { Room } from "@parley/client";
import { cell } from "../state/cell.js";
import type { Page } from "../state/page.js";
import type { Mentioned } from "./mentions.js";

const mostListed = 200; // the API's largest page; others are found by their names
const mostFound = 20;

export class Directory {
  readonly #page: Page;
  readonly #room: Room;
  /** Counts the answers. */
  readonly answers = cell(0);
  #members: readonly Mentioned[] | undefined;
  /** Whether the members are all who are in the room. */
  #whole = false;
  #loading: Promise<void> | undefined;
  /** What was found for the words that were looked up. */
  readonly #found = new Map<string, readonly Mentioned[]>();
  /** Whether people who are not among the members are in the room; undefined while that is asked. */
  readonly #inside = new Map<string, boolean | undefined>();

  constructor(page: Page, room: Room) {
    this.#page = page;
    this.#room = room;
  }

  /** The members of the room; undefined until they are loaded. */
  get members(): readonly Mentioned[] | undefined { return this.#members; }

  /** How many others are in the room: Infinity for more than a page of them, undefined if that is not known. */
  get others(): number | undefined {
    if (!this.#members?.length) return undefined;
    return this.#whole ? this.#members.filter(p => p.user !== this.#page.me.value).length : Infinity;
  }

  /** The people who were found by their names. */
  get found(): readonly Mentioned[] { return [...this.#found.values()].flat(); }

  get #path() { return `/rooms/${encodeURIComponent(this.#room.id)}/members` as const; }

  /** Loads the members. */
  load(): Promise<void> {
    return this.#loading ??= this.#get(`${this.#path}?limit=${mostListed}`)
      .then(({ people, whole }) => { this.#members = people; this.#whole = whole; }, () => { this.#members ??= []; })
      .finally(() => { this.#loading = undefined; this.answers.value++; });
  }

  /**
   * Reports whether a person is known not to be in the room. It asks about those who are not among
   * the members of a large one.
   */
  isOutside(user: string): boolean {
    if (!this.#members?.length || this.#members.some(p => p.user === user)) return false;
    if (this.#whole) return true;
    if (!this.#inside.has(user)) void this.#ask(user);
    return this.#inside.get(user) === false;
  }

  async #ask(user: string): Promise<void> {
    this.#inside.set(user, undefined);
    try {
      await this.#page.chat.value?.request("GET", `${this.#path}/${encodeURIComponent(user)}`);
      this.#inside.set(user, true);
    } catch (e) {
      if ((e as { status?: number }).status === 404) this.#inside.set(user, false);
      else this.#inside.delete(user); // offline: it is asked again
    }
    this.answers.value++;
  }

  /** Asks again who is in the room, if it was asked before. */
  reload(): void {
    this.#inside.clear();
    if (this.#members) void this.load();
  }

  /** Adds people to the room. */
  async add(people: readonly Mentioned[]): Promise<void> {
    for (const { user } of people) {
      await this.#page.chat.value?.request("PUT", `${this.#path}/${encodeURIComponent(user)}`, { role: "member" });
    }
    this.#inside.clear();
    await this.load();
  }

  /** Returns the words that were not looked up yet. */
  missing(words: readonly string[]): readonly string[] {
    return words.filter(word => !this.#found.has(word.toLowerCase()));
  }

  /** Looks up the people with a name or a user id that begins with a word. */
  async look(word: string): Promise<void> {
    const key = word.toLowerCase();
    if (!word || this.#found.has(key)) return;
    const ids = [...new Set([word, key])].filter(id => /^[\w.@|:+=-]{1,64}$/.test(id)).join();
    try {
      const [byName, byId] = await Promise.all([
        // A server may keep its directory closed: then only ids are found.
        this.#get(`/people?limit=${mostFound}&name=${encodeURIComponent(word)}`)
          .catch((e: { status?: number }) => { if (!e.status) throw e; return { people: [] }; }),
        ids ? this.#get(`/people?ids=${encodeURIComponent(ids)}`) : { people: [] },
      ]);
      // somebody without a profile may not exist
      this.#found.set(key, [...byName.people, ...byId.people.filter(p => p.name !== p.user)]);
    } catch {
      return; // offline: it is looked up again
    }
    this.answers.value++;
  }

  /** Returns the people of an answer, and whether they are all. */
  async #get(path: string): Promise<{ readonly people: readonly Mentioned[]; readonly whole: boolean }> {
    const answer = await this.#page.chat.value?.request<{ items: { user: string; name?: string }[]; next?: string }>(
      "GET", path,
    );
    return {
      people: (answer?.items ?? []).map(p => ({ user: p.user, name: p.name || p.user })),
      whole: !!answer && !answer.next,
    };
  }
}
