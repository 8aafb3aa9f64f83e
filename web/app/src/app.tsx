import { Composer } from "./composer.js";
import { Header, roomName } from "./header.js";
import { lazy } from "./lazy.js";
import { chat, current, panel, route, useValue } from "./store.js";
import type { Room } from "@parley/client";
import { Timeline } from "./timeline.js";

const Panel = lazy(() => import("./panel/index.js"));

/** The page: rooms, a room, and a panel beside it. */
export function App() {
  const room = current.value;
  const frame = ["app", room && "in-room", room && panel.value && "with-panel"].filter(Boolean).join(" ");
  return (
    <div class={frame}>
      <nav class="nav" aria-label="Rooms">{chat.value && null}</nav>
      {room && <RoomPane key={room.id} room={room} />}
      {room && panel.value && <Panel key={`${room.id} ${panel.value}`} room={room} kind={panel.value} onClose={() => (panel.value = null)} />}
    </div>
  );
}

function RoomPane({ room }: { room: Room }) {
  const { info } = useValue(room);
  const name = info ? roomName(info) : room.id;
  return (
    <main class="room-pane">
      <Header room={room} />
      <div class="stage"><Timeline room={room} focusId={route.value.message} /></div>
      <Composer room={room} name={info?.kind === "direct" ? name : `#${name}`} />
    </main>
  );
}
