// The loaded part of a room's messages: a list without holes, oldest first. All functions are pure.
import type { StoredMessage } from "./types.js";

export interface Span {
  readonly messages: readonly StoredMessage[];
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
}

export const EMPTY: Span = { messages: [], hasOlder: false, hasNewer: false };

/** Orders messages as the server does: by the time of receipt, the sender and the UUID. */
export function compare(a: StoredMessage, b: StoredMessage): number {
  return order(a.receivedAt, b.receivedAt) || order(a.user, b.user) || order(a.id, b.id);
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Puts a message in its place. An older revision than the loaded one changes nothing, and neither
 * does a message that lies beyond the loaded ones.
 */
export function put(span: Span, m: StoredMessage): Span {
  const { messages, hasOlder, hasNewer } = span;
  // Most messages belong near the end.
  const i = messages.findLastIndex(other => compare(other, m) < 0) + 1;
  const there = messages[i];
  if (there?.id === m.id) {
    return there.revision >= m.revision ? span : { ...span, messages: messages.with(i, m) };
  }
  if ((i === 0 && hasOlder) || (i === messages.length && hasNewer)) return span;
  return { ...span, messages: messages.toSpliced(i, 0, m) };
}

/** Adds a page at one end, and whether there is more beyond it. */
export function extend(span: Span, page: readonly StoredMessage[], end: "older" | "newer", more: boolean): Span {
  let open: Span = end === "older" ? { ...span, hasOlder: false } : { ...span, hasNewer: false };
  for (const m of page) open = put(open, m);
  return end === "older" ? { ...open, hasOlder: more } : { ...open, hasNewer: more };
}

/** Forgets the messages beyond the newest, or the oldest, keep ones. */
export function trim(span: Span, end: "older" | "newer", keep: number): Span {
  const { messages } = span;
  if (messages.length <= keep) return span;
  return end === "older"
    ? { ...span, messages: messages.slice(messages.length - keep), hasOlder: true }
    : { ...span, messages: messages.slice(0, keep), hasNewer: true };
}

/** Returns the id of the first of the newest messages that count as unread, if it is among them. */
export function firstUnread(messages: readonly StoredMessage[], unread: number, user: string): string | undefined {
  if (unread > 0) {
    for (const m of messages.toReversed()) {
      if (m.user !== user && !m.deletedAt && !m.blocked && --unread === 0) return m.id;
    }
  }
  return undefined;
}
