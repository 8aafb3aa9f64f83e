import type { Client } from "./client.js";
import { threadsOf } from "./thread.js";
import type { StoredMessage } from "./types.js";

/** Returns where the messages of a room are shown: the room, if it was opened, and its threads. */
export const viewsOf = (chat: Client, room: string) => [chat.opened.get(room), ...threadsOf(chat, room)];

/** Changes a message wherever it is shown. */
export function alter(chat: Client, room: string, id: string, change: (m: StoredMessage) => StoredMessage): void {
  for (const v of viewsOf(chat, room)) v?.each(m => (m.id === id ? change(m) : m));
}
