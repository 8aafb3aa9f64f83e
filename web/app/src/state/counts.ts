// The sums of unread messages in the list, the title and the icon of the window.
import type { Message, RoomEntry } from "@parley/client";
import type { Page } from "./page.js";

/** Reports whether a message counts as unread until the person has read it. */
export const counts = ({ me, blocked }: Page, m: Message): boolean =>
  m.user !== me.value && !m.system && !m.deletedAt && !m.blocked && !blocked.value.has(m.user);

/** Returns what a room adds to the unread messages. A muted room adds only its mentions. */
export const counted = ({ muted, mentions, unread }: RoomEntry): number => (muted ? mentions : unread);

export const unreadIn = (rooms: readonly RoomEntry[]): number => rooms.reduce((sum, r) => sum + counted(r), 0);

export const mentionsIn = (rooms: readonly Pick<RoomEntry, "mentions">[]): number =>
  rooms.reduce((sum, r) => sum + r.mentions, 0);
