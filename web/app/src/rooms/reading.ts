// Marks rooms of the list as read, also those that are not open.
import type { RoomEntry } from "@parley/client";
import { atMost } from "../api/at-most.js";
import type { Page } from "../state/page.js";

/** Marks the messages of a room as read, up to the newest that the list knows. */
export async function markRead({ chat }: Page, { id, lastMessage }: RoomEntry): Promise<void> {
  await chat.value?.room(id).markRead(lastMessage?.id);
}

/** Marks all rooms as read. */
export async function markAllRead(page: Page): Promise<void> {
  try {
    // Those that the list does not have are loaded first, while that brings any.
    const others = () => page.list.value.more?.unread ?? 0;
    for (let before = Infinity; others() && others() < before;) {
      before = others();
      await page.chat.value?.rooms.loadMore();
    }
    const rooms = page.list.value.rooms.filter(r => r.unread || r.addedBy);
    if (!rooms.length) return page.toast("There are no unread messages.");
    const run = atMost(4);
    await Promise.all(rooms.map(room => run(() => markRead(page, room))));
    page.toast("All rooms are marked as read.");
  } catch (error) {
    page.toastError(error);
  }
}
