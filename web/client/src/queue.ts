import type { ChatClient } from "./chat.js";
import { Alarm } from "./pause.js";
import type { Sender } from "./sender.js";
import type { Unsent } from "./types.js";

/** What sends is loaded so long after the connection has begun, at the latest. */
const AT_LAST = 5000;
/** The first messages of a room are shown before. */
const AFTER_ROOM = 500;

/** The unsent messages, in order. What stores and sends them is loaded after the first messages. */
export class Queue {
  waiting: readonly Unsent[] = [];
  closed = false;
  #sender: Sender | undefined;
  #loading: Promise<void> | undefined;
  #needed = false;
  readonly #alarm = new Alarm();

  constructor(private readonly chat: ChatClient) {
    this.soon(AT_LAST);
  }

  /** Loads what sends in a while, or now with the first message. */
  soon(ms = AFTER_ROOM): void {
    this.#alarm.set(ms, () => void this.load());
  }

  of(room: string): readonly Unsent[] {
    return this.waiting.filter(m => m.room === room);
  }

  unsent(id: string): Unsent | undefined {
    return this.waiting.find(m => m.id === id);
  }

  add(m: Unsent): void {
    this.waiting = [...this.waiting, m];
    this.tell(m.room);
    if (this.#sender) this.#sender.send(m);
    else void this.load();
  }

  /** Sends a failed message again. */
  retry(id: string): void {
    const m = this.unsent(id);
    if (!m) return;
    const { error: _, ...rest } = m;
    this.swap(id, { ...rest, at: Date.now() });
  }

  /** Forgets a message that is not to be sent, or that the server has. */
  remove(id: string): void {
    this.swap(id);
  }

  /** Puts a message in the place of another, or none. */
  swap(id: string, by?: Unsent): void {
    const old = this.unsent(id);
    if (!old) return;
    this.waiting = this.waiting.flatMap(m => (m === old ? (by ?? []) : m));
    this.#sender?.swapped(id, by);
    this.tell(old.room);
  }

  /** Shows the messages of a room. */
  tell(room: string): void {
    this.chat.opened.get(room)?.show();
  }

  /** Sends everything now: the server can be reached again. */
  wake(): void {
    this.#sender?.wake();
    if (this.#needed) void this.load();
  }

  /** Loads what sends, which takes the messages that an earlier page has left. If it fails, wake tries again. */
  load(): Promise<void> {
    this.#needed = true;
    return (this.#loading ??= this.#load().catch(() => void (this.#loading = undefined)));
  }

  async #load(): Promise<void> {
    if (!this.chat.user) throw new Error("The user is not known.");
    const { Sender } = await import("./more.js");
    const sender = new Sender(this.chat);
    await sender.start();
    this.#sender = sender;
  }

  close(): void {
    this.closed = true;
    this.#alarm.clear();
    this.#sender?.wake();
  }

  /** Forgets all messages, also those on disk. */
  async forget(): Promise<void> {
    await this.load();
    await this.#sender?.forget();
  }
}
