import type { Client } from "./client.js";
import { encode } from "./ids.js";
import { threadsOf } from "./thread.js";
import type { RoomView, StoredMessage } from "./types.js";

/** A room or a thread, which shows messages. */
interface View {
  /** Its messages; first is the one that a thread replies to. */
  readonly value: RoomView & { readonly first?: StoredMessage };
  /** Returns a loaded message as the server has it. */
  base(id: string): StoredMessage | undefined;
  /** Puts a message in its place, without showing it. */
  stored(m: StoredMessage): void;
  show(): void;
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

/**
 * Reads a message again after the server has refused a choice in it, and shows what next makes of it. If a change
 * comes meanwhile, it does nothing: the answer may have older counts.
 */
export function readAgain(
  chat: Client, room: string, id: string, next: (shown: StoredMessage, read: StoredMessage) => StoredMessage,
): void {
  let changed = false;
  const end = chat.on("change", c => { changed ||= c.room === room && c.id === id; });
  chat.request("GET", `/rooms/${encode(room)}/messages/${encode(id)}`)
    .then(read => { if (!changed) alter(chat, room, id, m => next(m, read)); }, () => {})
    .finally(end);
}
