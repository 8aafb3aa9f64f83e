// The state of a message, or of a change of it, that is not stored yet.
import type { Message, Room } from "@parley/client";
import { useEffect, useState } from "preact/hooks";
import { useValue } from "../state/cell.js";
import { type Pending, usePage } from "../state/page.js";
import { setPending } from "./edits.js";
import { isThread } from "./find.js";

/** Most messages are sent in less time; showing their state would only flicker. */
const unnoticed = 1_000; // milliseconds

/** Why a message is not sent yet, shown after a short while. */
export function Waiting() {
  const offline = useValue(usePage().connection) === "offline";
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), unnoticed);
    return () => clearTimeout(timer);
  }, []);
  return long ? <div class="small quiet">{offline ? "Waiting for the connection" : "Sending…"}</div> : null;
}

/** Why a message was not sent, and what to do about it. */
export function Failure({ room, message }: { room: Room; message: Message }) {
  return (
    <div class="failure" role="alert">
      <span>
        Not sent. {message.files?.some(f => f.error)
          ? "A file could not be sent."
          : message.error ?? "The server cannot be reached."}
      </span>
      <button type="button" class="link" tabIndex={-1} onClick={() => room.retry(message.id)}>Try again</button>
      <button type="button" class="link" tabIndex={-1} onClick={() => room.discard(message.id)}>Discard</button>
    </div>
  );
}

/** Why a change of a message was refused, and what to do about it. */
export function Refused({ room, message: { id }, change: { kind, error } }: {
  room: Room; message: Message; change: Pending;
}) {
  const page = usePage();
  return (
    <div class="failure" role="alert">
      <span>{kind === "edit" ? "Not saved." : "Not deleted."} {error}</span>
      {kind === "edit" && (
        <button
          type="button"
          class="link"
          tabIndex={-1}
          onClick={() => (page.editing.value = { id, inThread: isThread(room) })}
        >
          Edit again
        </button>
      )}
      <button type="button" class="link" tabIndex={-1} onClick={() => setPending(page, id)}>Dismiss</button>
    </div>
  );
}
