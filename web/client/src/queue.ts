import { RequestError } from "./errors.js";
import { retryIn, statusOf } from "./http.js";
import { Pause } from "./pause.js";
import type { Request, Storage, StoredMessage, Unsent } from "./types.js";

/** The server takes no older messages. */
const MAX_AGE = 86_400_000;
const TOO_OLD = "Not sent: a day has passed.";
const CLOCK = "Not sent: the clock of this device is wrong. It may have been sent before.";
const CLOCK_SKEW = "urn:parley:problem:clock-skew";

export interface QueueHost {
  readonly storage: Storage | undefined;
  /** Does a request once. */
  readonly once: Request;
  /** Whether the server can be reached. */
  readonly reachable: boolean;
  /** Returns a new id in the server's time, which a refusal has told. */
  newId(serverTime: string): string;
  /** Told of a message that the server has stored, before sent is. */
  stored(m: StoredMessage): void;
  /** Told that the unsent messages of a room have changed. */
  unsent(room: string): void;
}

/** The unsent messages. Those of one room are sent in order, and each until the server has it. */
export class Queue {
  #items: readonly Unsent[] = [];
  #pauses = new Map<string, Pause>(); // of the rooms that are being sent to
  #closed = false;

  constructor(private readonly o: QueueHost) {}

  of(room: string): readonly Unsent[] {
    return this.#items.filter(m => m.room === room);
  }

  add(m: Unsent): void {
    if (this.#find(m.id)) return;
    this.#items = [...this.#items, m];
    void this.#store(m);
    this.o.unsent(m.room);
    void this.#send(m.room);
  }

  /** Sends a failed message again. */
  retry(id: string): void {
    const m = this.#find(id);
    if (!m) return;
    const { error: _, ...rest } = m;
    this.#replace(id, { ...rest, at: Date.now() });
    void this.#send(m.room);
  }

  /** Forgets a message that is not to be sent, or that the server has. */
  remove(id: string): void {
    this.#replace(id);
  }

  /** Sends everything now: the server can be reached again. */
  wake(): void {
    for (const pause of this.#pauses.values()) pause.end();
  }

  close(): void {
    this.#closed = true;
    this.wake();
  }

  #find(id: string): Unsent | undefined {
    return this.#items.find(m => m.id === id);
  }

  #replace(id: string, ...by: Unsent[]): void {
    const old = this.#find(id);
    if (!old) return;
    this.#items = this.#items.flatMap(m => (m === old ? by : m));
    for (const m of by) void this.#store(m);
    if (by[0]?.id !== id) this.o.storage?.delete(id).catch(() => {});
    this.o.unsent(old.room);
  }

  /** Stores a message. If that fails, it waits in memory alone. */
  async #store(m: Unsent): Promise<void> {
    await this.o.storage?.put(m).catch(() => {});
  }

  /** Sends the messages of a room, one after the other. */
  async #send(room: string): Promise<void> {
    if (this.#pauses.has(room)) return;
    const pause = new Pause();
    this.#pauses.set(room, pause);
    for (let failures = 0; !this.#closed; ) {
      const m = this.#items.find(m => m.room === room && !m.error);
      if (!m) break;
      const left = m.at + MAX_AGE - Date.now();
      if (left <= 0) this.#replace(m.id, { ...m, error: TOO_OLD });
      else if (!this.o.reachable) await pause.wait(left);
      else {
        const ms = await this.#try(m, ++failures);
        if (ms) await pause.wait(ms);
        else failures = 0;
      }
    }
    this.#pauses.delete(room);
  }

  /** Tries to send a message. Returns the pause before another try, or 0 if there is none. */
  async #try(m: Unsent, failures: number): Promise<number> {
    const { id, room, text, metadata, tried } = m;
    // A page that dies now may have sent it.
    const trying = { ...m, tried: true };
    this.#items = this.#items.map(other => (other === m ? trying : other));
    await this.#store(trying);
    try {
      const body = { id, text, ...(metadata && { metadata }) };
      this.o.stored(await this.o.once("POST", `/rooms/${encodeURIComponent(room)}/messages`, body));
      if (this.#find(id)) this.remove(id);
      else this.o.unsent(room);
      return 0;
    } catch (e) {
      const status = statusOf(e);
      if (status && status < 500) this.#refused({ ...m, tried: !!tried }, e as RequestError);
      return status === 401 ? 1 : retryIn(e, failures);
    }
  }

  /** Takes a refusal: this try has stored nothing, but one before may have. */
  #refused(m: Unsent, { status, problem, message }: RequestError): void {
    if (status === 429 || status === 401) return this.#replace(m.id, m);
    if (problem?.type !== CLOCK_SKEW || !problem.serverTime) return this.#replace(m.id, { ...m, error: message });
    if (m.tried || m.renewed) return this.#replace(m.id, { ...m, error: CLOCK });
    this.#replace(m.id, { ...m, id: this.o.newId(problem.serverTime), renewed: true });
  }
}
