import type { Message, Room, RoomView } from "@parley/client";
import type { ComponentChild } from "preact";
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { type Access, accessOf } from "../rooms/access.js";
import { editing } from "../composer/state.js";
import { dayName, untilTomorrow } from "../ui/dates.js";
import { roomName } from "../rooms/header.js";
import { Companion } from "./later.js";
import { MessageRow } from "../message/message.js";
import { useOpened } from "./opening.js";
import { quotedText } from "../message/quote.js";
import { daysOf, type Row } from "./rows.js";
import { blocked, card, everyone, nameOf, useValue } from "../state/store.js";
import { Viewport } from "./viewport.js";

/** The messages of a room that the app has opened around focusId. */
export function Timeline({ room, focusId }: { room: Room; focusId: string }) {
  const view = useOpened(room, focusId);
  const log = useRef<HTMLDivElement>(null);
  const viewport = useRef<Viewport>(undefined);
  const [said, say] = useReducer((before: { text: string; count: number }, text: string) => ({ text, count: before.count + 1 }), { text: "", count: 0 });
  const shown = useRef<RoomView>(undefined);
  if (view.phase === "ready") shown.current ??= view;
  const [lit, setLit] = useState("");
  const [later, hurry] = useLater(view.phase === "ready");
  viewport.current?.beforeRender();

  useLayoutEffect(() => {
    if (!log.current) return;
    const v = new Viewport(log.current, room, setLit);
    viewport.current = v;
    return () => v.end();
  }, [room]);
  useLayoutEffect(() => viewport.current?.aim(focusId), [room, focusId]);
  useLayoutEffect(() => viewport.current?.afterRender(view));
  useEffect(() => () => { editing.value = ""; }, [room]);

  return (
    <>
      <div
        class="log" role="log" aria-live="off" aria-busy={view.phase !== "ready"} aria-label={`Messages in ${view.info ? roomName(view.info) : room.id}`} ref={log}
        onFocusIn={hurry}
      >
        <div class="content">{useContent({ room, view, lit })}</div>
      </div>
      {/* A new element each time: the same words twice are heard twice. */}
      <div class="unseen announcer" aria-live="polite">{said.text && <p key={said.count}>{said.text}</p>}</div>
      {later && log.current && viewport.current && shown.current && (
        <Companion room={room} log={log.current} viewport={viewport.current} shown={shown.current} say={say} />
      )}
    </>
  );
}

interface ContentProps { room: Room; view: RoomView; lit: string }

/** Returns the days with their rows. They change only if what they show has changed. */
function useContent({ room, view, lit }: ContentProps): ComponentChild {
  const { messages, firstUnread, people, info, hasOlder, phase } = view;
  const hidden = useValue(blocked);
  const edited = useValue(editing);
  const own = useValue(card);
  const today = useToday();
  const access = useMemo(() => accessOf(info), [info]);
  const days = useMemo(() => daysOf(messages, { firstUnread, blocked: hidden }), [messages, firstUnread, hidden]);
  return useMemo(() => {
    const row = (r: Row) => rowOf(r, { room, people, access, editing: edited, lit });
    return (
      <>
        <Beginning shown={phase === "ready" && !hasOlder} empty={messages.length === 0} access={access} />
        {days.map(d => (
          <section key={d.key}>
            <h2 class="day"><span>{dayName(d.key, today)}</span></h2>
            {d.rows.map(row)}
          </section>
        ))}
      </>
    );
  }, [days, people, own, access, edited, lit, today, hasOlder, phase]);
}

export interface RowContext { room: Room; people: RoomView["people"]; access: Access; editing: string; lit: string }

/** Returns a message with what is above it. */
export function rowOf({ message, first, unread, blocked }: Row, c: RowContext): ComponentChild {
  const { id, user } = message;
  const row = (
    <MessageRow
      key={id} room={c.room} message={message} first={first} blocked={blocked} name={nameOf(c.people, user)} card={c.people[user]}
      access={c.access} names={namesIn(message, c.people)} quoted={quotedText(c.room, message)} editing={c.editing === id} lit={c.lit === id}
    />
  );
  return unread ? [<div class="new" role="separator" aria-label="New messages" key="unread"><span>New messages</span></div>, row] : row;
}

/** Returns the names of those whom a message mentions, a line each, the longest first. */
function namesIn({ mentions, mentionRoom }: Message, people: RoomView["people"]): string {
  const names = mentions?.map(user => nameOf(people, user)) ?? [];
  return [...names, ...(mentionRoom ? [everyone] : [])].sort((a, b) => b.length - a.length).join("\n");
}

/** The line above the first message. It has its space before it is shown, so that it moves nothing. */
function Beginning({ shown, empty, access }: { shown: boolean; empty: boolean; access: Access }) {
  const text = !empty ? "This is the beginning." : access.barred ? "No messages yet." : "No messages yet. Write the first one.";
  return <p class="beginning quiet">{shown && text}</p>;
}

/** Returns the current time, renewed when a local day begins. */
function useToday(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setTimeout(() => setNow(new Date()), untilTomorrow(now) + 1000);
    return () => clearTimeout(timer);
  }, [now]);
  return now;
}

/** What the first paint does without is loaded this long after it, or when it is needed. */
const laterTime = 500;

/** Reports whether something has been the case for a while, and returns what ends the wait. */
function useLater(is: boolean): [later: boolean, hurry: () => void] {
  const [later, setLater] = useState(false);
  const hurry = () => setLater(true);
  useEffect(() => {
    if (!is) return undefined;
    const timer = setTimeout(hurry, laterTime);
    return () => clearTimeout(timer);
  }, [is]);
  return [later, hurry];
}
