import { useValue } from "../state/cell.js";
import { usePage } from "../state/page.js";
import { useRoomPhase } from "../state/room-phase.js";
import { covering } from "./covering.js";

/** A line of the page that covers nothing: above the field of the room or of a thread, or at the foot of the page. */
export type Place = "room" | "thread" | "foot";

/** A confirmation that shows for some seconds, in the line above the visible field, or else at the foot. */
export function Toast({ place }: { place: Place }) {
  const page = usePage();
  const text = useValue(page.toasted);
  const undo = useValue(page.undo);
  const panel = useValue(page.panel);
  const phase = useRoomPhase();
  const over = panel && covering.matches;
  const seen = over
    ? panel.startsWith("thread:") && "thread"
    : phase && phase !== "gone" && phase !== "failed" && "room";
  return (
    <div class="toast" role="status">
      {text && (seen || "foot") === place && (
        <span dir="auto">{text}{undo && <button type="button" onClick={undo}>Undo</button>}</span>
      )}
    </div>
  );
}
