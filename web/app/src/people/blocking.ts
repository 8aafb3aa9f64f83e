// Blocks and unblocks people, who are not notified.
import type { Page } from "../state/page.js";

/** Asks whether to block a person. */
export function askToBlock(page: Page, user: string, name: string): void {
  page.toBlock.value = { user, name };
  page.dialog.value = "block";
}

/** Blocks or unblocks a person, and shows what follows. */
export async function setBlocked(page: Page, user: string, name: string, on: boolean): Promise<void> {
  await page.chat.value?.request(on ? "PUT" : "DELETE", `/people/me/blocks/${encodeURIComponent(user)}`);
  const users = new Set(page.blocked.value);
  if (on) users.add(user);
  else users.delete(user);
  page.blocked.value = users;
  const direct = page.current.value?.value.info?.direct;
  if (on && direct?.length === 2 && direct.includes(user)) page.route.go("", "", true); // it has left the list
  page.toast(on ? `${name} is blocked. Unblock in Profile and preferences.` : `You see the messages of ${name} again.`);
}
