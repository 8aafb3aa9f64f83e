import type { Message, Room, RoomView } from "@parley/client";
import type { ComponentChild } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Access, accessOf } from "../access/access.js";
import { useFingers } from "../message/fingers.js";
import { MessageRow } from "../message/message.js";
import { quotedText } from "../message/quote.js";
import { useValue } from "../state/cell.js";
import { everyone, knownName, nameOf, plainNameOf } from "../state/names.js";
import { type Page, usePage } from "../state/page.js";
import { untilTomorrow } from "../ui/dates.js";
import { focusComposer } from "../ui/focus.js";
import { lazy } from "../ui/lazy.js";
import { Controls } from "./controls.js";
import { Day } from "./day.js";
import { logKey } from "./keys.js";
import { useOpened } from "./opening.js";
import { type Jump, noJump, Reader } from "./reader.js";
import { daysOf, type Row } from "./rows.js";
import { Viewport } from "./viewport.js";

const Start = lazy(() => import("./start.js"));
const Said = lazy(() => import("./announcer.js"));

/**
 * The announcements of a room for screen readers. The code is loaded once the page is painted, and then announces
 * earlier messages too.
 */
export function Announcer({ room }: { room: Room }) {
  const view = useValue(room);
  const painted = useValue(usePage().painted);
  const opened = useRef<RoomView>(undefined);
  if (view.phase === "ready" && !view.cachedAt) opened.current ??= view;
  return (
    <div class="unseen announcer" aria-live="polite">
      {painted && opened.current && <Said room={room} opened={opened.current} />}
    </div>
  );
}

/** The messages of a room that the app has opened around focusId. */
export function Timeline({ room, focusId }: { room: Room; focusId: string }) {
  const page = usePage();
  const view = useOpened(room, focusId);
  const log = useRef<HTMLDivElement>(null);
  const viewport = useRef<Viewport>(undefined);
  const [jump, setJump] = useState<Jump>(noJump);
  const [lit, setLit] = useState("");
  viewport.current?.beforeRender();

  useLayoutEffect(() => {
    if (!log.current) return;
    const v = new Viewport(page, log.current, room, setLit);
    const reader = new Reader(page, v, room, setJump);
    v.follower = reader;
    viewport.current = v;
    page.reader.value = reader;
    return () => {
      page.reader.value = null;
      reader.end();
      v.end();
    };
  }, [room]);
  useLayoutEffect(() => viewport.current?.aim(focusId), [room, focusId]);
  useLayoutEffect(() => viewport.current?.afterRender(view));
  useEffect(() => () => { page.editing.value = null; }, [room]);
  useFingers(room, log);

  return (
    <>
      <Controls room={room} jump={jump} viewport={viewport} />
      <div
        class="log"
        role="log"
        aria-live="off"
        aria-busy={view.phase !== "ready"}
        aria-label={`Messages in ${knownName(page, view.info)}`}
        ref={log}
        onKeyDown={e => { if (log.current) logKey(log.current, e, focusComposer); }}
      >
        <div class="content">{useContent({ room, view, lit })}</div>
      </div>
      <Announcer room={room} />
    </>
  );
}

interface ContentProps { room: Room; view: RoomView; lit: string }

/** Returns the days with their rows. They change only if what they show has changed. */
function useContent({ room, view, lit }: ContentProps): ComponentChild {
  const { messages, firstUnread, people, info, hasOlder, phase } = view;
  const page = usePage();
  const hidden = useValue(page.blocked);
  const edited = useValue(page.editing);
  const own = useValue(page.card);
  const editing = edited && !edited.inThread ? edited.id : "";
  const today = useToday();
  const access = useMemo(() => accessOf(info), [info]);
  const days = useMemo(() => daysOf(messages, { firstUnread, blocked: hidden }), [messages, firstUnread, hidden]);
  return useMemo(() => {
    const row = (r: Row) => rowOf(page, r, { room, people, access, editing, lit });
    return (
      <>
        <Beginning
          shown={phase === "ready" && !hasOlder}
          empty={messages.every(m => m.system)}
          room={room}
          access={access}
        />
        {days.map(d => (
          <section key={d.key}>
            <Day room={room} day={d.key} today={today} />
            {d.rows.map(row)}
          </section>
        ))}
      </>
    );
  }, [days, people, own, access, editing, lit, today, hasOlder, phase]);
}

/** The props that the rows share. `editing` and `lit` are ids of messages, or empty. */
export interface RowContext { room: Room; people: RoomView["people"]; access: Access; editing: string; lit: string }

/** Returns a message, below the line "New messages" if that is above it. */
export function rowOf(page: Page, { message, first, unread, blocked }: Row, c: RowContext): ComponentChild {
  const { id, user } = message;
  const row = (
    <MessageRow
      key={id}
      room={c.room}
      message={message}
      first={first}
      blocked={blocked}
      name={nameOf(page, c.people, user)}
      card={c.people[user]}
      access={c.access}
      names={namesIn(page, message, c.people)}
      quoted={quotedText(c.room, message)}
      editing={c.editing === id}
      lit={c.lit === id}
      unread={unread}
    />
  );
  return unread
    ? [<div class="new" role="separator" aria-label="New messages" key="unread"><span>New messages</span></div>, row]
    : row;
}

/** Returns the names that a message mentions, each with its user id in a line, the longest first. */
function namesIn(page: Page, { mentions, mentionRoom }: Message, people: RoomView["people"]): string {
  const names = mentions?.map(user => [plainNameOf(page, people, user), user]) ?? [];
  return [...names, ...(mentionRoom ? [[everyone]] : [])]
    .sort(([a = ""], [b = ""]) => b.length - a.length)
    .map(n => n.join("\t"))
    .join("\n");
}

/** The line above the first message. It has its space before it is shown, so that it moves nothing. */
function Beginning({ shown, empty, room, access }: { shown: boolean; empty: boolean; room: Room; access: Access }) {
  const text = !empty ? "This is the beginning."
    : access.barred ? "No messages yet."
    : "No messages yet. Write the first one.";
  return <div class="beginning quiet">{shown && <><p>{text}</p>{empty && <Start room={room} />}</>}</div>;
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
