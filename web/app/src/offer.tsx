// One line for the first person of a new server: how to be two.
import type { Room } from "@parley/client";
import { useEffect } from "preact/hooks";
import { cell } from "./cell.js";
import { IconButton } from "./icons.js";
import { config } from "./session.js";
import { me, useValue } from "./store.js";

/** Where the browser remembers that a second person was offered. */
const offerKey = "parley.offered";
const open = cell(localStorage.getItem(offerKey) === null);

function dismiss(): void {
  localStorage.setItem(offerKey, "1");
  open.value = false;
}

/** Offers to open a second person in another window, until that was done or somebody else has written. */
export default function Offer({ room }: { room: Room }) {
  const { messages, phase } = useValue(room);
  const user = useValue(me);
  const answered = messages.some(m => m.user !== user);
  useEffect(() => { if (answered) dismiss(); }, [answered]);
  const offered = useValue(open);
  if (!offered || answered || phase !== "ready" || config.value?.signIn.kind !== "local") return null;
  const other = user === "bob" ? "alice" : "bob";
  return (
    <p class="offer small">
      <span>To see both sides, <a href={`/#as=${other}`} target="_blank" rel="noopener" onClick={dismiss}>open {other} in another window</a>.</span>
      <IconButton name="close" label="Dismiss" onClick={dismiss} />
    </p>
  );
}
