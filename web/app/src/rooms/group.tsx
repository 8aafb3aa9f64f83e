import type { RoomEntry } from "@parley/client";
import type { ComponentChildren } from "preact";
import { useValue } from "../state/cell.js";
import { usePage } from "../state/page.js";
import { Icon, IconButton } from "../ui/icons.js";
import { arrangement, toggle } from "./arrangement.js";
import { RoomRow } from "./row.js";
import { type Held, type SectionId, showsCollapsed } from "./sections.js";

/** A section of the list. Collapsed, it shows the current room and unread rooms. Its children are further rows. */
export function Group({ id, title, rooms, still, action, onAction, children }: {
  id: SectionId; title: string; rooms: readonly RoomEntry[]; still: Held | null;
  action?: string; onAction?: (e: MouseEvent) => void; children?: ComponentChildren;
}) {
  const { room } = useValue(usePage().route);
  const open = !useValue(arrangement).collapsed.includes(id);
  const shown = open ? rooms : rooms.filter(r => showsCollapsed(r, room, still));
  return (
    <>
      <div class="group">
        <h2>
          <button type="button" aria-expanded={open} onClick={() => toggle(id)}><Icon name="chevron" />{title}</button>
        </h2>
        {action && onAction && <IconButton name="plus" label={action} popup="dialog" onClick={onAction} />}
      </div>
      <ul>
        {shown.map(r => <RoomRow key={r.id} room={r} />)}
        {open && children}
      </ul>
    </>
  );
}
