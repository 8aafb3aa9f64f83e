import type { Client } from "./client.js";
import { threadsOf } from "./thread.js";
import type { RoomView, StoredMessage } from "./types.js";

/** A room or a thread, which shows messages. */
interface View {
  /** Its messages; first is the one that a thread replies to. */
  readonly value: RoomView & { readonly first?: StoredMessage };
  /** Puts a message in its place, without showing it. */
  stored(m: StoredMessage): void;
  /** Changes the loaded messages, and shows them. */
  each(change: (m: StoredMessage) => StoredMessage): void;
}

/** Returns the views of a room's messages: the room, if it was opened, and its threads. */
export const viewsOf = (chat: Client, room: string): (View | undefined)[] =>
  [chat.opened.get(room), ...threadsOf(chat, room)];

/** Changes a message in each view. */
export function alter(chat: Client, room: string, id: string, change: (m: StoredMessage) => StoredMessage): void {
  for (const v of viewsOf(chat, room)) v?.each(m => (m.id === id ? change(m) : m));
}
