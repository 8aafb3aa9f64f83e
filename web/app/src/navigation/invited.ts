// Joins a room by an invitation link: `#invite=<token>`.
import { RequestError } from "@parley/client";
import type { Page } from "../state/page.js";
import { href } from "../state/route.js";

/** The start of the fragment of an invitation link. */
const start = "#invite=";

/** Uses the invitation of the address, and shows its room. */
export async function accept(page: Page): Promise<void> {
  if (!location.hash.startsWith(start)) return; // it is being used already
  const token = location.hash.slice(start.length);
  history.replaceState(null, "", href()); // a reload does not use it again
  const chat = page.chat.value;
  try {
    const joined = await chat?.request("POST", `/invites/${encodeURIComponent(token)}`);
    await chat?.rooms.reload();
    page.route.go(joined?.room, "", true);
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) page.toast("This invitation has ended. Ask for a new one.");
    else page.toastError(error);
    await chat?.rooms.reload().catch(() => undefined); // which shows a room
  }
}
