import { useEffect, useState } from "preact/hooks";
import { state, useValue } from "../state/store.js";

/** Most messages are sent in less time, and a flicker would say nothing. */
const unnoticed = 1_000; // milliseconds

/** Why a message is not sent yet, if that takes a while. */
export function Waiting() {
  const offline = useValue(state) === "offline";
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), unnoticed);
    return () => clearTimeout(timer);
  }, []);
  return long ? <div class="small quiet">{offline ? "Waiting for the connection" : "Sending…"}</div> : null;
}
