import type { Room } from "@parley/client";
import { useState } from "preact/hooks";
import { join } from "./direct.js";
import { chat, toastError } from "../state/store.js";

/** Offers to join a public room that the person only looks at. */
export default function Join({ room }: { room: Room }) {
  const [busy, setBusy] = useState(false);
  const click = async () => {
    setBusy(true);
    try {
      await join(room.id);
      await chat.value?.rooms.reload();
    } catch (error) {
      toastError(error);
    }
    setBusy(false);
  };
  return (
    <div class="offer small">
      <span>You are not in this room. Join to keep it in your list.</span>
      <button type="button" class="button" disabled={busy} onClick={() => void click()}>Join</button>
    </div>
  );
}
