import type { Client } from "./client.js";
import { encode } from "./ids.js";
import type { Chat, RoomView, StoredMessage } from "./types.js";

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

/** A thread that is shown. */
interface Thread extends View {
  /** The id of its room, and of the message that it replies to. */
  readonly id: string;
  readonly root: string;
  show(patch?: { readonly following?: boolean }): void;
}

/** The shown threads of each client. */
const threads = new WeakMap<Chat, Set<Thread>>();

/** Adds a thread to those that are shown, until the returned function is called. */
export function showThread(chat: Chat, thread: Thread): () => void {
  const all = threads.get(chat) ?? new Set();
  threads.set(chat, all.add(thread));
  return () => void all.delete(thread);
}

/** Returns the shown threads of a room. */
export const threadsOf = (chat: Chat, room: string): Thread[] =>
  [...(threads.get(chat) ?? [])].filter(t => t.id === room);

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
