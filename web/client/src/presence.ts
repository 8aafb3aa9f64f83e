import type { RoomView } from "./types.js";

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
  #typed = 0;
  #came: Set<string> | undefined; // since it was last asked who is online

  constructor(private readonly changed: () => void) {}

  /** Returns what a person's room shows. The count is of rooms where not everybody is named. */
  of(user: string): Pick<RoomView, "typing" | "online" | "onlineCount"> {
    const online = [...this.#online].sort();
    const typing = [...this.#typing].filter(other => other !== user);
    return { typing, online, onlineCount: Math.max(this.#count, online.length) };
  }

  /** Takes the answer to who is online. It is of no importance: a failure leaves what is shown. */
  async load(asked: Promise<{ users: string[]; count: number }>): Promise<void> {
    const came = (this.#came = new Set<string>());
    const { users, count } = await asked;
    if (came !== this.#came) return; // it was asked again
    this.#online = new Set([...users, ...came]);
    this.#count = count > users.length ? count : 0;
    this.changed();
  }

  /** Takes the news that a person has come or left. */
  moved(user: string, online: boolean): void {
    if (online) this.#came?.add(user);
    this.#after(user, online ? 0 : LEAVE_AFTER, () => this.#online[online ? "add" : "delete"](user));
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
    this.#online.clear();
    this.#typing.clear();
    this.#count = 0;
  }

  #after(key: string, ms: number, fn: () => void): void {
    clearTimeout(this.#timers.get(key));
    const late = () => {
      fn();
      this.changed();
    };
    this.#timers.set(key, setTimeout(late, ms));
  }
}
