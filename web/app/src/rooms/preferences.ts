// What the person has chosen for a room, on all devices.
import type { RoomEntry } from "@parley/client";
import type { Page } from "../state/page.js";

/** Changes what the person has chosen for a room, and shows it. */
export async function prefer({ chat }: Page, room: RoomEntry, part: { favorite?: boolean; muted?: boolean }): Promise<void> {
  const { favorite = false, muted = false } = { favorite: room.favorite, muted: room.muted, ...part };
  await chat.value?.request("PUT", `/people/me/rooms/${encodeURIComponent(room.id)}`, { favorite, muted });
  await chat.value?.rooms.reload();
}
