import "./lateicons.js";
import type { Room } from "@parley/client";
import Join from "./join.js";
import Offer from "./offer.js";
import { config } from "./session.js";
import { useValue } from "./store.js";

/** What is offered above the composer: to join the room, or to open a second person. */
export default function Beside({ room }: { room: Room }) {
  const { info, phase } = useValue(room);
  if (phase !== "ready" || !info) return null;
  if (!info.me && info.kind === "room" && !info.archived) return <Join room={room} />;
  return config.value?.signIn.kind === "local" ? <Offer room={room} /> : null;
}
