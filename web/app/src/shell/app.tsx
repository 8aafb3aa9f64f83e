import type { Room } from "@parley/client";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { useBeside } from "../rooms/besides.js";
import { draftOf } from "../composer/drafts.js";
import { Header, roomName } from "../rooms/header.js";
import { lazy, showsMessages, soon } from "../ui/lazy.js";
import { Nav } from "../rooms/list.js";
import { phase } from "../session/session.js";
import { current, dev, list, me, online, panel, route, state, useValue } from "../state/store.js";
import { Timeline } from "../timeline/timeline.js";

// Code that does not come closes the panel again, so that its button can be pressed once more.
const Panel = lazy(() => import("../panel/panel.js").catch((error: unknown) => { panel.value = null; throw error; }));
const SignIn = lazy(() => import("../session/sign-in-page.js"));
const RoomState = lazy(() => import("../rooms/unavailable.js"));
const Drawer = lazy(() => import("../developer/drawer.js"), () => <aside class="drawer" />);
const Composer = lazy(
  soon(async () => ({ default: (await import("../composer/composer.js")).Composer })),
  ComposerPlace,
);
const Beside = lazy(soon(() => import("../rooms/beside.js")), BesidePlace);
const Notices = lazy(soon(() => import("./notices.js")));

/** The page: rooms, a room, and a panel beside it; or the sign-in. */
export function App() {
  const where = useValue(phase);
  const room = useValue(current);
  const kind = useValue(panel);
  if (where === "starting") return null;
  if (where !== "in") return <><SignIn /><Notices /></>;
  return (
    <div class={["app", room && "in-room", kind && "with-panel", dev && "with-drawer"].filter(Boolean).join(" ")}>
      <Nav />
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
  useLayoutEffect(() => { if (shown !== "loading") showsMessages(); }, [shown]);
  useEffect(() => { online.value = new Set(others ? there : []); }, [others]);
  const open = shown !== "gone" && shown !== "failed";
  return (
    <main class="room-pane">
      <Header room={room} />
      <div class="stage">{open ? <Timeline room={room} focusId={message} /> : <RoomState phase={shown} />}</div>
      {open && <Beside room={room} />}
      {open && <Composer room={room} name={known?.kind === "direct" ? name : `#${name}`} />}
    </main>
  );
}

/** As high as what will be there, so that it moves nothing. */
function BesidePlace({ room }: { room: Room }) {
  const kind = useBeside(room);
  return kind && kind !== "answered" ? <div class="offer" /> : null;
}

/** As high as the composer will be with the draft of the room. */
function ComposerPlace({ room }: { room: Room }) {
  return (
    <div class="foot">
      <div class="line" />
      <div class="composer blank" aria-hidden="true"><textarea rows={1} dir="auto" disabled value={draftOf(me.value, room.id)} /></div>
    </div>
  );
}

function NoRoom() {
  useTitle("");
  const { loaded } = useValue(list);
  useLayoutEffect(() => { if (loaded) showsMessages(); }, [loaded]);
  return <main class="room-pane"><div class="state quiet">{loaded && "Choose a room, or find one."}</div></main>;
}
