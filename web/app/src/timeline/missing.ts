import type { Message } from "@parley/client";
import { chat, panel, toast } from "../state/store.js";

/** A room does not list a message to which a link leads: it may be a reply, which its thread shows. */
export async function missed(room: string, id: string): Promise<void> {
  const path = `/rooms/${[room, id].map(encodeURIComponent).join("/messages/")}`;
  const message = await chat.value?.request<Message>("GET", path).catch(() => undefined);
  if (message?.thread) panel.value = `thread:${message.thread}`;
  else toast("This message does not exist, or you may not see it.");
}
