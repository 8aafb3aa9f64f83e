// Joins a room by an invitation link: `#invite=<token>`.
import { RequestError } from "@parley/client";
import type { Page } from "../state/page.js";

/** Uses the invitation of an address, and shows its room. */
export async function accept(page: Page, token: string): Promise<void> {
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
