import type { RoomView } from "@parley/client";
import { usePage } from "../state/page.js";

/** The pane of a room whose messages cannot be shown. */
export function Unavailable({ phase }: Pick<RoomView, "phase">) {
  const { current, dialog } = usePage();
  if (phase === "gone") {
    return (
      <div class="state">
        <p role="status">This room does not exist, or you may not see it.</p>
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
