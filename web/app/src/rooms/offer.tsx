// What is offered above the composer: to join the room, or to open a second person.
import type { Room } from "@parley/client";
import { useEffect, useState } from "preact/hooks";
import { join } from "../api/rooms.js";
import { config } from "../session/session.js";
import { cell } from "../state/cell.js";
import { chat, me, toastError, useValue } from "../state/store.js";
import { backToComposer } from "../ui/focus.js";
import { IconButton } from "../ui/icons.js";

/** Where the browser remembers that a second person was offered. */
const offerKey = "parley.offered";
const offering = cell(localStorage.getItem(offerKey) === null);

/** Offers no second person any more. */
function dismiss(): void {
  localStorage.setItem(offerKey, "1");
  offering.value = false;
}

/** Returns what a room offers; "answered" if somebody else is there already. */
function useOffer(room: Room): "join" | "second" | "answered" | undefined {
  const { info, phase, messages, online } = useValue(room);
  const offered = useValue(offering);
  if (phase !== "ready" || !info) return undefined;
  if (!info.me && info.kind === "room" && !info.archived) return "join";
  if (!offered || config.value?.signIn.kind !== "local") return undefined;
  const others = messages.some(m => m.user !== me.value) || online.some(user => user !== me.value);
  return others ? "answered" : "second";
}

export function Offer({ room }: { room: Room }) {
  const offer = useOffer(room);
  useEffect(() => { if (offer === "answered") dismiss(); }, [offer]);
  return offer === "join" ? <Join room={room} /> : offer === "second" ? <SecondPerson /> : null;
}

/** Offers to join a public room that the person only looks at. */
function Join({ room }: { room: Room }) {
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

const done = () => {
  dismiss();
  backToComposer();
};

/** Offers the first person of a new server to open a second one in another window. */
function SecondPerson() {
  const other = useValue(me) === "bob" ? "alice" : "bob";
  return (
    <p class="offer small">
      <span>To see both sides, <a href={`/#as=${other}`} target="_blank" rel="noopener" onClick={done}>open {other} in another window</a>.</span>
      <IconButton name="close" label="Dismiss" onClick={done} />
    </p>
  );
}
