// What a person may do with a room of the list: the items of its menu.
import type { Page } from "../state/page.js";
import { href } from "../state/route.js";
import type { Entry } from "../state/unread.js";
import type { MenuItem } from "../ui/menu.js";
import { markRead } from "./reading.js";

/** Returns the items for a room, whose name is given for its questions. */
export function roomMenu(page: Page, room: Entry, name: string): MenuItem[] {
  const act = (label: string, work: () => Promise<unknown>): MenuItem => ({ label, run: () => void work().catch(page.toastError) });
  return [
    ...(room.unread ? [act("Mark as read", () => markRead(page, room))] : []),
    act("Copy link", () => copyLink(page, room.id)),
    { label: "Settings", run: () => showSettings(page, room.id) },
    { label: room.kind === "direct" ? "Leave the conversation" : "Leave the room", danger: true, run: () => {
      page.toLeave.value = { id: room.id, name, kind: room.kind, visibility: room.visibility };
      page.dialog.value = "leave";
    } },
  ];
}

async function copyLink({ toast }: Page, room: string): Promise<void> {
  await navigator.clipboard.writeText(`${location.origin}${location.pathname}${href(room)}`);
  toast("Link copied.");
}

/** Opens the settings of a room, and first the room. */
function showSettings({ panel, route }: Page, room: string): void {
  if (route.value.room !== room) route.go(room);
  panel.value = "settings";
}
