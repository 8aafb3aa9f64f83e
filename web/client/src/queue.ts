import type { ChatClient } from "./chat.js";
import type { RequestError } from "./errors.js";
import { encode, restamp } from "./ids.js";
import { retryIn, statusOf } from "./http.js";
import { Alarm } from "./pause.js";
import type { StoredMessage, Unsent } from "./types.js";

/** The server takes no older messages. */
const MAX_AGE = 86_400_000;
const TOO_OLD = "Not sent for a day.";
const CLOCK = "Not sent, or sent before: the clock of this device is wrong.";
const CLOCK_SKEW = "urn:parley:problem:clock-skew";

type Host = Pick<ChatClient, "storage" | "http" | "reachable" | "time" | "opened">;

/** The unsent messages. Those of one room are sent in order, and each until the server has it. */
export class Queue {
  #items: readonly Unsent[] = [];
  #pauses = new Map<string, Alarm>(); // of the rooms that are being sent to
  #closed = false;

  constructor(private readonly chat: Host) {}

  of(room: string): readonly Unsent[] {
    return this.#items.filter(m => m.room === room);
  }

  add(m: Unsent): void {
    if (this.#find(m.id)) return;
    this.#items = [...this.#items, m];
    void this.#store(m);
    this.#show(m.room);
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
    for (const pause of this.#pauses.values()) pause.ring();
  }

  close(): void {
    this.#closed = true;
    this.wake();
  }

  #show(room: string): void {
    this.chat.opened.get(room)?.show();
  }

  #find(id: string): Unsent | undefined {
    return this.#items.find(m => m.id === id);
  }

  #replace(id: string, ...by: Unsent[]): void {
    const old = this.#find(id);
    if (!old) return;
    this.#items = this.#items.flatMap(m => (m === old ? by : m));
    for (const m of by) void this.#store(m);
    if (by[0]?.id !== id) this.chat.storage?.delete(id).catch(() => {});
    this.#show(old.room);
  }

  /** Stores a message. If that fails, it waits in memory alone. */
  async #store(m: Unsent): Promise<void> {
    await this.chat.storage?.put(m).catch(() => {});
  }

  /** Sends the messages of a room, one after the other. */
  async #send(room: string): Promise<void> {
    if (this.#pauses.has(room)) return;
    const pause = new Alarm();
    const wait = (ms: number) => new Promise<void>(resolve => pause.set(ms, resolve));
    this.#pauses.set(room, pause);
    for (let failures = 0; !this.#closed; ) {
      const m = this.#items.find(m => m.room === room && !m.error);
      if (!m) break;
      const left = m.at + MAX_AGE - Date.now();
      if (left <= 0) this.#replace(m.id, { ...m, error: TOO_OLD });
      else if (!this.chat.reachable) await wait(left);
      else {
        const ms = await this.#try(m, ++failures);
        if (ms) await wait(ms);
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
      const stored = await this.chat.http.once<StoredMessage>("POST", `/rooms/${encode(room)}/messages`, body);
      this.chat.opened.get(room)?.stored(stored);
      if (this.#find(id)) this.remove(id);
      else this.#show(room);
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
    this.chat.time(problem.serverTime);
    this.#replace(m.id, { ...m, id: restamp(m.id, Date.parse(problem.serverTime)), renewed: true });
  }
}
