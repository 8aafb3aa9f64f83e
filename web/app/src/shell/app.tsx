import type { Room } from "@parley/client";
import { useEffect, useMemo } from "preact/hooks";
import { Composer } from "../composer/composer.js";
import { useTotal } from "../notifications/total.js";
import { Profiles } from "../people/hover.js";
import { Header } from "../rooms/header.js";
import { Nav } from "../rooms/list.js";
import { Offer } from "../rooms/offer.js";
import { Unavailable } from "../rooms/unavailable.js";
import { SignIn } from "../session/sign-in-page.js";
import { useValue } from "../state/cell.js";
import { knownName } from "../state/names.js";
import { usePage } from "../state/page.js";
import { Timeline } from "../timeline/timeline.js";
import { lazy, Opening } from "../ui/lazy.js";
import { Toast } from "../ui/toast.js";
import { followKeys } from "./keys.js";
import { Later } from "./later.js";
import { Notices } from "./notices.js";

const Dialogs = lazy(() => import("./dialogs.js"), Opening);
// If its code cannot be loaded, the panel closes, so that its button can be pressed again.
const Panel = lazy(({ panel }) => import("../panel/panel.js").catch((error: unknown) => {
  panel.value = null;
  throw error;
}));
const Drawer = lazy(() => import("../developer/drawer.js"), () => <aside class="drawer" />);

/** The page: rooms, a room, and a panel next to it; or the sign-in. */
export function App() {
  const page = usePage();
  const { phase, current, panel, dialog, dev } = page;
  const signedIn = useValue(phase);
  const room = useValue(current);
  const kind = useValue(panel);
  const shown = useValue(dialog);
  const asked = useMemo(() => ({ focus: document.activeElement, room }), [kind]);
  useEffect(() => (signedIn === "in" ? followKeys(page) : undefined), [signedIn]);
  if (signedIn === "starting") return null;
  if (signedIn !== "in") return <><SignIn /><Notices /><Toast place="foot" /></>;
  return (
    <div class={["app", room && "in-room", kind && "with-panel", dev && "with-drawer"].filter(Boolean).join(" ")}>
      <div class="notices"><Notices /><Later /></div>
      <Nav />
      {shown && <Dialogs onClose={() => (dialog.value = null)} />}
      {room ? <RoomPane key={room.id} room={room} /> : <NoRoom />}
      {kind && <Panel key={kind} room={room} kind={kind} asked={asked} />}
      {dev && <Drawer />}
      <Toast place="foot" />
      <Profiles />
    </div>
  );
}

/** Shows the room's name, and how much is unread and was not sent, in the window's title. */
function useTitle(name: string): void {
  const { unread } = useTotal();
  const failed = [...useValue(usePage().failed).values()].reduce((sum, n) => sum + n, 0);
  useEffect(() => {
    const notSent = failed ? `${failed} not sent · ` : "";
    document.title = `${notSent}${unread ? `(${unread}) ` : ""}${name && `${name} · `}Parley`;
  }, [unread, failed, name]);
}

function RoomPane({ room }: { room: Room }) {
  const page = usePage();
  const { info, phase, online } = useValue(room);
  const { rooms } = useValue(page.list);
  const { message } = useValue(page.route);
  const known = info ?? rooms.find(r => r.id === room.id);
  const name = knownName(page, known);
  useTitle(phase === "gone" || !known ? "" : name);
  const users = useValue(page.connection) === "offline" ? "" : online.join(); // unknown without a connection
  useEffect(() => { page.online.value = new Set(users ? online : []); }, [users]);
  const open = phase !== "gone" && phase !== "failed";
  return (
    <main class="room-pane">
      <Header room={room} />
      <div class="stage">{open ? <Timeline room={room} focusId={message} /> : <Unavailable phase={phase} />}</div>
      {open && <Offer room={room} />}
      {open && <Composer room={room} name={known?.kind === "room" ? `#${name}` : name} />}
    </main>
  );
}

function NoRoom() {
  const { dialog, list } = usePage();
  useTitle("");
  const { loaded, rooms } = useValue(list);
  return (
    <main class="room-pane">
      {loaded && (
        <div class="state">
          <p class="quiet">
            {rooms.length ? "Choose a room in the list." : "You are in no room yet. Join one, or create your own."}
          </p>
          <button type="button" class="button" onClick={() => (dialog.value = "browse")}>Browse rooms</button>
          <button type="button" class="button plain" onClick={() => (dialog.value = "create")}>Create a room</button>
        </div>
      )}
    </main>
  );
}
