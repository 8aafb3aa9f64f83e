import type { ChatClient } from "./chat.js";
import type { Frame } from "./link.js";
import { threadsOf } from "./thread.js";
import { reacted, voted } from "./timeline.js";
import type { StoredMessage } from "./types.js";
import { overtaken } from "./vote.js";

/** Returns where the messages of a room are shown: the room, if it was opened, and its threads. */
export const viewsOf = (chat: ChatClient, room: string) => [chat.opened.get(room), ...threadsOf(chat, room)];

/** Changes a message wherever it is shown. */
export function alter(chat: ChatClient, room: string, id: string, change: (m: StoredMessage) => StoredMessage): void {
  for (const v of viewsOf(chat, room)) v?.each(m => (m.id === id ? change(m) : m));
}

/** Takes the event that the caller has reacted or voted, maybe on another device. */
export function chosen(chat: ChatClient, { room = "", id = "", emoji, me, choices }: NonNullable<Frame["event"]>): void {
  if (choices && overtaken(chat, id, choices)) return;
  alter(chat, room, id, m => (choices ? voted(m, choices, false) : reacted(m, emoji!, !!me, false)));
}
