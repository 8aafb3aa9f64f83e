import type { Observable } from "@parley/client";
import { useEffect, useState } from "preact/hooks";
import { followOwn } from "../account/profile.js";
import { chat, current, state, toasted, useValue } from "../state/store.js";
import { seeking } from "../timeline/opening.js";

const lateTime = 300; // a shorter wait needs no words

/** Reports whether something has been the case for a while. */
function useLate(is: boolean): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    if (!is) return;
    const timer = setTimeout(() => setLate(true), lateTime);
    return () => clearTimeout(timer);
  }, [is]);
  return is && late;
}

const noRoom: Observable<{ phase: string }> = { value: { phase: "" }, subscribe: () => () => undefined };

/** The state of the connection in words; nothing while all is well. It covers the page and moves nothing: other words are another element. */
export function Notices() {
  useEffect(followOwn, []);
  const now = useValue(state);
  const signedIn = useValue(chat) !== null;
  const said = useValue(toasted);
  const late = useLate(now === "connecting" && signedIn);
  const room: Observable<{ phase: string }> = useValue(current) ?? noRoom;
  const { phase } = useValue(room);
  const sought = useValue(seeking);
  const loading = useLate(phase === "loading" || sought);
  const text = !signedIn ? "" : now === "offline" ? "Offline. Messages will be sent when you are back."
    : now === "polling" ? "No live connection. Messages may be a bit late."
    : late ? "Connecting…" : loading ? "Loading messages…" : "";
  return (
    <>
      <div class="notice" role="status">{text && <span key={text}>{text}</span>}</div>
      <div class="toast" role="status">{said && <span dir="auto">{said}</span>}</div>
    </>
  );
}
