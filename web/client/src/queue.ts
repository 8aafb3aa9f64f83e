import { Refusal } from "./http.js";
import { Pause } from "./pause.js";
import type { Storage, StoredMessage, Unsent } from "./types.js";

/** The server takes no older messages. */
const MAX_AGE = 86_400_000;
const TOO_OLD = "Not sent: a day has passed.";
const CLOCK = "Not sent: the clock of this device is wrong. It may have been sent before.";

export interface QueueOptions {
  storage: () => Storage | undefined;
  /** Posts a message once. It throws a Refusal. */
  post: (m: Unsent) => Promise<StoredMessage>;
  /** Returns a new id in the server's time, which a refusal has told. */
  newId: (serverTime: string) => string;
  /** Whether the server can be reached. */
  ready: () => boolean;
  /** Told that the unsent messages of a room have changed. */
  changed: (room: string) => void;
  /** Told of a message that the server has stored. */
  stored: (m: StoredMessage) => void;
}

/** The unsent messages. Those of one room are sent in order, and each until the server has it. */
export class Queue {
  #items: readonly Unsent[] = [];
  #running = new Set<string>();
  #pause = new Map<string, Pause>();
  #closed = false;

  constructor(private readonly o: QueueOptions) {}

  of(room: string): readonly Unsent[] {
    return this.#items.filter(m => m.room === room);
  }

  /** Adds a message, or all that were stored. */
  add(...messages: Unsent[]): void {
    const fresh = messages.filter(m => !this.#find(m.id));
    this.#items = [...this.#items, ...fresh];
    for (const m of fresh) void this.#store(m);
    for (const room of new Set(fresh.map(m => m.room))) {
      this.o.changed(room);
      void this.#send(room);
    }
  }

  retry(id: string): void {
    const m = this.#find(id);
    if (!m?.error) return;
    const { error: _, ...rest } = m;
    this.#replace(id, { ...rest, at: Date.now() });
    void this.#send(m.room);
  }

  /** Forgets a message that is not sent, or that the server has. */
  remove(id: string): void {
    if (this.#find(id)) this.#replace(id);
  }

  /** Sends everything now: the server can be reached again. */
  wake(): void {
    for (const room of new Set(this.#items.map(m => m.room))) {
      this.#pause.get(room)?.end();
      void this.#send(room);
    }
  }

  close(): void {
    this.#closed = true;
    this.wake();
  }

  #find(id: string): Unsent | undefined {
    return this.#items.find(m => m.id === id);
  }

  #replace(id: string, ...by: Unsent[]): void {
    const i = this.#items.findIndex(m => m.id === id);
    const old = this.#items[i];
    if (!old) return;
    this.#items = this.#items.toSpliced(i, 1, ...by);
    for (const m of by) void this.#store(m);
    if (by[0]?.id !== id) void this.o.storage()?.delete(id).catch(() => {});
    this.o.changed(old.room);
  }

  /** Stores a message. Without a storage it waits in memory alone. */
  async #store(m: Unsent): Promise<void> {
    await this.o.storage()?.put(m).catch(() => {});
  }

  /** Sends the messages of a room, one after the other. */
  async #send(room: string): Promise<void> {
    if (this.#running.has(room)) return;
    this.#running.add(room);
    const pause = new Pause();
    this.#pause.set(room, pause);
    for (let failures = 0, m; !this.#closed && (m = this.#items.find(m => m.room === room && !m.error)); ) {
      if (Date.now() - m.at > MAX_AGE) this.#fail(m, TOO_OLD);
      else if (!this.o.ready()) await pause.wait(m.at + MAX_AGE + 1 - Date.now());
      else {
        const ms = await this.#try(m, failures + 1);
        failures = ms ? failures + 1 : 0;
        if (ms) await pause.wait(ms);
      }
    }
    this.#running.delete(room);
  }

  /** Tries to send a message. Returns the pause before another try, or 0 if there is none. */
  async #try(m: Unsent, failures: number): Promise<number> {
    const doubtful = m.tried;
    // A page that dies now may have sent it.
    const trying = { ...m, tried: true };
    this.#items = this.#items.map(other => (other === m ? trying : other));
    await this.#store(trying);
    try {
      const stored = await this.o.post(trying);
      this.remove(m.id);
      this.o.stored(stored);
      return 0;
    } catch (e) {
      const refusal = e instanceof Refusal ? e : new Refusal(0, undefined, 0);
      return this.#closed ? 0 : this.#refused(m, refusal, !!doubtful, failures);
    }
  }

  #refused(m: Unsent, e: Refusal, doubtful: boolean, failures: number): number {
    const { status, problem } = e;
    const { tried: _, ...untried } = m;
    const known = doubtful ? { ...m, tried: true } : untried; // a refusal of now leaves the doubt of before
    if (!status || status >= 500) return e.pause(failures);
    if (status === 429 || status === 401) {
      this.#replace(m.id, known);
      return e.pause(failures);
    }
    if (problem?.type !== "urn:parley:problem:clock-skew" || !problem.serverTime) this.#fail(known, e.message);
    else if (doubtful || m.renewed) this.#fail(known, CLOCK);
    else this.#replace(m.id, { ...untried, id: this.o.newId(problem.serverTime), renewed: true });
    return 0;
  }

  #fail(m: Unsent, error: string): void {
    this.#replace(m.id, { ...m, error });
  }
}
