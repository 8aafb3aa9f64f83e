import type { Room, RoomEntry, RoomInfo } from "@parley/client";
import { useRef, useState } from "preact/hooks";
import { mayAdminister } from "../access/moderator.js";
import { reportWords, useOpenReports } from "../people/open-reports.js";
import { useValue } from "../state/cell.js";
import { peopleWords, roomName } from "../state/names.js";
import { type Page, type PanelKind, usePage } from "../state/page.js";
import { Icon, IconButton, type IconName } from "../ui/icons.js";
import { lazy } from "../ui/lazy.js";

const Bell = lazy(() => import("./bell.js"));
const RoomMenu = lazy(() => import("./room-menu.js"));

/** The name of the room and the buttons of its panels. */
export function Header({ room }: { room: Room }) {
  const page = usePage();
  const { info, online, onlineCount, phase } = useValue(room);
  const offline = useValue(page.connection) === "offline";
  const { rooms, unread } = useValue(page.list);
  const listed = rooms.find(r => r.id === room.id);
  const shown = info ?? listed;
  const elsewhere = unread - ((listed?.muted ? listed.mentions : listed?.unread) ?? 0);
  const reports = useOpenReports(room);
  // The server counts a visitor as online, but they are not one of the people of the room.
  const visits = info && !info.me && online.includes(page.me.value);
  return (
    <header class="head">
      <button
        type="button"
        class="icon back"
        aria-label={`Back to rooms${elsewhere ? `, ${elsewhere} unread` : ""}`}
        onClick={() => page.route.up()}
      >
        <Icon name="back" />
        {elsewhere > 0 && <span class="badge">{elsewhere > manyUnread ? `${manyUnread}+` : elsewhere}</span>}
      </button>
      <div class="titles">
        {listed && listed.direct?.length !== 2
          ? <Title room={listed} info={info} />
          : <PlainTitle room={room} shown={shown} />}
        <div class="topic cut" dir="auto">{summary(info, offline ? 0 : onlineCount - (visits ? 1 : 0))}</div>
      </div>
      {/* Not in the group of icons: that would move when the settings are loaded. */}
      {phase !== "gone" && info && mayAdminister(info.me?.role ?? "", info) && (
        <span class="roomy">
          <IconButton name="invite" label="Copy an invitation link" onClick={() => invite(page, room.id)} />
        </span>
      )}
      {phase !== "gone" && <div class="icons">
        {listed ? <BellButton room={listed} /> : <span class="icon" />}
        <PanelButton kind="pins" icon="pin" label="Pinned messages" />
        <PanelButton kind="documents" icon="doc" label="Documents" />
        <PanelButton kind="files" icon="files" label="Files" />
        <PanelButton kind="people" icon="people" label="People" reports={reports} />
        <PanelButton kind="settings" icon="settings" label="Settings" />
      </div>}
    </header>
  );
}

function invite(page: Page, room: string): void {
  void import("../people/invitation.js")
    .then(({ copyInvitation }) => copyInvitation(page, room))
    .catch(page.toastError);
}

/** The name of one of the person's rooms, which opens its menu. */
function Title({ room, info }: { room: RoomEntry; info: RoomInfo | undefined }) {
  const page = usePage();
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const wasOpen = useRef(false); // a press on the button closes the menu before the click
  const close = (focus: boolean) => { setOpen(false); if (focus) button.current?.focus(); };
  const start = () => { // the menu begins below the name
    const { left, top, height } = button.current!.getBoundingClientRect();
    return new DOMRect(left, top, 0, height);
  };
  return (
    <>
      <h1>
        <RoomIcon room={room} />
        <button
          ref={button}
          type="button"
          class="named"
          title="Actions"
          aria-haspopup="menu"
          aria-expanded={open}
          onPointerDown={() => { wasOpen.current = open; }}
          onClick={() => { setOpen(!wasOpen.current); wasOpen.current = false; }}
        >
          <span class="cut" dir="auto">{roomName(page, room)}</span><Icon name="chevron" />
        </button>
      </h1>
      {open && <RoomMenu room={room} info={info} anchor={{ getBoundingClientRect: start }} onClose={close} />}
    </>
  );
}

/** The button of the menu of a room's notifications. */
function BellButton({ room }: { room: RoomEntry }) {
  const button = useRef<HTMLSpanElement>(null);
  const [open, setOpen] = useState(false);
  const close = (focus: boolean) => { setOpen(false); if (focus) button.current?.querySelector("button")?.focus(); };
  return (
    <span ref={button}>
      <IconButton name={room.muted ? "mute" : "bell"} label="Notifications" onClick={() => setOpen(!open)} />
      {open && <Bell room={room} anchor={button.current!} onClose={close} />}
    </span>
  );
}

/** The name of another room, which opens its settings, or of a person, which opens their profile. */
function PlainTitle({ room, shown }: { room: Room; shown: RoomInfo | RoomEntry | undefined }) {
  const page = usePage();
  const { phase } = useValue(room);
  const other = shown?.direct?.length === 2 && shown.direct.find(user => user !== page.me.value);
  return (
    <h1>
      {shown && <RoomIcon room={shown} />}
      {shown?.kind === "room"
        ? (
          <button type="button" class="named" title="Settings" onClick={() => (page.panel.value = "settings")}>
            <span class="cut" dir="auto">{roomName(page, shown)}</span>
          </button>
        )
        : (shown || phase === "gone") && (
          <span class="cut" dir="auto" {...(other && { role: "button", tabIndex: 0, "data-person": other })}>
            {shown ? roomName(page, shown) : "Not found"}
          </span>
        )}
    </h1>
  );
}

function RoomIcon({ room }: { room: Pick<RoomInfo, "kind" | "visibility"> }) {
  return room.kind === "room" ? <Icon name={room.visibility === "private" ? "lock" : "hash"} /> : null;
}

function PanelButton({ kind, icon, label, reports = 0 }: {
  kind: PanelKind; icon: IconName; label: string; reports?: number;
}) {
  const { panel } = usePage();
  const open = useValue(panel) === kind;
  return (
    <span class={/^[dfs]/.test(kind) ? "counted roomy" : "counted"}>
      <IconButton
        name={icon}
        label={reports ? `${label}, ${reportWords(reports)}` : label}
        pressed={open}
        onClick={() => (panel.value = open ? null : kind)}
      />
      {reports > 0 && <span class="badge" aria-hidden="true">{reports > manyUnread ? `${manyUnread}+` : reports}</span>}
    </span>
  );
}

const manyUnread = 99; // more digits would not fit

function summary(info: RoomInfo | undefined, online: number): string {
  // The server may count once a minute, and somebody who has just joined is online immediately.
  if (info?.direct?.length === 2) return online > 1 ? "Online" : online ? "Away" : "";
  const count = info?.memberCount && Math.max(info.memberCount, online);
  const people = count === undefined ? "" : peopleWords(count);
  return [[people, online ? `${online} online` : ""].filter(Boolean).join(", "), info?.topic]
    .filter(Boolean)
    .join(" · ");
}
