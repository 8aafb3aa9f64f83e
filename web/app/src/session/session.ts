import { forgetFiles } from "../state/drafts.js";
import type { Page } from "../state/page.js";
import { type Ending, forget, storedUser } from "./tokens.js";
import { forgetVisit } from "./visit.js";

/**
 * Ends the session of this tab, however that happens, and forgets its person. Nothing of them is
 * stored here afterwards.
 */
export async function end(page: Page, why: Ending): Promise<void> {
  const { chat, me: { value: user } } = page;
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

/**
 * The keys of what the browser keeps for everybody: the deployment, how the last session ended, and
 * how the page looks. The tokens have their own rules.
 */
const ofBrowser = /^parley\.(asked|clock|config|density|ending|enter|list|marks|offered|preview|sound|theme|tokens)$/;

/**
 * Removes what the browser stores of a person whose session has ended, or of everybody but the person of the
 * session. A key has its person as the second word, and a database as the third. A key without a person is
 * removed too, unless it is the browser's, so a new one needs no entry here. The caches hold only the page.
 */
export async function forgetPerson(user = ""): Promise<void> {
  const goes = (owner = user) => (!user || owner === user) && (!owner || owner !== storedUser());
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith("parley.") && !ofBrowser.test(key) && goes(key.split(" ")[1])) localStorage.removeItem(key);
  }
  if (user) forgetVisit();
  forgetFiles(user);
  for (const { name = "" } of await indexedDB.databases()) {
    const [app, , owner] = name.split(" ");
    if (app === "parley" && goes(owner)) indexedDB.deleteDatabase(name);
  }
}
