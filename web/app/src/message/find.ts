// Finds messages in a list of messages. It is pure.
import type { Message, Room, Thread } from "@parley/client";

/** Reports whether a room is a thread. */
export const isThread = (room: Room): room is Thread => "root" in room;

/** Returns the caller's newest message that can be edited. */
export function lastOwn(messages: readonly Message[], user: string): Message | undefined {
  return messages.findLast(m => m.user === user && !m.system && !m.status && !m.deletedAt);
}

/** Returns how many messages of others follow the one with the id; 0 if it is not there. */
export function othersAfter(messages: readonly Message[], id: string, user: string): number {
  const at = messages.findIndex(m => m.id === id);
  return at < 0 ? 0 : messages.slice(at + 1).filter(m => m.user !== user && !m.deletedAt).length;
}
