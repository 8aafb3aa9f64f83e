import "../ui/lateicons.js";
import type { Room } from "@parley/client";
import { useEffect } from "preact/hooks";
import { dismiss, useBeside } from "./besides.js";
import Join from "./join.js";
import Offer from "./offer.js";

/** What is offered above the composer: to join the room, or to open a second person. */
export default function Beside({ room }: { room: Room }) {
  const kind = useBeside(room);
  useEffect(() => { if (kind === "answered") dismiss(); }, [kind]);
  return kind === "join" ? <Join room={room} /> : kind === "second" ? <Offer /> : null;
}
