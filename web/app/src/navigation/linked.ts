// Follows an address that leads to more than a room: an invitation, or a search.
import { search } from "../search/asked.js";
import type { Page } from "../state/page.js";
import { href } from "../state/route.js";

const pattern = /^#(invite|search)=(.*)$/;

/** Follows the address, once. */
export function follow(page: Page): void {
  const [, kind, value = ""] = pattern.exec(location.hash) ?? [];
  if (!kind) return; // it is being followed already
  history.replaceState(null, "", href()); // a reload does not follow it again
  dispatchEvent(new Event("hashchange")); // which shows the newest room
  if (kind === "search") return search(page, decoded(value));
  page.invitation.value = value;
  page.dialog.value = "invitation";
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
