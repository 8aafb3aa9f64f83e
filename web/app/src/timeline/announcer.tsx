import type { Room } from "@parley/client";
import { useEffect, useReducer } from "preact/hooks";
import { nameOf } from "../state/names.js";
import { blocked, me } from "../state/store.js";
import { Arrivals, Speaker } from "./announce.js";

/** How long an announcement stays for those who read the page rather than listen to it. */
const stay = 6000;

/** Tells screen readers what others have written since a room or a thread was shown. */
export function Announcer({ room }: { room: Room }) {
  const [said, say] = useReducer((before: { text: string; count: number }, text: string) => ({ text, count: before.count + 1 }), { text: "", count: 0 });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const speaker = new Speaker(text => {
      say(text);
      clearTimeout(timer);
      timer = setTimeout(() => say(""), stay);
    });
    const arrivals = new Arrivals();
    const look = () => {
      const fresh = arrivals.look(room.value, me.value, blocked.value);
      if (fresh.length) speaker.add(fresh.map(m => ({ author: nameOf(room.value.people, m.user), text: m.text })));
    };
    look();
    const end = room.subscribe(look);
    return () => {
      end();
      speaker.stop();
      clearTimeout(timer);
    };
  }, [room]);
  // A new element each time, so that the same words twice are heard twice.
  return <div class="unseen announcer" aria-live="polite">{said.text && <p key={said.count}>{said.text}</p>}</div>;
}
