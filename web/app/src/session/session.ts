import { forgetDrafts } from "../state/drafts.js";
import type { Page } from "../state/page.js";
import { type Ending, forget } from "./tokens.js";

/** Ends the session of this tab, and forgets its person. Somebody who leaves has no drafts here afterwards. */
export function end(page: Page, why: Ending): void {
  const { chat, me: { value: user } } = page;
  forget(user, why);
  const c = chat.value;
  chat.value = null;
  c?.close();
  for (const shown of [page.panel, page.card, page.dialog, page.quoting, page.editing, page.reactingTo, page.toDelete]) shown.value = null;
  page.toasted.value = "";
  page.blocked.value = new Set();
  page.list.value = { rooms: [], unread: 0, loaded: false };
  page.phase.value = why === "left" ? "signed-out" : why;
  if (why !== "left") return;
  for (const key of page.drafts.keys()) if (key.startsWith(`${user} `)) page.drafts.delete(key);
  setTimeout(() => forgetDrafts(user)); // the fields, which keep their texts when they are removed, are gone then
}
