// The state of a message that is not stored yet.
import type { Message, Room } from "@parley/client";
import { useEffect, useState } from "preact/hooks";
import { useValue } from "../state/cell.js";
import { usePage } from "../state/page.js";

/** Most messages are sent in less time; showing their state would only flicker. */
const unnoticed = 1_000; // milliseconds

/** Why a message is not sent yet, shown after a short while, when it can be taken back. */
export function Waiting({ room, message }: { room: Room; message: Message }) {
  const page = usePage();
  const offline = useValue(page.connection) === "offline";
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), unnoticed);
    return () => clearTimeout(timer);
  }, []);
  if (!long) return null;
  const takeBack = (from: HTMLElement) =>
    void import("./not-done.js").then(m => m.takeBackMessage(page, room, message, from), page.toastError);
  return (
    <div class="small quiet">
      {offline ? "Waiting for the connection" : "Sending…"}
      {offline && (
        <> · <button type="button" class="link" tabIndex={-1} onClick={e => takeBack(e.currentTarget)}>
          Take back
        </button></>
      )}
    </div>
  );
}
