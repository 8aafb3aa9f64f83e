import type { RoomEntry, State } from "@parley/client";
import { useEffect, useState } from "preact/hooks";
import { InboxLinks } from "../inbox/links.js";
import { Face } from "../people/face.js";
import { StatusMark } from "../people/status.js";
import { useValue } from "../state/cell.js";
import { nameOf, roomName } from "../state/names.js";
import { type Page, usePage } from "../state/page.js";
import { href } from "../state/route.js";
import { briefTime } from "../ui/dates.js";
import { Icon, IconButton } from "../ui/icons.js";
import { plain } from "../ui/markup.js";

/** The list of rooms, with buttons to find and create others. */
export function Nav() {
  const { dialog, list, proposedName } = usePage();
  const { rooms: newest, loaded } = useValue(list);
  const [order, keep] = useState<readonly string[]>([]);
  const rooms = kept(newest, order);
  useEffect(() => {
    const shortcut = (e: KeyboardEvent) => {
      if (!(e.ctrlKey || e.metaKey) || e.key !== "k") return;
      e.preventDefault();
      dialog.value = "find";
    };
    addEventListener("keydown", shortcut);
    return () => removeEventListener("keydown", shortcut);
  }, []);
  const direct = rooms.filter(r => r.kind === "direct");
  return (
    <nav class="nav" aria-label="Rooms">
      <Brand />
      <button type="button" class="find" aria-keyshortcuts="Control+K" onClick={() => (dialog.value = "find")}>
        <span>Find a room or person</span><kbd aria-hidden="true">Ctrl K</kbd>
      </button>
      <div class="yours"><InboxLinks /></div>
      <div class="rooms" onPointerEnter={() => keep(newest.map(r => r.id))} onPointerLeave={() => keep([])}>
        {loaded && <Group title="Rooms" rooms={rooms.filter(r => r.kind === "room")} action="Create a room" onAction={() => { proposedName.value = ""; dialog.value = "create"; }} />}
        {loaded && rooms.length === 0 && <p class="hint">No rooms yet. Find one, or create one.</p>}
        {loaded && <Group title="Direct" rooms={direct} action="New direct message" onAction={() => (dialog.value = "direct")} />}
      </div>
      <Me />
    </nav>
  );
}

/** Returns rooms in an order, new ones last: under the pointer they keep their places. */
function kept(rooms: readonly RoomEntry[], order: readonly string[]): readonly RoomEntry[] {
  const at = (r: RoomEntry) => order.indexOf(r.id) >>> 0; // without a place, the highest number
  return [...rooms].sort((a, b) => at(a) - at(b));
}

/** The name of the page. It is the page's heading while no room is shown. */
function Brand() {
  const name = <><span class="mark" aria-hidden="true">P</span>Parley</>;
  return useValue(usePage().current) ? <div class="brand">{name}</div> : <h1 class="brand">{name}</h1>;
}

/** The person who is signed in, as a button that opens the account. */
function Me() {
  const page = usePage();
  const user = useValue(page.me);
  const now = useValue(page.connection);
  useValue(page.card);
  return (
    <button type="button" class="me" aria-haspopup="dialog" onClick={() => (page.dialog.value = "account")}>
      <Face user={user} people={page.chat.value?.rooms.people ?? {}} online={now === "online"} />
      <span class="cut">
        <b class="cut" dir="auto">{nameOf(page, {}, user)}</b>
        <span class="small quiet">{stateNames[now] ?? "Online"}</span>
      </span>
    </button>
  );
}

/** The states of the connection in words; others are "Online". */
const stateNames: { [is in State]?: string } = { connecting: "Connecting…", offline: "Offline" };

function Group({ title, rooms, action, onAction }: {
  title: string; rooms: readonly RoomEntry[]; action: string; onAction: () => void;
}) {
  return (
    <>
      <div class="group"><h2>{title}</h2><IconButton name="plus" label={action} onClick={onAction} /></div>
      <ul>{rooms.map(r => <li key={r.id}><RoomLink room={r} /></li>)}</ul>
    </>
  );
}

const manyUnread = 1000; // the server counts no further

function RoomLink({ room }: { room: RoomEntry }) {
  const page = usePage();
  const name = roomName(page, room);
  const here = useValue(page.route).room === room.id;
  useValue(page.blocked);
  const other = room.direct?.length === 2 && room.direct.find(user => user !== page.me.value);
  const count = room.unread >= manyUnread ? `${manyUnread - 1}+` : String(room.unread);
  return (
    <a class={room.unread ? "room unread" : "room"} href={href(room.id)} aria-current={here ? "page" : undefined}>
      <Glyph room={room} />
      <span class="name cut"><bdi>{name}</bdi>{other && <StatusMark user={other} people={{}} />}{room.unread > 0 && <span class="words">, {count} unread</span>}</span>
      <span class="preview cut" dir="auto">{preview(page, room)}</span>
      {room.lastMessage && <time dateTime={room.lastMessage.receivedAt}>{briefTime(room.lastMessage.receivedAt)}</time>}
      {room.unread > 0 && <span class="badge" aria-hidden="true">{count}</span>}
    </a>
  );
}

function Glyph({ room }: { room: RoomEntry }) {
  const page = usePage();
  const online = useValue(page.online);
  const other = room.direct?.find(user => user !== page.me.value);
  if (other) return <Face user={other} people={page.chat.value?.rooms.people ?? {}} online={online.has(other)} />;
  return <span class="glyph"><Icon name={room.visibility === "private" ? "lock" : "hash"} /></span>;
}

/** Returns the newest message in a line, with its sender unless that is clear. */
function preview(page: Page, { lastMessage: last, direct }: RoomEntry): string {
  if (!last) return "No messages yet";
  if (last.deletedAt) return "Message deleted";
  if (page.blocked.value.has(last.user)) return "Message from somebody you blocked";
  const text = plain(last.text);
  if (last.user === page.me.value) return `You: ${text}`;
  return direct?.length === 2 ? text : `${nameOf(page, {}, last.user)}: ${text}`;
}
