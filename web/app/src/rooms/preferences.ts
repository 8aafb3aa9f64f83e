// The person's preferences about a room, on all devices.
import type { RoomEntry } from "@parley/client";
import type { Page } from "../state/page.js";

/** The levels of notifications in words. */
export const levelNames = {
  all: "All messages", direct: "Direct messages, mentions, threads", mentions: "Mentions", none: "Nothing",
} as const;

type Preferences = { [F in "favorite" | "level" | "levelUntil"]?: RoomEntry[F] | undefined };

/** Changes what the person has chosen for a room, and shows it. */
export async function prefer({ chat }: Page, room: RoomEntry, part: Preferences): Promise<void> {
  const { favorite = false, level, levelUntil } = {
    favorite: room.favorite, level: room.level, levelUntil: room.levelUntil, ...part,
  };
  await chat.value?.request("PUT", `/people/me/rooms/${encodeURIComponent(room.id)}`, {
    favorite, ...(level && { level, ...(levelUntil && { levelUntil }) }),
  });
  await chat.value?.rooms.reload();
}
