// Opens a search by its address: `#search=<query>`. A browser can search with it from its own field.
import type { Page } from "../state/page.js";
import { href } from "../state/route.js";
import { search } from "./asked.js";

/** The start of the fragment of a search. */
const start = "#search=";

/** Shows the search of the address, beside the newest room on a wide page. */
export function open(page: Page): void {
  const { hash } = location;
  if (!hash.startsWith(start)) return; // it is open already
  history.replaceState(null, "", href()); // so that the room can have the address
  dispatchEvent(new Event("hashchange"));
  search(page, decoded(hash.slice(start.length)));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
