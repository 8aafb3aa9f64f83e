// Opens rooms that are not in the person's list yet.
import { chat, go } from "../state/store.js";

/** Opens the direct room with somebody, which the first of both to ask creates. */
export async function writeTo(user: string): Promise<void> {
  const room = await chat.value?.request<{ id: string }>("POST", "/rooms", { direct: [user] });
  if (room) go(room.id);
}

/** Joins a public room. */
export async function join(room: string): Promise<void> {
  await chat.value?.request("PUT", `/rooms/${encodeURIComponent(room)}/members/me`, { role: "member" });
}
