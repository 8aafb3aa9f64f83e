import { useEffect, useState } from "preact/hooks";
import { followOwn } from "../account/profile.js";
import { useValue } from "../state/cell.js";
import { lateTime } from "../state/late.js";
import { usePage } from "../state/page.js";
import { useCachedAt, useRoomPhase } from "../state/room-phase.js";
import { when } from "../ui/dates.js";

/** Reports whether is has been true for lateTime. */
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

/**
 * The state of the connection in words, in the bar above the page; empty while all is well. Words that pass soon
 * are for the line above the field, where they move nothing.
 */
export function Notices() {
  const page = usePage();
  useEffect(() => followOwn(page), []);
  const now = useValue(page.connection);
  const signedIn = useValue(page.chat) !== null;
  const late = useLate(now === "connecting" && signedIn);
  const phase = useRoomPhase();
  const seeking = useValue(page.seeking);
  const loading = useLate(phase === "loading" || seeking);
  const cachedAt = useCachedAt();
  const since = cachedAt ? ` Shown as of ${when(new Date(cachedAt).toISOString(), new Date())}.` : "";
  const passing = late ? `Connecting…${since}` : loading ? "Loading messages…" : "";
  const text = signedIn && (now === "offline" ? `Offline. Messages will be sent when you are back.${since}`
    : now === "polling" && "No live connection. Messages may be a bit late.");
  useEffect(() => { page.passing.value = passing; }, [passing]);
  return <div class="notice" role="status">{text && <span>{text}</span>}</div>;
}
