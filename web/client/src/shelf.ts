// Where a device keeps the acts of a person, and how its windows agree on them.
import type { Client } from "./client.js";
import { database, forgetDatabase, moveOld } from "./storage.js";
import type { Storage } from "./options.js";
import type { Act, Problem, StoredMessage } from "./types.js";

/** What a window tells the others: that an act has changed or, without one, that it is over. */
export interface News {
  readonly id: string;
  /** When what is over was done. */
  readonly at: number;
  readonly act?: Act | undefined;
  /** The message that the server has stored for it. */
  readonly stored?: StoredMessage | undefined;
  /** Why the server has refused it. */
  readonly refusal?: { readonly status: number; readonly problem: Problem | undefined } | undefined;
}

/** The stored acts of a person. Without a storage, or if it fails, acts are only in memory. */
export class Shelf {
  #storage: Promise<Storage | undefined>;
  #channel: BroadcastChannel | undefined;
  readonly #name: string;
  readonly #kept = new Set<string>(); // the acts that were stored, here or by another window
  #removals = 0;

  constructor({ options, url, user, kept, ended }: Client, heard: (news: News) => void) {
    this.#name = `parley ${url} ${user}`;
    this.#storage = options.storage
      ? Promise.resolve(options.storage)
      : kept.database.then(opened => opened && database(opened, this.#name));
    if (options.storage || !globalThis.indexedDB || !globalThis.BroadcastChannel) return;
    this.#channel = new BroadcastChannel(this.#name);
    this.#channel.onmessage = ({ data }: MessageEvent<News>) => {
      if (data.act) this.#kept.add(data.id);
      heard(data);
    };
    (this.#channel as { unref?(): void }).unref?.(); // in Node
    ended.addEventListener("abort", () => this.#channel!.close());
  }

  /** Returns the stored acts, oldest first. */
  async all(): Promise<Act[]> {
    const storage = await this.#storage;
    let read: Act[];
    let removals: number;
    do {
      removals = this.#removals;
      if (this.#channel && storage) await moveOld(this.#name, storage).catch(() => {});
      read = (await storage?.all().catch(() => {})) ?? [];
    } while (removals !== this.#removals); // what was removed meanwhile may be in it
    for (const { id } of read) this.#kept.add(id);
    return read.map(a => ({ ...a, kind: a.kind ?? "message" }) as Act).sort((a, b) => a.at - b.at);
  }

  /** Stores an act, and tells other windows of it. */
  async put(act: Act): Promise<void> {
    this.#tell({ id: act.id, at: act.at, act });
    const storage = await this.#storage;
    await storage?.put(act).then(() => this.#kept.add(act.id), () => {});
  }

  /** Removes an act that is over, and tells other windows of it. */
  async delete({ id, at }: Act, news?: Pick<News, "stored" | "refusal">): Promise<void> {
    this.#removals++;
    this.#tell({ id, at, ...news });
    const storage = await this.#storage;
    this.#kept.delete(id);
    await storage?.delete(id, at).catch(() => {});
  }

  #tell(news: News): void {
    try {
      this.#channel?.postMessage(news);
    } catch {} // it is closed
  }

  /** Does work that only one window of the device does at a time, unless another window has ended the act. */
  async alone(name: string, { id }: Act, work: (isOver: boolean) => Promise<void>): Promise<void> {
    const storage = await this.#storage;
    const isOver = async () => this.#kept.has(id) && (await storage?.has?.(id).catch(() => true)) === false;
    if (!this.#channel || !globalThis.navigator?.locks) return work(false);
    await navigator.locks.request(`${this.#name} ${name}`, async () => work(await isOver()));
  }
}

/** Removes the stored acts of a person. */
export async function forget({ options: { storage }, url, user }: Client): Promise<void> {
  if (!storage) return forgetDatabase(`parley ${url} ${user}`);
  for (const { id } of await storage.all()) await storage.delete(id);
}
