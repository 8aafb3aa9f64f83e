// The menu of a room in the list. The code is loaded when the first menu opens.
import type { RoomEntry, RoomInfo } from "@parley/client";
import { mayAdminister } from "../access/moderator.js";
import { copyInvitation } from "../people/invitation.js";
import { search } from "../search/asked.js";
import { roomName } from "../state/names.js";
import { type Page, type PanelKind, usePage } from "../state/page.js";
import { href } from "../state/route.js";
import { type MenuItem, OpenMenu } from "../ui/menu.js";
import type { Anchor } from "../ui/place.js";
import { prefer } from "./preferences.js";
import { markRead } from "./reading.js";

/**
 * The open menu of a room. In the header, where info is known, it also invites. onClose is called with
 * whether the focus goes back to where it came from.
 */
export default function RoomMenu({ room, info, anchor, onClose }: {
  room: RoomEntry; info?: RoomInfo | undefined; anchor: Anchor; onClose: (focus: boolean) => void;
}) {
  const page = usePage();
  const name = roomName(page, room);
  const invites: MenuItem[] = info && mayAdminister(info.me?.role ?? "", info)
    ? [{ label: "Copy an invitation link", run: () => void copyInvitation(page, info.id).catch(page.toastError) }] : [];
  return (
    <OpenMenu
      label={`Actions for ${name}`}
      items={[...invites, ...itemsOf(page, room, name)]}
      anchor={anchor}
      onClose={onClose}
    />
  );
}

function itemsOf(page: Page, room: RoomEntry, name: string): MenuItem[] {
  const act = (label: string, work: () => Promise<unknown>): MenuItem => ({
    label, run: () => void work().catch(page.toastError),
  });
  return [
    ...(room.unread ? [act("Mark as read", () => markRead(page, room))] : []),
    act(room.favorite ? "Remove from favorites" : "Add to favorites", () =>
      prefer(page, room, { favorite: !room.favorite })),
    act(room.muted ? "Unmute" : "Mute", async () => {
      await prefer(page, room, { level: room.muted ? undefined : "mentions", levelUntil: undefined });
      page.toast(room.muted ? `${name} is not muted any more.` : `${name} is muted: only mentions count.`);
    }),
    act("Copy link", () => copyLink(page, room.id)),
    {
      label: room.kind === "direct" ? "Search this conversation" : "Search this room",
      run: () => search(page, `in:${room.id} `),
    },
    { label: "Documents", run: () => showPanel(page, room.id, "documents") },
    { label: "Files", run: () => showPanel(page, room.id, "files") },
    { label: "Settings", run: () => showPanel(page, room.id, "settings") },
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

/** Opens a panel of a room, and first the room. */
function showPanel({ panel, route }: Page, room: string, kind: PanelKind): void {
  if (route.value.room !== room) route.go(room);
  panel.value = kind;
}
