// Comes into a room by an invitation link: `#invite=<token>`.
import { RequestError } from "@parley/client";
import { chat, go, href, toast, toastError } from "../state/store.js";

/** The start of the fragment of an invitation link. */
const start = "#invite=";

/** Uses the invitation of the address, and shows its room. */
export async function accept(): Promise<void> {
  if (!location.hash.startsWith(start)) return; // it is on its way
  const token = location.hash.slice(start.length);
  history.replaceState(null, "", href()); // a reload does not ask again
  try {
    const { room } = (await chat.value?.request<{ room: string }>("POST", `/invites/${encodeURIComponent(token)}`)) ?? { room: "" };
    await chat.value?.rooms.reload();
    go(room, "", true);
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) toast("This invitation has ended. Ask for a new one.");
    else toastError(error);
    await chat.value?.rooms.reload().catch(() => undefined); // which shows a room
  }
}
