import { timeOf } from "./ids.js";
import type { Message, RoomView, StoredMessage, Unsent } from "./types.js";

export const CLOSED: RoomView = {
  messages: [], hasOlder: false, hasNewer: false, phase: "closed", typing: [], online: [], onlineCount: 0, people: {},
};

const rows = new WeakMap<Unsent, Message>();

/** Returns an unsent message as the room shows it: the same object as long as it is the same. */
export function rowOf(unsent: Unsent, user: string): Message {
  const { id, room, text, metadata, error } = unsent;
  const at = new Date(timeOf(id)).toISOString();
  const row = rows.get(unsent) ?? {
    id, room, user, text, sentAt: at, receivedAt: at, revision: 0,
    ...(metadata && { metadata }), ...(error ? { status: "failed", error } : { status: "pending" }),
  };
  rows.set(unsent, row);
  return row;
}

/** Returns a message that tells whether its sender is blocked. */
export function blockedOr(m: StoredMessage, blocked: boolean): StoredMessage {
  const { blocked: was = false, ...rest } = m;
  if (was === blocked) return m;
  return blocked ? { ...rest, blocked } : rest;
}
