import type { Client } from "./client.js";
import { RequestError } from "./errors.js";
import { retryIn } from "./http.js";
import { encode } from "./ids.js";
import { isUsable, type Kept } from "./kept-links.js";
import { ProfilePictures } from "./profile-pictures.js";
import type { FileLinks, Links, Message, Schemas } from "./types.js";

/** The most messages of a request, with 20 files each: the server gives 400 links. */
const MOST = 20;
/** The most tries of a request. */
const TRIES = 4;

type Item = Schemas["FileLink"];

/** The links to the files of a message. */
type Entry = Kept<readonly Item[]>;

const known = new WeakMap<Client, FileLinkCache>();

/** Returns the links of a client, always the same object. */
export function linksOf(chat: Client): Links {
  const links = known.get(chat) ?? new FileLinkCache(chat);
  known.set(chat, links);
  return links;
}

/** Requests links for the messages of a tick together, and keeps them until they expire. */
class FileLinkCache implements Links {
  #entries = new Map<string, Entry>(); // by message id
  #needed = new Map<string, Map<string, (items: Promise<readonly Item[]>) => void>>(); // for the next requests, by room
  readonly #pictures: ProfilePictures;

  constructor(private readonly chat: Client) {
    this.#pictures = new ProfilePictures(chat);
    chat.on("change", ({ type, id = "" }) => type === "message.deleted" && this.#entries.delete(id));
    chat.on("personal", ({ type }) => type === "room.removed" && this.#entries.clear());
  }

  async of({ room, id }: Pick<Message, "room" | "id">, attachment: { readonly id: string }, fresh?: boolean): Promise<FileLinks> {
    const entry = this.#entries.get(id);
    return this.#of(attachment, await (isUsable(entry, this.chat.now(), fresh) ? entry : this.#request(room, id)).found);
  }

  async download({ room, id }: Pick<Message, "room" | "id">, attachment: { readonly id: string }): Promise<string> {
    return this.#of(attachment, await this.#ask(room, { messages: [id], download: true })).url;
  }

  picture(user: string, picture: string, fresh?: boolean): Promise<string> {
    return this.#pictures.of(user, picture, fresh);
  }

  uploadPicture(blob: Blob): Promise<string> {
    return this.#pictures.upload(blob);
  }

  #of(attachment: { readonly id: string }, items: readonly Item[]): Item {
    const item = items.find(item => item.id === attachment.id);
    if (!item) throw new RequestError(404, { type: "/problems/not-found", title: "Not found", status: 404, detail: "This file can no longer be read.", retryable: false });
    return item;
  }

  /** Requests the links of a message, with those that are needed in the same tick. */
  #request(room: string, id: string): Entry {
    if (!this.#needed.size) setTimeout(() => this.#load());
    const waiting = this.#needed.get(room) ?? new Map();
    this.#needed.set(room, waiting);
    const entry: Entry = { found: new Promise(resolve => waiting.set(id, resolve)), until: Infinity };
    this.#entries.set(id, entry);
    entry.found.then(items => {
      entry.until = Math.min(...items.map(item => Date.parse(item.expiresAt)));
      if (!items.length) this.#drop(id, entry);
    }, () => this.#drop(id, entry));
    return entry;
  }

  #drop(id: string, entry: Entry): void {
    if (this.#entries.get(id) === entry) this.#entries.delete(id);
  }

  #load(): void {
    for (const [id, { until }] of this.#entries) if (until < this.chat.now()) this.#entries.delete(id);
    for (const [room, waiting] of this.#needed) {
      const all = [...waiting];
      for (let i = 0; i < all.length; i += MOST) {
        const part = all.slice(i, i + MOST);
        const answer = this.#ask(room, { messages: part.map(([id]) => id) });
        for (const [id, resolve] of part) resolve(answer.then(items => items.filter(item => item.message === id)));
      }
    }
    this.#needed.clear();
  }

  async #ask(room: string, query: { readonly messages: readonly string[]; readonly download?: boolean }): Promise<readonly Item[]> {
    for (let failures = 1; ; failures++) {
      try {
        const { items } = await this.chat.http.once("POST", `/rooms/${encode(room)}/attachments/links`, query);
        const absolute = (address: string) => new URL(address, `${this.chat.url}/`).href;
        return items.map(item => ({ ...item, url: absolute(item.url), ...(item.preview && { preview: absolute(item.preview) }) }));
      } catch (e) {
        const pause = retryIn(e, failures);
        if (!pause || failures === TRIES) throw e;
        await new Promise(resolve => setTimeout(resolve, pause));
      }
    }
  }
}
