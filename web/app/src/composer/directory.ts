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
  #loading: Promise<void> | undefined;
  /** What was found for the words that were looked up. */
  readonly #found = new Map<string, readonly Mentioned[]>();

  constructor(page: Page, room: Room) {
    this.#page = page;
    this.#room = room;
  }

  /** The members of the room; undefined until they are loaded. */
  get members(): readonly Mentioned[] | undefined { return this.#members; }

  /** The people who were found by their names. */
  get others(): readonly Mentioned[] { return [...this.#found.values()].flat(); }

  /** Loads the members. */
  load(): Promise<void> {
    return this.#loading ??= this.#get(`/rooms/${encodeURIComponent(this.#room.id)}/members?limit=${mostListed}`)
      .then(items => { this.#members = items; }, () => { this.#members ??= []; })
      .finally(() => { this.#loading = undefined; this.answers.value++; });
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
        this.#get(`/people?limit=${mostFound}&name=${encodeURIComponent(word)}`).catch((e: { status?: number }) => { if (!e.status) throw e; return []; }),
        ids ? this.#get(`/people?ids=${encodeURIComponent(ids)}`) : [],
      ]);
      this.#found.set(key, [...byName, ...byId.filter(p => p.name !== p.user)]); // somebody without a profile may not exist
    } catch {
      return; // offline: it is looked up again
    }
    this.answers.value++;
  }

  async #get(path: string): Promise<readonly Mentioned[]> {
    const answer = await this.#page.chat.value?.request<{ items: { user: string; name?: string }[] }>("GET", path);
    return (answer?.items ?? []).map(p => ({ user: p.user, name: p.name || p.user }));
  }
}
