import type { Room, RoomView } from "@parley/client";
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
export default function Announcer({ room, opened }: { room: Room; opened: RoomView }) {
  const page = usePage();
  const view = useValue(room);
  const [said, say] = useReducer(
    (before: { text: string; count: number }, text: string) => ({ text, count: before.count + 1 }),
    { text: "", count: 0 },
  );
  const [arrivals] = useState(() => {
    const all = new Arrivals();
    all.look(opened, page.me.value, page.blocked.value); // what follows is new
    return all;
  });
  const [speaker] = useState(() => new Speaker(say));
  useEffect(() => () => speaker.stop(), []);
  useEffect(() => {
    const { firstUnread, hasNewer, messages } = opened;
    if (!firstUnread) return;
    const count = messages.filter(m => m.id >= firstUnread && m.user !== page.me.value).length;
    speaker.say(count === 1 ? "1 new message" : `${count}${hasNewer ? " or more" : ""} new messages`);
  }, []);
  useEffect(() => {
    const fresh = arrivals.look(view, page.me.value, page.blocked.value);
    if (fresh.length) {
      speaker.add(fresh.map(m => ({
        author: `${nameOf(page, view.people, m.user)}${mentionsMe(page, m) ? ", mentions you" : ""}`,
        text: [plain(m.text), filesWords(m.attachments)].filter(Boolean).join(", "),
      })));
    }
  }, [view]);
  useEffect(() => {
    if (!said.text) return undefined;
    const timer = setTimeout(() => say(""), stay);
    return () => clearTimeout(timer);
  }, [said]);
  // A new element each time, so that the same words twice are heard twice.
  return said.text ? <p key={said.count}>{said.text}</p> : null;
}
