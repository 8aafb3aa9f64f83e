// What the sums of unread messages count: those of the list, the title and the icon of the window.
import type { RoomEntry } from "@parley/client";

/** Returns what a room adds to the unread messages. A muted room adds only its mentions. */
export const counted = ({ muted, mentions, unread }: RoomEntry): number => (muted ? mentions : unread);

export const unreadIn = (rooms: readonly RoomEntry[]): number => rooms.reduce((sum, r) => sum + counted(r), 0);

export const mentionsIn = (rooms: readonly Pick<RoomEntry, "mentions">[]): number => rooms.reduce((sum, r) => sum + r.mentions, 0);
