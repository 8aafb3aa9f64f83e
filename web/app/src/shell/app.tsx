import type { Room } from "@parley/client";
import { useEffect } from "preact/hooks";
import { Composer } from "../composer/composer.js";
import { Profiles } from "../people/hover.js";
import { Header } from "../rooms/header.js";
import { Nav } from "../rooms/list.js";
import { Offer } from "../rooms/offer.js";
import { Unavailable } from "../rooms/unavailable.js";
import { SignIn } from "../session/sign-in-page.js";
import { useValue } from "../state/cell.js";
import { roomName } from "../state/names.js";
import { usePage } from "../state/page.js";
import { Timeline } from "../timeline/timeline.js";
import { lazy } from "../ui/lazy.js";
import { Notices } from "./notices.js";

const Dialogs = lazy(() => import("./dialogs.js"));
// If its code cannot be loaded, the panel closes, so that its button can be pressed again.
const Panel = lazy(({ panel }) => import("../panel/panel.js").catch((error: unknown) => { panel.value = null; throw error; }));
const Drawer = lazy(() => import("../developer/drawer.js"), () => <aside class="drawer" />);

/** The page: rooms, a room, and a panel beside it; or the sign-in. */
export function App() {
  const { phase, current, panel, dialog, dev } = usePage();
  const signedIn = useValue(phase);
  const room = useValue(current);
  const kind = useValue(panel);
  const shown = useValue(dialog);
  if (signedIn === "starting") return null;
  if (signedIn !== "in") return <><SignIn /><Notices /></>;
  return (
    <div class={["app", room && "in-room", kind && "with-panel", dev && "with-drawer"].filter(Boolean).join(" ")}>
      <Nav />
      {shown && <Dialogs />}
      {room ? <RoomPane key={room.id} room={room} /> : <NoRoom />}
      {kind && <Panel key={`${room?.id} ${kind}`} room={room} kind={kind} />}
      {dev && <Drawer />}
      <Profiles />
      <Notices />
    </div>
  );
}

/** Shows the unread messages of all rooms, and the room's name, in the window's title. */
function useTitle(name: string): void {
  const { unread } = useValue(usePage().list);
  useEffect(() => {
    document.title = `${unread ? `(${unread}) ` : ""}${name && `${name} · `}Parley`;
  }, [unread, name]);
}

function RoomPane({ room }: { room: Room }) {
  const page = usePage();
  const { info, phase, online } = useValue(room);
  const { rooms } = useValue(page.list);
  const { message } = useValue(page.route);
  const known = info ?? rooms.find(r => r.id === room.id);
  const name = known ? roomName(page, known) : room.id;
  useTitle(phase === "gone" ? "" : name);
  const users = useValue(page.connection) === "offline" ? "" : online.join(); // unknown without a connection
  useEffect(() => { page.online.value = new Set(users ? online : []); }, [users]);
  const open = phase !== "gone" && phase !== "failed";
  return (
    <main class="room-pane">
      <Header room={room} />
      <div class="stage">{open ? <Timeline room={room} focusId={message} /> : <Unavailable phase={phase} />}</div>
      {open && <Offer room={room} />}
      {open && <Composer room={room} name={known?.kind === "direct" ? name : `#${name}`} />}
    </main>
  );
}

function NoRoom() {
  useTitle("");
  const { loaded } = useValue(usePage().list);
  return <main class="room-pane"><div class="state quiet">{loaded && "Choose a room, or find one."}</div></main>;
}
