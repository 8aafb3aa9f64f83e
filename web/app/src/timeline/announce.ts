// Decides what a screen reader hears of a room: others' new messages, each once, never history.
import type { Message, RoomView } from "@parley/client";

/** At most one announcement in this time, so that speech can keep up. */
export const announcePause = 2000;
/** A longer text is cut: the person can read on in the log. */
const longestText = 200;
/** More messages than these are only counted. */
const mostTexts = 3;

export interface Heard { readonly author: string; readonly text: string }

/** Returns one announcement of messages. */
export function phrase(messages: readonly Heard[]): string {
  if (messages.length > mostTexts) return `${messages.length} new messages`;
  return messages.map(m => `${m.author}: ${cut(m.text)}`).join(". ");
}

function cut(text: string): string {
  const s = text.slice(0, 2 * longestText).replace(/\s+/g, " ").trim();
  return s.length <= longestText ? s : `${s.slice(0, longestText).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Finds the messages that have come in since the last look at a room. */
export class Arrivals {
  #seen: Set<string> | undefined;

  /** Returns the new messages of others. The first look, and one after older pages, return none. */
  look(view: RoomView, user: string, hidden: ReadonlySet<string>): readonly Message[] {
    if (view.phase !== "ready" || view.hasNewer) {
      this.#seen = undefined; // what follows is history until the newest messages are loaded
      return [];
    }
    const seen = this.#seen;
    this.#seen = new Set(view.messages.map(m => m.id));
    if (!seen) return [];
    // Older pages come in before what was known; only what follows it is new.
    const known = view.messages.findIndex(m => seen.has(m.id) && !m.status);
    if (known < 0 && seen.size > 0) return [];
    return view.messages.slice(known + 1).filter(m =>
      !seen.has(m.id) && m.user !== user && !m.status && !m.system && !m.deletedAt && !m.blocked
        && !hidden.has(m.user));
  }
}

/** Announces messages no faster than speech can follow. */
export class Speaker {
  readonly #say: (text: string) => void;
  #waiting: Heard[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(say: (text: string) => void) {
    this.#say = say;
  }

  add(heard: readonly Heard[]): void {
    this.#waiting.push(...heard);
    if (this.#timer === undefined) this.#next();
  }

  /** Announces a text now. Messages wait until it was heard. */
  say(text: string): void {
    clearTimeout(this.#timer);
    this.#say(text);
    this.#timer = setTimeout(() => this.#next(), announcePause);
  }

  #next(): void {
    this.#timer = undefined;
    const heard = this.#waiting;
    this.#waiting = [];
    if (heard.length) this.say(phrase(heard));
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#waiting = [];
    this.#timer = undefined;
  }
}
