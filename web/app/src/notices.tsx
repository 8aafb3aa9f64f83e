import { useEffect, useState } from "preact/hooks";
import type { RoomView } from "@parley/client";
import { chat, current, state, toasted, useValue } from "./store.js";

const lateTime = 300; // a shorter wait needs no words

/** Reports whether something has been the case for a while. */
export function useLate(is: boolean): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    if (!is) return;
    const timer = setTimeout(() => setLate(true), lateTime);
    return () => clearTimeout(timer);
  }, [is]);
  return is && late;
}

/** The state of the connection in words; nothing while all is well. It covers the page and moves nothing. */
export function Notices() {
  const now = useValue(state);
  const signedIn = useValue(chat) !== null;
  const said = useValue(toasted);
  const late = useLate(now === "connecting" && signedIn);
  const text = !signedIn ? "" : now === "offline" ? "Offline. Messages will be sent when you are back."
    : now === "polling" ? "No live connection. New messages show after some seconds."
    : late ? "Connecting…" : "";
  return (
    <>
      <div class="notice" role="status">{text && <span>{text}</span>}</div>
      <div class="toast" role="status">{said && <span dir="auto">{said}</span>}</div>
    </>
  );
}

/** What takes the place of messages if there are none to show. */
export function RoomState({ phase }: Pick<RoomView, "phase">) {
  const late = useLate(phase === "loading");
  if (phase === "gone") return <div class="state" role="status">This room does not exist, or you may not see it.</div>;
  if (phase === "failed") {
    return (
      <div class="state">
        <p role="status">The messages could not be loaded.</p>
        <button type="button" class="button" onClick={() => void current.value?.open().catch(() => undefined)}>Try again</button>
      </div>
    );
  }
  return late ? <div class="state quiet" role="status">Loading messages…</div> : null;
}
