// What a person may do with a room of the list: the items of its menu.
import type { RoomEntry } from "@parley/client";
import type { Page } from "../state/page.js";
import { href } from "../state/route.js";
import type { MenuItem } from "../ui/menu.js";
import { prefer } from "./preferences.js";
import { markRead } from "./reading.js";

/** Returns the items for a room, whose name is given for its questions. */
export function roomMenu(page: Page, room: RoomEntry, name: string): MenuItem[] {
  const act = (label: string, work: () => Promise<unknown>): MenuItem => ({ label, run: () => void work().catch(page.toastError) });
  return [
    ...(room.unread ? [act("Mark as read", () => markRead(page, room))] : []),
    act(room.favorite ? "Remove from favorites" : "Add to favorites", () => prefer(page, room, { favorite: !room.favorite })),
    act(room.muted ? "Unmute" : "Mute", () => prefer(page, room, { muted: !room.muted })),
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
