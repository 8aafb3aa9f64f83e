import type { RoomEntry } from "@parley/client";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { InboxLinks } from "../inbox/links.js";
import { Me } from "../people/me.js";
import { useValue } from "../state/cell.js";
import { roomName } from "../state/names.js";
import { usePage } from "../state/page.js";
import { Icon, IconButton } from "../ui/icons.js";
import { lazy } from "../ui/lazy.js";
import { Menu, type MenuItem } from "../ui/menu.js";
import { arrange, arrangement, toggle } from "./arrangement.js";
import { RoomRow } from "./row.js";
import { type Held, held, ordered, type SectionId, sectionsOf, showsCollapsed } from "./sections.js";

const Joinable = lazy(() => import("./joinable.js"));
const ListEnd = lazy(() => import("./list-end.js"));

/** With at most this many rooms, a person is offered rooms to join. */
const few = 5;

/** The list of rooms, with buttons to find and create others. */
export function Nav() {
  const page = usePage();
  const { dialog, list, proposedName } = page;
  const { rooms, loaded, more } = useValue(list);
  const { order } = useValue(arrangement);
  const [still, hold] = useState<Held | null>(null);
  const painted = useValue(page.painted);
  const sorted = ordered(rooms, order, r => roomName(page, r));
  const { favorites, rooms: own, direct, archived } = sectionsOf(sorted, still);
  /** Opens a dialog by its button, which Safari does not focus. */
  const opens = (which: "browse" | "create" | "direct") => (e: MouseEvent) => {
    (e.currentTarget as HTMLElement).focus();
    proposedName.value = "";
    dialog.value = which;
  };
  return (
    <nav class="nav" aria-label="Rooms">
      <Brand />
      <button type="button" class="find" aria-keyshortcuts="Control+K" onClick={() => (dialog.value = "find")}>
        <span>Search</span><kbd aria-hidden="true">Ctrl K</kbd>
      </button>
      <div class="yours"><InboxLinks /></div>
      <div class="rooms" onPointerEnter={() => hold(held(sorted))} onPointerLeave={() => hold(null)}>
        {loaded && (
          <>
            {favorites.length > 0 && <Group id="favorites" title="Favorites" rooms={favorites} still={still} />}
            <Group id="rooms" title="Rooms" rooms={own} still={still} action="Create a room" onAction={opens("create")}>
              <Line icon="compass" label="Browse rooms" onClick={opens("browse")} />
            </Group>
            <Group
              id="direct"
              title="Direct"
              rooms={direct}
              still={still}
              action="New direct message"
              onAction={opens("direct")}
            >
              {direct.length === 0 && <Line icon="edit" label="Write to somebody" onClick={opens("direct")} />}
            </Group>
            {archived.length > 0 && <Group id="archived" title="Archived" rooms={archived} still={still} />}
            {more?.rooms ? <ListEnd more={more} /> : null}
            {painted && rooms.filter(r => r.kind === "room").length <= few && <Joinable />}
          </>
        )}
      </div>
      <Me />
    </nav>
  );
}

/** A row of the list that opens a dialog. */
function Line({ icon, label, onClick }: { icon: "compass" | "edit"; label: string; onClick: (e: MouseEvent) => void }) {
  return (
    <li>
      <button type="button" class="room plain" aria-haspopup="dialog" onClick={onClick}>
        <span class="glyph"><Icon name={icon} /></span>
        {label}
      </button>
    </li>
  );
}

/** The name of the page, which is the page's heading while no room is shown, and the menu of the list. */
function Brand() {
  const page = usePage();
  const name = <><span class="mark" aria-hidden="true">P</span>Parley</>;
  const title = useValue(page.current) ? <div class="title">{name}</div> : <h1 class="title">{name}</h1>;
  const { order, previews } = useValue(arrangement);
  const items = (): MenuItem[] => [
    {
      label: "Mark all as read",
      run: () => void import("./reading.js").then(({ markAllRead }) => markAllRead(page), page.toastError),
    },
    { label: "Newest activity first", checked: order === "activity", run: () => arrange({ order: "activity" }) },
    { label: "Order by name", checked: order === "name", run: () => arrange({ order: "name" }) },
    { label: "Show the newest messages", checked: previews, run: () => arrange({ previews: !previews }) },
    { label: "Keyboard shortcuts", run: () => { page.dialog.value = "keys"; } },
  ];
  return <div class="brand">{title}<Menu label="Options of the list" items={items} /></div>;
}

/** A section of the list. Collapsed, it shows the current room and unread rooms. Its children are further rows. */
function Group({ id, title, rooms, still, action, onAction, children }: {
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
