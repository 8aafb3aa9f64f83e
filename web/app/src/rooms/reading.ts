// Marks rooms of the list as read, also those that are not open, and all else that is unread.
import type { Message, RoomEntry, RoomView } from "@parley/client";
import { atMost } from "../api/at-most.js";
import { markElsewhere } from "../inbox/news.js";
import { roomName } from "../state/names.js";
import { counts } from "../state/counts.js";
import type { Page } from "../state/page.js";

/** Marks the messages of a room as read, up to the newest that the list knows, and mentions in threads. */
export async function markRead(page: Page, { id, lastMessage }: RoomEntry): Promise<void> {
  await page.chat.value?.room(id).markRead(lastMessage?.id);
  const left = page.list.value.rooms.find(r => r.id === id);
  if (!left?.mentions || left.unread) return;
  // A reply may have a higher number than the newest message.
  const head = (await headsOf(page)).get(id);
  if (head) await page.chat.value?.request("PUT", `/rooms/${encodeURIComponent(id)}/read` as const, { seq: head });
}

/** Returns the number of each room's newest change. */
async function headsOf({ chat }: Page): Promise<ReadonlyMap<string, number>> {
  return new Map((await chat.value?.request("GET", "/people/me/heads"))?.items.map(h => [h.id, h.head]));
}

/** Marks the room that is shown as read. That can be undone if its first unread message is loaded. */
export async function markHere(page: Page): Promise<void> {
  const room = page.current.value;
  const listed = page.list.value.rooms.find(r => r.id === room?.id);
  if (!room || !listed || !(listed.unread || listed.mentions || listed.addedBy)) return;
  const first = firstUnread(room.value, listed.unread, m => counts(page, m));
  const undo = () => {
    page.reader.value?.hold(); // before the response, so that the reader does not mark it as read again
    room.markUnread(first).then(() => page.toast("Marked as unread."), page.toastError);
  };
  page.reader.value?.resume();
  await markRead(page, listed);
  page.toast(`${roomName(page, listed)} is marked as read.`, first ? undo : null);
}

/** Returns the id of the first of so many unread messages at the end of a room; empty if it is not loaded. */
export function firstUnread(
  { messages, hasNewer, firstUnread: line }: Pick<RoomView, "messages" | "hasNewer" | "firstUnread">,
  unread: number,
  counts: (m: Message) => boolean,
): string {
  const counted = messages.filter(m => counts(m) && !m.deletedAt);
  return (!hasNewer && unread && counted.at(-unread)?.id) || (line ?? "");
}

/** Marks the unread threads as read, of those that the page knows. */
async function markThreads(page: Page): Promise<void> {
  const { chat, unreadThreads } = page;
  const threads = unreadThreads.value;
  if (!threads.length) return;
  const heads = await headsOf(page);
  await Promise.all(threads.map(({ message: { room, id } }) =>
    chat.value?.request("PUT", `/rooms/${encodeURIComponent(room)}/messages/${encodeURIComponent(id)}/read` as const, {
      seq: heads.get(room) ?? 0,
    })));
  unreadThreads.value = [];
}

/** Marks all rooms as read, the unread threads, and mentions in rooms that the person has not joined. */
export async function markAllRead(page: Page): Promise<void> {
  try {
    // Those that the list does not have are loaded first, while that brings any.
    const others = () => page.list.value.more?.unread ?? 0;
    for (let before = Infinity; others() && others() < before;) {
      before = others();
      await page.chat.value?.rooms.loadMore();
    }
    const rooms = page.list.value.rooms.filter(r => r.unread || r.mentions || r.addedBy);
    const [threads, elsewhere] = [page.unreadThreads.value, page.elsewhere.value];
    if (!rooms.length && !threads.length && !elsewhere.length) return page.toast("There are no unread messages.");
    const run = atMost(4);
    await Promise.all([
      ...rooms.map(room => run(() => markRead(page, room))),
      ...elsewhere.map(e => run(() => markElsewhere(page, e))),
      run(() => markThreads(page)),
    ]);
    page.toast("Everything is marked as read.");
  } catch (error) {
    page.toastError(error);
  }
}
