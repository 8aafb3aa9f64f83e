// Who waits for the end of an act.
import type { Act, Chat } from "./types.js";

interface Waiter {
  resolve(act: Act): void;
  reject(e: unknown): void;
}

/** Who waits for an act, by its id. */
const waiters = new WeakMap<Chat, Map<string, Waiter[]>>();

function waitersOf(chat: Chat): Map<string, Waiter[]> {
  const all = waiters.get(chat) ?? new Map<string, Waiter[]>();
  waiters.set(chat, all);
  return all;
}

/** Resolves with an act when the server has it, and rejects when it is refused. */
export function ending(chat: Chat, act: Act): Promise<Act> {
  return new Promise((resolve, reject) => {
    const all = waitersOf(chat);
    all.set(act.id, [...(all.get(act.id) ?? []), { resolve, reject }]);
  });
}

/** Tells those who wait for an act that the server has it, or why it was refused. */
export function settle(chat: Chat, act: Act, error?: unknown): void {
  const all = waitersOf(chat);
  for (const w of all.get(act.id) ?? []) error ? w.reject(error) : w.resolve(act);
  all.delete(act.id);
}

/** Lets those who wait for an act wait for another one, which takes its place. */
export function renamed(chat: Chat, from: string, to: string): void {
  const all = waitersOf(chat);
  all.set(to, all.get(from) ?? []);
  all.delete(from);
}
