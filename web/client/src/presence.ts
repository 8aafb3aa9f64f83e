import type { Request } from "./types.js";

/** A person who has left is shown for so long, because most come back: a page was loaded again. */
const LEAVE_AFTER = 15_000;
/** The server takes one report of typing in this time. */
const TYPING_EVERY = 8000;
/** No typing is shown for longer, whatever the clocks say. */
const TYPING_SHOWS = 10_000;
/** Rooms with more people send no presence, and an answer names no more. */
const MOST = 50;

type Timer = ReturnType<typeof setTimeout>;

/** Who is online in a room, and who types there. */
export class Presence {
  #online = new Set<string>();
  #count = 0;
  #leaving = new Map<string, Timer>();
  #typing = new Map<string, Timer>();
  #typed = 0;

  constructor(private readonly changed: () => void) {}

  get typing(): string[] {
    return [...this.#typing.keys()];
  }

  get online(): string[] {
    return [...this.#online].sort();
  }

  get onlineCount(): number {
    return Math.max(this.#count, this.#online.size);
  }

  /** Reads who is online. It is of no importance: a failure leaves what is shown. */
  async load(request: Request, room: string): Promise<void> {
    const now = await request<{ users: string[]; count: number }>("GET", `/rooms/${room}/online`).catch(() => undefined);
    if (!now) return;
    this.#online = new Set(now.users);
    this.#count = now.count > MOST ? now.count : 0;
    this.#cancel(this.#leaving);
    this.changed();
  }

  /** Takes the news that a person has come or left. */
  moved(user: string, online: boolean): void {
    clearTimeout(this.#leaving.get(user));
    this.#leaving.delete(user);
    if (!online) {
      this.#leaving.set(user, setTimeout(() => this.#left(user), LEAVE_AFTER));
    } else if (!this.#online.has(user)) {
      this.#online.add(user);
      this.changed();
    }
  }

  #left(user: string): void {
    this.#leaving.delete(user);
    if (this.#online.delete(user)) this.changed();
  }

  /** Shows for some milliseconds that a person types. */
  types(user: string, ms: number): void {
    clearTimeout(this.#typing.get(user));
    const shown = this.#typing.has(user);
    this.#typing.set(user, setTimeout(() => this.stops(user), Math.max(0, Math.min(ms, TYPING_SHOWS))));
    if (!shown) this.changed();
  }

  /** Shows that a person does not type any more. */
  stops(user: string): void {
    clearTimeout(this.#typing.get(user));
    if (this.#typing.delete(user)) this.changed();
  }

  /** Reports whether the caller's typing is to be told now. */
  tell(now: number): boolean {
    if (now - this.#typed < TYPING_EVERY) return false;
    this.#typed = now;
    return true;
  }

  /** Forgets everybody. */
  clear(): void {
    this.#cancel(this.#leaving);
    this.#cancel(this.#typing);
    this.#online.clear();
    this.#count = 0;
  }

  #cancel(timers: Map<string, Timer>): void {
    for (const t of timers.values()) clearTimeout(t);
    timers.clear();
  }
}
