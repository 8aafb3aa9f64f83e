import type { Client } from "./client.js";
import { RequestError } from "./errors.js";
import { retryIn } from "./http.js";
import { encode } from "./ids.js";
import { KeptLinks } from "./kept-links.js";
import { ProfilePictures } from "./profile-pictures.js";
import type { FileLinks, Links, Message, Schemas } from "./types.js";

/** The most messages of a request, with 20 files each: the server gives 400 links. */
const MOST = 20;
/** The most tries of a request. */
const TRIES = 4;

type Item = Schemas["FileLink"];

const known = new WeakMap<Client, FileLinkCache>();

/** Returns the links of a client, always the same object. */
export function linksOf(chat: Client): Links {
  const links = known.get(chat) ?? new FileLinkCache(chat);
  known.set(chat, links);
  return links;
}

/** Requests links for the messages of a tick together, and keeps them until they expire. */
class FileLinkCache implements Links {
  readonly #links: KeptLinks<readonly Item[]>; // by message id
  #needed = new Map<string, Map<string, (items: Promise<readonly Item[]>) => void>>(); // for the next requests, by room
  readonly #pictures: ProfilePictures;

  constructor(private readonly chat: Client) {
    this.#pictures = new ProfilePictures(chat);
    const links = new KeptLinks<readonly Item[]>(() => chat.now(), items =>
      (items.length ? Math.min(...items.map(item => Date.parse(item.expiresAt))) : 0));
    this.#links = links;
    chat.on("change", ({ type, id = "" }) => type === "message.deleted" && links.delete(id));
    chat.on("personal", ({ type }) => type === "room.removed" && links.clear());
  }

  async of({ room, id }: Pick<Message, "room" | "id">, attachment: {
    readonly id: string;
  }, fresh?: boolean): Promise<FileLinks> {
    return this.#of(attachment, await this.#links.get(id, () => this.#request(room, id), fresh));
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
    if (!item) {
      throw new RequestError(404, {
        type: "/problems/not-found",
        title: "Not found",
        status: 404,
        detail: "This file can no longer be read.",
        retryable: false,
      });
    }
    return item;
  }

  /** Requests the links of a message, with those that are needed in the same tick. */
  #request(room: string, id: string): Promise<readonly Item[]> {
    if (!this.#needed.size) setTimeout(() => this.#load());
    const waiting = this.#needed.get(room) ?? new Map();
    this.#needed.set(room, waiting);
    return new Promise(resolve => waiting.set(id, resolve));
  }

  #load(): void {
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

  async #ask(room: string, query: {
    readonly messages: readonly string[]; readonly download?: boolean;
  }): Promise<readonly Item[]> {
    for (let failures = 1; ; failures++) {
      try {
        const { items } = await this.chat.http.once("POST", `/rooms/${encode(room)}/attachments/links`, query);
        const absolute = (address: string) => new URL(address, `${this.chat.url}/`).href;
        return items.map(
          item => ({ ...item, url: absolute(item.url), ...(item.preview && { preview: absolute(item.preview) }) }),
        );
      } catch (e) {
        const pause = retryIn(e, failures);
        if (!pause || failures === TRIES) throw e;
        await new Promise(resolve => setTimeout(resolve, pause));
      }
    }
  }
}
