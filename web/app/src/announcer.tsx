import type { Room } from "@parley/client";
import { useEffect, useState } from "preact/hooks";
import { Arrivals, Speaker } from "./announce.js";
import { blocked, me, nameOf } from "./store.js";

/** How long an announcement stays for those who read the page rather than listen to it. */
const stay = 6000;

/** Tells screen readers what others write here. */
export function Announcer({ room }: { room: Room }) {
  const [said, say] = useState({ text: "", count: 0 });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const speaker = new Speaker(text => {
      say(s => ({ text, count: s.count + 1 }));
      clearTimeout(timer);
      timer = setTimeout(() => say(s => ({ ...s, text: "" })), stay);
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
  // A new element each time: the same words twice are heard twice.
  return <div class="unseen announcer" aria-live="polite">{said.text && <p key={said.count}>{said.text}</p>}</div>;
}
