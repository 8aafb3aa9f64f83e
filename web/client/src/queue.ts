import { Alarm } from "./pause.js";
import type { Unsent } from "./types.js";

/** What sends is loaded so long after the connection has begun, at the latest. */
const AT_LAST = 5000;
/** The first messages of a room are shown before. */
const AFTER_ROOM = 500;

/** Stores and sends the unsent messages. */
export interface Delivery {
  /** Reads the messages that an earlier page stored, and sends all messages. */
  start(): Promise<void>;
  /** Stores and sends a message. */
  send(m: Unsent): void;
  /** Stores and sends a message in place of another, or only removes the other. */
  swapped(id: string, by?: Unsent): void;
  /** Sends the messages that wait for a retry now. */
  wake(): void;
  /** Removes all stored messages. */
  forget(): Promise<void>;
}

/** The unsent messages, in order. What stores and sends them is loaded after the first messages. */
export class Queue {
  waiting: readonly Unsent[] = [];
  closed = false;
  #delivery: Delivery | undefined;
  #loading: Promise<void> | undefined;
  #needed = false;
  readonly #alarm = new Alarm();

  /** Show is called when a room's unsent messages have changed, create when they are to be sent. */
  constructor(
    private readonly show: (room: string) => void,
    private readonly create: () => Promise<Delivery>,
  ) {
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
    if (this.#delivery) this.#delivery.send(m);
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
    this.#delivery?.swapped(id, by);
    this.tell(old.room);
  }

  /** Shows the messages of a room. */
  tell(room: string): void {
    this.show(room);
  }

  /** Sends everything now: the server can be reached again. */
  wake(): void {
    this.#delivery?.wake();
    if (this.#needed) void this.load();
  }

  /** Loads what sends, which takes the messages that an earlier page has left. If it fails, wake tries again. */
  load(): Promise<void> {
    this.#needed = true;
    return (this.#loading ??= this.#load().catch(() => void (this.#loading = undefined)));
  }

  async #load(): Promise<void> {
    const delivery = await this.create();
    await delivery.start();
    this.#delivery = delivery;
  }

  close(): void {
    this.closed = true;
    this.#alarm.clear();
    this.#delivery?.wake();
  }

  /** Forgets all messages, also those on disk. */
  async forget(): Promise<void> {
    await this.load();
    await this.#delivery?.forget();
  }
}
