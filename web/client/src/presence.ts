import type { RoomView } from "./types.js";

/** A person who leaves is shown for this time: most reload their page, and return. */
const LEAVE_AFTER = 15_000;
/** The server accepts one report of typing in this time. */
const TYPING_EVERY = 8000;

/** The people who are online in a room, and the people who type there. */
export class Presence {
  #online = new Set<string>();
  #typing = new Map<string, string | undefined>(); // who types, and in which thread
  #timers = new Map<string, ReturnType<typeof setTimeout>>(); // of #online and #typing
  #count = 0; // of the people online, if not all are named
  #typedAt = 0; // when the caller's typing was last reported
  #joined: Set<string> | undefined; // since the last request of who is online

  constructor(private readonly changed: () => void) {}

  /** Returns the presence that a person's room shows, or one of its threads. */
  view(user: string, thread?: string): Pick<RoomView, "typing" | "online" | "onlineCount"> {
    const online = [...this.#online].sort();
    return {
      typing: [...this.#typing.keys()].filter(other => other !== user && this.#typing.get(other) === thread),
      online,
      onlineCount: Math.max(this.#count, online.length),
    };
  }

  /** Shows the answer to a request of who is online. */
  async load(answer: Promise<{ users: string[]; count: number }>): Promise<void> {
    const joined = (this.#joined = new Set<string>());
    const { users, count } = await answer;
    if (joined !== this.#joined) return; // there is a later request
    this.#online = new Set([...users, ...joined]);
    this.#count = count > users.length ? count : 0;
    this.changed();
  }

  /** Shows that a person is online, or, after a while, that they are not. */
  setOnline(user: string, online: boolean): void {
    const asked = this.#joined;
    if (online) asked?.add(user);
    // A list that was requested after the person left takes precedence: they may have returned.
    this.#after(user, online ? 0 : LEAVE_AFTER, () =>
      asked === this.#joined && this.#online[online ? "add" : "delete"](user));
  }

  /** Shows for some milliseconds that a person types, in a thread or not. */
  typing(user: string, ms: number, thread?: string): void {
    this.#typing.set(user, thread);
    this.#after(`typing ${user}`, ms, () => this.#typing.delete(user));
    this.changed();
  }

  /** Shows that a person has stopped typing. */
  stopTyping(user: string): void {
    this.#typing.delete(user);
  }

  /** Reports whether the caller's typing should be reported now, and assumes that it is. */
  isDue(now: number): boolean {
    return now - this.#typedAt >= TYPING_EVERY && !!(this.#typedAt = now);
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
    const run = () => {
      fn();
      this.changed();
    };
    this.#timers.set(key, setTimeout(run, ms));
  }
}
