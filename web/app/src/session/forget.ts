// The data that remains in the browser after a session, and the removal of all other data.
import { forgetFiles } from "../state/drafts.js";
import { storedUser } from "./tokens.js";
import { forgetVisit } from "./visit.js";

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
