import type { Page } from "../state/page.js";

/** Opens the thread of a linked message that the room does not list, which may be a reply. */
export async function showUnlisted(page: Page, room: string, id: string): Promise<void> {
  const path = `/rooms/${encodeURIComponent(room)}/messages/${encodeURIComponent(id)}` as const;
  const message = await page.chat.value?.request("GET", path).catch(() => undefined);
  if (message?.thread) page.panel.value = `thread:${message.thread} ${id}`;
  else page.toast("This message does not exist, or you may not see it.");
}
