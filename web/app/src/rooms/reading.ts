// Marks rooms of the list as read, also those that are not open.
import type { Page } from "../state/page.js";
import type { Entry } from "../state/unread.js";

/** The rooms that are marked at the same time. */
const together = 4;

/** Marks the messages of a room as read, up to the newest that the list knows. */
export async function markRead({ chat }: Page, { id, lastMessage }: Entry): Promise<void> {
  await chat.value?.room(id).markRead(lastMessage?.id);
}

/** Marks all rooms as read. */
export async function markAllRead(page: Page): Promise<void> {
  const rooms = page.list.value.rooms.filter(r => r.unread);
  if (!rooms.length) return page.toast("There are no unread messages.");
  const next = async (): Promise<void> => {
    for (let room = rooms.shift(); room; room = rooms.shift()) await markRead(page, room);
  };
  try {
    await Promise.all(Array.from({ length: together }, next));
    page.toast("All rooms are marked as read.");
  } catch (error) {
    page.toastError(error);
  }
}
