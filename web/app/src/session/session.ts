import type { Page } from "../state/page.js";
import { forgetPerson } from "./forget.js";
import { type Ending, forget } from "./tokens.js";

/**
 * Ends the session of this tab, however that happens, and forgets its person. Nothing of them is
 * stored here afterwards.
 */
export async function end(page: Page, why: Ending): Promise<void> {
  const { chat, me: { value: user } } = page;
  page.leaving.value++;
  forget(user, why);
  const c = chat.value;
  chat.value = null;
  const left = c?.signOut().catch(() => undefined); // a storage that cannot be read holds nothing either
  for (const shown of [
    page.panel, page.card, page.dialog, page.quoting, page.editing, page.reactingTo, page.toDelete,
  ]) {
    shown.value = null;
  }
  page.toasted.value = "";
  page.blocked.value = new Set();
  page.list.value = { rooms: [], unread: 0, loaded: false };
  page.phase.value = why === "left" ? "signed-out" : why;
  page.drafts.clear();
  // the fields, which keep their texts when they are removed, are gone then
  await new Promise(done => setTimeout(done));
  await forgetPerson(user).catch(() => undefined);
  await left;
}
