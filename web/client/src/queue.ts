import { Alarm } from "./pause.js";
import type { Unsent } from "./types.js";
import { Value } from "./value.js";

/** The second module is loaded at the latest this long after the client has started. */
const LOAD_AFTER = 5000;
/** The pause after the first room, so that its messages are shown before. */
const AFTER_ROOM = 500;

/** Stores and sends the unsent messages. */
export interface Delivery {
  /** Reads the messages that other pages stored, and sends all messages. */
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

/** The unsent messages, in order. Their delivery is in the second module, which is loaded later. */
export class Queue {
  readonly list = new Value<readonly Unsent[]>([]);
  closed = false;
  #delivery: Delivery | undefined;
  #loading: Promise<void> | undefined;
  #needed = false; // whether a failed load should be repeated
  readonly #alarm = new Alarm();

  /** Show is called when the unsent messages of a room have changed. Create loads the delivery. */
  constructor(
    readonly show: (room: string) => void,
    private readonly create: () => Promise<Delivery>,
  ) {
    this.loadSoon(LOAD_AFTER);
  }

  /** Loads the delivery after a pause. The first message loads it immediately. */
  loadSoon(ms = AFTER_ROOM): void {
    this.#alarm.set(ms, () => void this.load());
  }

  /** Returns the unsent messages of a room. */
  of(room: string): readonly Unsent[] {
    return this.list.value.filter(m => m.room === room);
  }

  /** Returns the unsent message with an id. */
  unsent(id: string): Unsent | undefined {
    return this.list.value.find(m => m.id === id);
  }

  add(m: Unsent): void {
    this.list.value = [...this.list.value, m];
    this.show(m.room);
    if (this.#delivery) this.#delivery.send(m);
    else void this.load();
  }

  /** Sends a failed message again, or one of its files. */
  retry(id: string, file?: string): void {
    const m = this.unsent(id);
    if (!m) return;
    this.swap(id, {
      ...m,
      error: undefined,
      files: m.files?.map(f => (file && f.id !== file ? f : { ...f, error: undefined })),
      at: Date.now(),
    });
  }

  /** Removes a message that was discarded, or that the server has. */
  remove(id: string): void {
    this.swap(id);
  }

  /** Replaces a message by another, or removes it. */
  swap(id: string, by?: Unsent): void {
    const old = this.unsent(id);
    if (!old) return;
    this.list.value = this.list.value.flatMap(m => (m === old ? (by ?? []) : m));
    this.#delivery?.swapped(id, by);
    this.show(old.room);
  }

  /** Sends all messages now, because the server can be reached again. */
  wake(): void {
    this.#delivery?.wake();
    if (this.#needed) void this.load();
  }

  /** Loads the delivery, and starts it. After a failure, wake tries again. */
  load(): Promise<void> {
    this.#needed = true;
    return (this.#loading ??= this.#load().catch(() => void (this.#loading = undefined)));
  }

  async #load(): Promise<void> {
    const delivery = await this.create();
    await delivery.start();
    this.#delivery = delivery;
  }

  /** Reads the stored messages again: another page of the person may have stored some since. */
  async read(): Promise<void> {
    if (this.#delivery) await this.#delivery.start();
    else await this.load();
  }

  close(): void {
    this.closed = true;
    this.#alarm.clear();
    this.#delivery?.wake();
  }

  /** Removes all stored messages. */
  async forget(): Promise<void> {
    await this.load();
    await this.#delivery?.forget();
  }
}
