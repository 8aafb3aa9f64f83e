// How many messages of a room are unread.
import type { Room } from "@parley/client";
import { useValue } from "../state/cell.js";
import { usePage } from "../state/page.js";

/** The largest count of unread messages that the server returns. */
export const manyUnread = 1000;

/** Returns the unread messages of a room by the list. */
export const useUnread = (room: Room): number =>
  useValue(usePage().list).rooms.find(r => r.id === room.id)?.unread ?? 0;

/** Returns a count of unread messages in words. */
export const countOf = (n: number): string => (n >= manyUnread ? `${manyUnread - 1}+` : String(n));
