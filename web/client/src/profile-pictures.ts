import type { Client } from "./client.js";
import { encode } from "./ids.js";
import { KeptLinks } from "./kept-links.js";
import { digest } from "./prepare.js";
import { put } from "./put.js";
import type { Schemas } from "./types.js";

/** The most people of a request. */
const MOST = 50;

type Link = Schemas["PictureLink"];

/** The pictures that people have uploaded of themselves. */
export class ProfilePictures {
  readonly #links: KeptLinks<Link | undefined>; // by user and picture
  #needed = new Map<string, ((link: Promise<Link | undefined>) => void)[]>(); // for the next requests, by user

  constructor(private readonly chat: Client) {
    this.#links = new KeptLinks<Link | undefined>(() => chat.now(), link => (link ? Date.parse(link.expiresAt) : 0));
  }

  /** Returns the address of a person's picture; empty if they have none any more. */
  async of(user: string, picture: string, fresh?: boolean): Promise<string> {
    const link = await this.#links.get(`${user} ${picture}`, () => this.#request(user), fresh);
    return link ? new URL(link.url, `${this.chat.url}/`).href : "";
  }

  /** Uploads a picture of the caller, and returns its SHA-256 in base64. */
  async upload(blob: Blob): Promise<string> {
    const sha256 = await digest(blob);
    const { put: to } =
      await this.chat.request("POST", "/people/me/picture", { type: blob.type, bytes: blob.size, sha256 });
    const refused = await put(this.chat, to, blob, new AbortController().signal);
    if (refused) throw new Error(`The picture could not be stored (${refused}). Try again.`);
    return sha256;
  }

  /** Requests a person's link, with those that are needed in the same tick. */
  #request(user: string): Promise<Link | undefined> {
    if (!this.#needed.size) setTimeout(() => this.#load());
    const waiting = this.#needed.get(user) ?? [];
    this.#needed.set(user, waiting);
    return new Promise(resolve => waiting.push(resolve));
  }

  #load(): void {
    const all = [...this.#needed];
    this.#needed.clear();
    for (let i = 0; i < all.length; i += MOST) {
      const part = all.slice(i, i + MOST);
      const answer = this.chat.request("GET", `/people?ids=${part.map(([user]) => encode(user)).join()}`);
      for (const [user, waiting] of part) {
        const link = answer.then(({ items }) => items.find(item => item.user === user)?.pictureLink);
        for (const resolve of waiting) resolve(link);
      }
    }
  }
}
