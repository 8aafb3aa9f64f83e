import { Alarm } from "./pause.js";
import type { Act, Message, StoredMessage, Unsent } from "./types.js";
import { Value } from "./value.js";

/** The second module is loaded at the latest this long after the client has started. */
const LOAD_AFTER = 5000;
/** The pause after the first room, so that its messages are shown before. */
const AFTER_ROOM = 500;

/** Stores, shows and sends acts. */
export interface Delivery {
  /** Reads the stored acts, which other pages of the person may have changed. */
  read(): Promise<void>;
  /** Stores and sends an act in place of another, or only removes the other. */
  put(old: Act | undefined, by?: Act): void;
  /** Returns messages with what the person did with them, of acts of their room. */
  shown(messages: readonly StoredMessage[], acts: readonly Act[]): readonly Message[];
  /** Handles the event of a reaction or a vote, and reports whether this device has chosen again since. */
  heard(act: Act): boolean;
  /** Sends what waits for a retry now. */
  wake(): void;
  /** Sends deletions that wait for their time: the page is left, and nobody can take them back. */
  leave(): void;
}

/** What the person did that the server may not have, in order. The second module sends it, and is loaded later. */
export class Acts extends Value<readonly Act[]> {
  closed = false;
  delivery: Delivery | undefined;
  #loading: Promise<void> | undefined;
  #needed = false; // whether a failed load should be repeated
  #last = 0; // when the last act was done; unique, because it orders them after a reload
  readonly #alarm = new Alarm();

  /** Show is called when the acts of a room have changed. Create loads the delivery. */
  constructor(
    readonly show: (room: string) => void,
    private readonly create: () => Promise<Delivery>,
  ) {
    super([]);
    this.loadSoon(LOAD_AFTER);
  }

  /** Loads the delivery after a pause. The first act loads it immediately. */
  loadSoon(ms = AFTER_ROOM): void {
    this.#alarm.set(ms, () => void this.load());
  }

  /** Returns the acts of a room. */
  of(room: string): readonly Act[] {
    return this.value.filter(a => a.room === room);
  }

  /** The messages among the acts. */
  get messages(): readonly Unsent[] {
    return this.value.flatMap(a => (a.kind === "message" ? a : []));
  }

  /** Returns the acts on a message. */
  on(message: string): readonly Act[] {
    return this.value.filter(a => "of" in a && a.of === message);
  }

  find(id: string): Act | undefined {
    return this.value.find(a => a.id === id);
  }

  /** Returns the time of a new act. */
  now(): number {
    return (this.#last = Math.max(this.#last + 1, Date.now()));
  }

  /**
   * Puts an act in the place of the one with an id, or at the end. Without an act, it only removes that one. Stored
   * says that the storage has the change.
   */
  put(id: string, by?: Act, stored = false): void {
    const old = this.find(id);
    const changed = by ?? old;
    if (!changed) return;
    const next = by ? [by] : [];
    this.value = old ? this.value.flatMap(a => (a === old ? next : a)) : [...this.value, ...next];
    if (!stored) this.delivery?.put(old, by);
    if (by) void this.load();
    this.show(changed.room);
  }

  /** Returns messages of a room with what the person did with them. */
  shown(room: string, messages: readonly StoredMessage[]): readonly Message[] {
    return this.delivery?.shown(messages, this.of(room)) ?? messages;
  }

  /** Sends all acts now, because the server can be reached again. */
  wake(): void {
    this.delivery?.wake();
    if (this.#needed) void this.load();
  }

  /** Loads the delivery, and reads the stored acts. After a failure, wake tries again. */
  load(): Promise<void> {
    this.#needed = true;
    return (this.#loading ??= this.#load().catch(() => void (this.#loading = undefined)));
  }

  async #load(): Promise<void> {
    await (await this.create()).read();
  }

  close(): void {
    this.closed = true;
    this.#alarm.clear();
    this.delivery?.wake();
  }
}
