// Opens rooms that are not in the person's list yet.
import type { Page } from "../state/page.js";

/** Opens the direct room with a person. The first of both to ask creates it. */
export async function writeTo({ chat, route }: Page, user: string): Promise<void> {
  const room = await chat.value?.request("POST", "/rooms", { direct: [user] });
  if (room) route.go(room.id);
}

/** Joins a public room. */
export async function join({ chat }: Page, room: string): Promise<void> {
  await chat.value?.request("PUT", `/rooms/${encodeURIComponent(room)}/members/me`, { role: "member" });
}
