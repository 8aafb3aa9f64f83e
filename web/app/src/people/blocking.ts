// Blocks and unblocks people, who learn nothing of it.
import { cell } from "../state/cell.js";
import { dialog } from "../state/dialog.js";
import { blocked, chat, current, go, toast } from "../state/store.js";

/** The person about whom the dialog asks. */
export const askedToBlock = cell({ user: "", name: "" });

/** Asks whether to block a person. */
export function askToBlock(user: string, name: string): void {
  askedToBlock.value = { user, name };
  dialog.value = "block";
}

/** Blocks or unblocks a person, and says what follows. */
export async function setBlocked(user: string, name: string, on: boolean): Promise<void> {
  await chat.value?.request(on ? "PUT" : "DELETE", `/people/me/blocks/${encodeURIComponent(user)}`);
  const users = new Set(blocked.value);
  if (on) users.add(user);
  else users.delete(user);
  blocked.value = users;
  const direct = current.value?.value.info?.direct;
  if (on && direct?.length === 2 && direct.includes(user)) go("", "", true); // it has left the list
  toast(on ? `${name} is blocked. Unblock in Your account.` : `You see the messages of ${name} again.`);
}
