// The menu that sets which messages of a room notify the person. The code is loaded when the first menu opens.
import type { NotificationSettings, RoomEntry } from "@parley/client";
import { endOfStatus } from "../people/status-ends.js";
import { roomName } from "../state/names.js";
import { type Page, usePage } from "../state/page.js";
import { when } from "../ui/dates.js";
import { type MenuItem, OpenMenu } from "../ui/menu.js";
import type { Anchor } from "../ui/place.js";
import { levelNames, prefer } from "./preferences.js";

/**
 * The open menu of a room's notifications. onClose is called with whether the focus goes back to
 * where it came from.
 */
export default function Bell({ room, anchor, onClose }: {
  room: RoomEntry; anchor: Anchor; onClose: (focus: boolean) => void;
}) {
  const page = usePage();
  return (
    <OpenMenu
      label={`Notifications of ${roomName(page, room)}`}
      items={itemsOf(page, room)}
      anchor={anchor}
      onClose={onClose}
    />
  );
}

function itemsOf(page: Page, room: RoomEntry): MenuItem[] {
  const now = new Date(page.now());
  const choose = (level: RoomEntry["level"], until?: Date) =>
    void prefer(page, room, { level, levelUntil: until?.toISOString() }).catch(page.toastError);
  const lasting = room.levelUntil ? null : room.level ?? "";
  const item = (label: string, level: RoomEntry["level"] | ""): MenuItem => ({
    label, checked: lasting === level, run: () => choose(level || undefined),
  });
  const levels = Object.entries(levelNames) as [NotificationSettings["level"], string][];
  return [
    item("As in your settings", ""), ...levels.map(([level, label]) => item(label, level)),
    ...(room.levelUntil ? [{
      label: `${levelNames[room.level ?? "none"]} until ${when(room.levelUntil, now)}`,
      checked: true,
      run: () => choose(undefined),
    }] : []),
    { label: "Nothing for 1 hour", apart: true, run: () => choose("none", endOfStatus("1h", now)) },
    { label: "Nothing until tomorrow", run: () => choose("none", endOfStatus("tomorrow", now)) },
    { label: "Settings of notifications", apart: true, run: () => { page.dialog.value = "notifications"; } },
  ];
}
