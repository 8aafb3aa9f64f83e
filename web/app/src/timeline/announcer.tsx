import type { Room } from "@parley/client";
import { useEffect, useReducer, useState } from "preact/hooks";
import { filesWords } from "../files/files.js";
import { useValue } from "../state/cell.js";
import { mentionsMe, nameOf } from "../state/names.js";
import { usePage } from "../state/page.js";
import { plain } from "../ui/markup.js";
import { Arrivals, Speaker } from "./announce.js";

/** How long an announcement stays readable, in milliseconds. */
const stay = 6000;

/** Announces to screen readers how much was new when a room opened, and what others have written since. */
export default function Announcer({ room }: { room: Room }) {
  const page = usePage();
  const view = useValue(room);
  const [said, say] = useReducer((before: { text: string; count: number }, text: string) => ({ text, count: before.count + 1 }), { text: "", count: 0 });
  const [arrivals] = useState(() => new Arrivals());
  const [speaker] = useState(() => new Speaker(say));
  useEffect(() => () => speaker.stop(), []);
  const { firstUnread, phase } = view;
  useEffect(() => {
    if (phase !== "ready" || !firstUnread) return;
    const count = view.messages.filter(m => m.id >= firstUnread && m.user !== page.me.value).length;
    say(count === 1 ? "1 new message" : `${count}${view.hasNewer ? " or more" : ""} new messages`);
  }, [phase]);
  useEffect(() => {
    const fresh = arrivals.look(view, page.me.value, page.blocked.value);
    if (fresh.length) speaker.add(fresh.map(m => ({ author: `${nameOf(page, view.people, m.user)}${mentionsMe(page, m) ? ", mentions you" : ""}`, text: [plain(m.text), filesWords(m.attachments)].filter(Boolean).join(", ") })));
  }, [view]);
  useEffect(() => {
    if (!said.text) return undefined;
    const timer = setTimeout(() => say(""), stay);
    return () => clearTimeout(timer);
  }, [said]);
  // A new element each time, so that the same words twice are heard twice.
  return <div class="unseen announcer" aria-live="polite">{said.text && <p key={said.count}>{said.text}</p>}</div>;
}
