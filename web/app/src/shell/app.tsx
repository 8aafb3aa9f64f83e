import type { Room } from "@parley/client";
import { useEffect } from "preact/hooks";
import { Composer } from "../composer/composer.js";
import { Header } from "../rooms/header.js";
import { Nav } from "../rooms/list.js";
import { Offer } from "../rooms/offer.js";
import { Unavailable } from "../rooms/unavailable.js";
import { phase } from "../session/session.js";
import { dialog } from "../state/dialog.js";
import { roomName } from "../state/names.js";
import { current, dev, list, online, panel, route, state, useValue } from "../state/store.js";
import { Timeline } from "../timeline/timeline.js";
import { lazy } from "../ui/lazy.js";
import { Notices } from "./notices.js";

// Code that does not come closes the panel again, so that its button can be pressed once more.
const Dialogs = lazy(() => import("./dialogs.js"));
const Panel = lazy(() => import("../panel/panel.js").catch((error: unknown) => { panel.value = null; throw error; }));
const SignIn = lazy(() => import("../session/sign-in-page.js"));
const Drawer = lazy(() => import("../developer/drawer.js"), () => <aside class="drawer" />);

/** The page: rooms, a room, and a panel beside it; or the sign-in. */
export function App() {
  const where = useValue(phase);
  const room = useValue(current);
  const kind = useValue(panel);
  const shown = useValue(dialog);
  if (where === "starting") return null;
  if (where !== "in") return <><SignIn /><Notices /></>;
  return (
    <div class={["app", room && "in-room", kind && "with-panel", dev && "with-drawer"].filter(Boolean).join(" ")}>
      <Nav />
      {shown && <Dialogs />}
      {room ? <RoomPane key={room.id} room={room} /> : <NoRoom />}
      {kind && <Panel key={`${room?.id} ${kind}`} room={room} kind={kind} />}
      {dev && <Drawer />}
      <Notices />
    </div>
  );
}

/** Shows the unread messages of all rooms, and the room's name, in the window's title. */
function useTitle(name: string): void {
  const { unread } = useValue(list);
  useEffect(() => {
    document.title = `${unread ? `(${unread}) ` : ""}${name && `${name} · `}Parley`;
  }, [unread, name]);
}

function RoomPane({ room }: { room: Room }) {
  const { info, phase: shown, online: there } = useValue(room);
  const { rooms } = useValue(list);
  const { message } = useValue(route);
  const known = info ?? rooms.find(r => r.id === room.id);
  const name = known ? roomName(known) : room.id;
  useTitle(shown === "gone" ? "" : name);
  const others = useValue(state) === "offline" ? "" : there.join(); // without a connection nobody knows
  useEffect(() => { online.value = new Set(others ? there : []); }, [others]);
  const open = shown !== "gone" && shown !== "failed";
  return (
    <main class="room-pane">
      <Header room={room} />
      <div class="stage">{open ? <Timeline room={room} focusId={message} /> : <Unavailable phase={shown} />}</div>
      {open && <Offer room={room} />}
      {open && <Composer room={room} name={known?.kind === "direct" ? name : `#${name}`} />}
    </main>
  );
}

function NoRoom() {
  useTitle("");
  const { loaded } = useValue(list);
  return <main class="room-pane"><div class="state quiet">{loaded && "Choose a room, or find one."}</div></main>;
}
