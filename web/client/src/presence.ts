import type { Request } from "./types.js";

/** A person who has left is shown for so long, because most come back: a page was loaded again. */
const LEAVE_AFTER = 15_000;
/** The server takes one report of typing in this time. */
const TYPING_EVERY = 8000;

/** Who is online in a room, and who types there. */
export class Presence {
  #online = new Set<string>();
  #typing = new Set<string>();
  #timers = new Map<string, ReturnType<typeof setTimeout>>(); // of both, by user
  #count = 0;
  #typed = -TYPING_EVERY;

  constructor(private readonly changed: () => void) {}

  get typing(): string[] {
    return [...this.#typing];
  }

  get online(): string[] {
    return [...this.#online].sort();
  }

  /** More than online, in rooms where not everybody is named and presence is not sent. */
  get onlineCount(): number {
    return Math.max(this.#count, this.#online.size);
  }

  /** Reads who is online. It is of no importance: a failure leaves what is shown. */
  async load(request: Request, room: string): Promise<void> {
    const { users, count } = await request<{ users: string[]; count: number }>("GET", `/rooms/${room}/online`);
    this.#online = new Set(users);
    this.#count = count > users.length ? count : 0;
    this.changed();
  }

  /** Takes the news that a person has come or left. */
  moved(user: string, online: boolean): void {
    if (!online) return this.#after(user, LEAVE_AFTER, () => this.#online.delete(user));
    clearTimeout(this.#timers.get(user));
    this.#online.add(user);
    this.changed();
  }

  /** Shows for some milliseconds that a person types. */
  types(user: string, ms: number): void {
    this.#typing.add(user);
    this.#after(`${user} types`, ms, () => this.#typing.delete(user));
    this.changed();
  }

  /** Shows that a person does not type any more. */
  stops(user: string): void {
    this.#typing.delete(user);
  }

  /** Reports whether the caller's typing is to be told now. */
  tell(now: number): boolean {
    const due = now - this.#typed >= TYPING_EVERY;
    if (due) this.#typed = now;
    return due;
  }

  /** Forgets everybody. */
  clear(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const all of [this.#timers, this.#online, this.#typing]) all.clear();
    this.#count = 0;
  }

  #after(key: string, ms: number, fn: () => void): void {
    clearTimeout(this.#timers.get(key));
    const late = () => {
      this.#timers.delete(key);
      fn();
      this.changed();
    };
    this.#timers.set(key, setTimeout(late, ms));
  }
}
