import type { Room } from "@parley/client";
import { useEffect, useReducer, useState } from "preact/hooks";
import { useValue } from "../state/cell.js";
import { nameOf } from "../state/names.js";
import { usePage } from "../state/page.js";
import { Arrivals, Speaker } from "./announce.js";

/** How long an announcement stays readable, in milliseconds. */
const stay = 6000;

/** Announces to screen readers what others have written since a room or a thread was shown. */
export function Announcer({ room }: { room: Room }) {
  const page = usePage();
  const view = useValue(room);
  const [said, say] = useReducer((before: { text: string; count: number }, text: string) => ({ text, count: before.count + 1 }), { text: "", count: 0 });
  const [arrivals] = useState(() => new Arrivals());
  const [speaker] = useState(() => new Speaker(say));
  useEffect(() => () => speaker.stop(), []);
  useEffect(() => {
    const fresh = arrivals.look(view, page.me.value, page.blocked.value);
    if (fresh.length) speaker.add(fresh.map(m => ({ author: nameOf(page, view.people, m.user), text: m.text })));
  }, [view]);
  useEffect(() => {
    if (!said.text) return undefined;
    const timer = setTimeout(() => say(""), stay);
    return () => clearTimeout(timer);
  }, [said]);
  // A new element each time, so that the same words twice are heard twice.
  return <div class="unseen announcer" aria-live="polite">{said.text && <p key={said.count}>{said.text}</p>}</div>;
}
