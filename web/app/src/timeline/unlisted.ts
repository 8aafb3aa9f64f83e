import type { Message } from "@parley/client";
import { chat, panel, toast } from "../state/store.js";

/** Shows a message of a link that the room does not list: it may be a reply, which its thread shows. */
export async function showUnlisted(room: string, id: string): Promise<void> {
  const path = `/rooms/${[room, id].map(encodeURIComponent).join("/messages/")}`;
  const message = await chat.value?.request<Message>("GET", path).catch(() => undefined);
  if (message?.thread) panel.value = `thread:${message.thread}`;
  else toast("This message does not exist, or you may not see it.");
}
