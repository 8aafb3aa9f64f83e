// The offers above the composer: to join the room, or to open a window of a second person.
import type { Room } from "@parley/client";
import { useEffect } from "preact/hooks";
import { useAttempt } from "../api/attempt.js";
import { join } from "../api/rooms.js";
import { useValue } from "../state/cell.js";
import { usePage } from "../state/page.js";
import { backToComposer } from "../ui/focus.js";
import { IconButton } from "../ui/icons.js";

/** Returns the offer of a room: "answered" if somebody else is there already. */
function useOffer(room: Room): "join" | "second" | "answered" | undefined {
  const { config, me, offering } = usePage();
  const { info, phase, messages, online } = useValue(room);
  const offersSecond = useValue(offering);
  if (phase !== "ready" || !info) return undefined;
  if (!info.me && info.kind === "room" && !info.archived) return "join";
  if (!offersSecond || config.value?.signIn.kind !== "local") return undefined;
  // a second person could not open it, or not write
  if (info.visibility !== "public" || info.archived) return undefined;
  const others = messages.some(m => m.user !== me.value) || online.some(user => user !== me.value);
  return others ? "answered" : "second";
}

export function Offer({ room }: { room: Room }) {
  const page = usePage();
  const offer = useOffer(room);
  useEffect(() => { if (offer === "answered") page.endOffer(); }, [offer]);
  return offer === "join" ? <Join room={room} /> : offer === "second" ? <SecondPerson /> : null;
}

/** Offers to join a public room of which the person is not a member. */
function Join({ room }: { room: Room }) {
  const page = usePage();
  const { attempt, busy, refusal } = useAttempt();
  const click = () => attempt(async () => {
    await join(page, room.id);
    await page.chat.value?.rooms.reload();
  });
  return (
    <div class="offer small">
      {refusal
        ? <span class="alert" role="alert">{refusal}</span>
        : <span>You are not in this room. Join to keep it in your list.</span>}
      <button type="button" class="button" disabled={busy} onClick={click}>Join</button>
    </div>
  );
}

/** Offers the first person of a new server to open a second one in another window. */
function SecondPerson() {
  const page = usePage();
  const other = useValue(page.me) === "bob" ? "alice" : "bob";
  const done = () => {
    page.endOffer();
    backToComposer();
  };
  return (
    <p class="offer small">
      <span>
        To see both sides, <a href={`/#as=${other}`} target="_blank" rel="noopener" onClick={done}>
          open {other} in another window
        </a>.
      </span>
      <IconButton name="close" label="Dismiss" onClick={done} />
    </p>
  );
}
