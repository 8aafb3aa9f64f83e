// The programs that are connected to a room, for its owners.
import type { Room } from "@parley/client";
import { useEffect, useRef } from "preact/hooks";
import type { RoomInfo } from "../api/types.js";
import { Icon } from "../ui/icons.js";
import { Incoming } from "./incoming.js";
import { Outgoing } from "./outgoing.js";

export default function Programs({ room, info, onBack }: { room: Room; info: RoomInfo; onBack: () => void }) {
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => back.current?.focus(), []);
  return (
    <>
      <button type="button" class="p-back" ref={back} onClick={onBack}><Icon name="back" />All settings</button>
      <div class="p-title"><h3>Connect other programs</h3></div>
      <Incoming room={room} info={info} />
      <Outgoing room={room} info={info} />
    </>
  );
}
