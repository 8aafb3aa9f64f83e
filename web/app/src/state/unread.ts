// What the sums of unread messages count: those of the list, the title and the icon of the window.
import type { RoomEntry } from "@parley/client";

/** A room of the list, with what the person has chosen for it. */
export type Entry = RoomEntry & { readonly favorite?: boolean; readonly muted?: boolean; readonly archived?: boolean };

/** Returns what a room adds to the unread messages. A muted room adds only its mentions. */
export const counted = ({ muted, mentions, unread }: Entry): number => (muted ? mentions : unread);

export const unreadIn = (rooms: readonly Entry[]): number => rooms.reduce((sum, r) => sum + counted(r), 0);

export const mentionsIn = (rooms: readonly Entry[]): number => rooms.reduce((sum, r) => sum + r.mentions, 0);
