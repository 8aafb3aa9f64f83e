import type { RoomView } from "@parley/client";
import { useEffect } from "preact/hooks";
import { useValue } from "../state/cell.js";
import { usePage } from "../state/page.js";
import { lazy } from "../ui/lazy.js";

const Refused = lazy(() => import("./refused.js"));

/** The pane of a room whose messages cannot be shown. */
export function Unavailable({ phase }: Pick<RoomView, "phase">) {
  const { current, dialog, toasted } = usePage();
  const room = useValue(current);
  useEffect(() => { toasted.value = ""; }, [phase]); // it was about a room that is no longer shown
  if (phase === "gone") {
    return (
      <div class="state">
        {room && <Refused key={room.id} room={room} />}
        <button type="button" class="button" onClick={() => (dialog.value = "find")}>Find a room</button>
      </div>
    );
  }
  return (
    <div class="state">
      <p role="status">The messages could not be loaded.</p>
      <button type="button" class="button" onClick={() => void current.value?.latest()}>Try again</button>
    </div>
  );
}
