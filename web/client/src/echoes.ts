// The caller's own reactions and votes come back as events, which may be late.
import type { Chat } from "./types.js";

/** The event of a choice arrives within this time, or never. */
const EVENT_TIME = 10_000;

/** The sent changes and their times, by subject. */
type Sent = Map<string, (readonly [choice: string, at: number])[]>;

const sent = new WeakMap<Chat, Sent>();

/** Returns the choices about something whose events may still arrive. */
export function recent(chat: Chat, about: string): (readonly [string, number])[] {
  return (sent.get(chat)?.get(about) ?? []).filter(([, at]) => at > Date.now() - EVENT_TIME);
}

function keep(chat: Chat, about: string, choices: (readonly [string, number])[]): void {
  const all = sent.get(chat) ?? new Map() as Sent;
  sent.set(chat, all);
  if (choices.length) all.set(about, choices);
  else all.delete(about);
}

/** Records a choice that is sent. */
export function choose(chat: Chat, about: string, choice: unknown): void {
  keep(chat, about, [...recent(chat, about), [`${choice}`, Date.now()]]);
}

/** Handles the event of a choice, and reports whether this device has chosen again since. */
export function overtaken(chat: Chat, about: string, choice: unknown): boolean {
  const all = recent(chat, about);
  const at = all.findIndex(([c]) => c === `${choice}`);
  const later = all.slice(at + 1);
  keep(chat, about, later);
  return at >= 0 && later.length > 0;
}
