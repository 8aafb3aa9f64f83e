import type { Room, RoomView } from "@parley/client";
import { useEffect } from "preact/hooks";
import { Arrivals, Speaker } from "./announce.js";
import { blocked, me, nameOf } from "../state/store.js";

/** How long an announcement stays for those who read the page rather than listen to it. */
const stay = 6000;

/** Says what others have written since the room was shown. */
export function useAnnouncer(room: Room, shown: RoomView, say: (text: string) => void): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const speaker = new Speaker(text => {
      say(text);
      clearTimeout(timer);
      timer = setTimeout(() => say(""), stay);
    });
    const arrivals = new Arrivals();
    arrivals.look(shown, me.value, blocked.value);
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
}
