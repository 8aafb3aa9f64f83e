import type { RoomView } from "@parley/client";
import { useEffect } from "preact/hooks";
import { usePage } from "../state/page.js";

/** The pane of a room whose messages cannot be shown. */
export function Unavailable({ phase }: Pick<RoomView, "phase">) {
  const { current, dialog, toasted } = usePage();
  useEffect(() => { toasted.value = ""; }, [phase]); // it was about what is not shown any more
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
