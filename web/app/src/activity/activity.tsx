// What concerns the person in all rooms, the newest first: mentions, replies in followed threads, and rooms
// to which somebody added them. Messages are answered in place.
import type { Message, People, Room, RoomEntry } from "@parley/client";
import { thread } from "@parley/client/more";
import { useEffect, useRef, useState } from "preact/hooks";
import { usePages } from "../api/load.js";
import type { MentionPage, OwnThreadPage } from "../api/types.js";
import { Composer } from "../composer/composer.js";
import { MessageCard, openThread, useRoomName } from "../inbox/card.js";
import { markElsewhere } from "../inbox/news.js";
import { useCards } from "../people/cards.js";
import { useValue } from "../state/cell.js";
import { nameOf } from "../state/names.js";
import { type Page, usePage } from "../state/page.js";
import { href } from "../state/route.js";
import { More, openCard, Plain, Shown, Time } from "../ui/parts.js";
import { type Item, merged, ofMentions, ofRooms, ofThreads } from "./merged.js";

/** A page of mentions: few are on a screen. */
const mentionsLimit = 50;
/**
 * Threads are in the order of their messages, not of their replies, so all are loaded, but no more
 * pages than these.
 */
const mostThreadPages = 5;
/** Events within this time reload the lists once, in milliseconds. */
const settle = 500;

export default function Activity({ room }: { room: Room | null }) {
  const page = usePage();
  const { rooms } = useValue(page.list);
  const elsewhere = useValue(page.elsewhere);
  const mentions = usePages<MentionPage>("/people/me/mentions", mentionsLimit);
  const threads = usePages<OwnThreadPage>("/people/me/threads");
  const [onlyUnread, setOnlyUnread] = useState(false);
  const [answered, setAnswered] = useState("");
  useNews(page, () => { mentions.reload(); threads.reload(); });
  const found = (mentions.value ?? []).flatMap(p => p.items);
  const followed = (threads.value ?? []).flatMap(p => p.items);
  const complete = !threads.hasMore || (threads.value?.length ?? 0) >= mostThreadPages;
  useEffect(() => { if (!complete) threads.more(); }, [threads.value]);
  useEffect(() => { if (!found.length) mentions.more(); }, [mentions.value]); // a page may be empty
  const all = merged([
    ofMentions(found, rooms, mentions.hasMore), ofThreads(followed, found, page.me.value), ofRooms(rooms),
  ]);
  const items = onlyUnread ? all.filter(i => i.unread) : all;
  const people = useCards(room, items.flatMap(usersOf));
  const unread = [...rooms, ...elsewhere].filter(r => r.mentions);
  return (
    <Shown loaded={mentions}>{() => <Shown loaded={{ ...threads, value: complete ? threads.value : undefined }}>{() => (
      <>
        <div class="p-tabs" role="group" aria-label="Show">
          <button type="button" aria-pressed={!onlyUnread} onClick={() => setOnlyUnread(false)}>All</button>
          <button type="button" aria-pressed={onlyUnread} onClick={() => setOnlyUnread(true)}>Unread</button>
        </div>
        {unread.length > 0 && (
          <section aria-label="Unread">
            <h3>Rooms with unread mentions</h3>
            <ul>{unread.map(r => <li key={r.id}><RoomLink id={r.id} count={r.mentions} /></li>)}</ul>
          </section>
        )}
        <ul aria-label="What concerns you">{items.map(i => (
          <Row
            key={i.key}
            item={i}
            people={people}
            answering={answered === i.key}
            onAnswer={open => setAnswered(open ? i.key : "")}
          />
        ))}</ul>
        {!items.length && !mentions.hasMore && (
          <p class="p-state">{onlyUnread ? "Nothing is unread." : "Nobody has mentioned or answered you."}</p>
        )}
        <More pages={mentions} what="activity" />
      </>
    )}</Shown>}</Shown>
  );
}

/** Returns the people whom an item names. */
const usersOf = (i: Item): readonly string[] => (i.kind === "mention" ? [i.mention.message.user]
  : i.kind === "thread" ? [i.thread.message.user, ...(i.thread.message.replies?.users.slice(0, 1) ?? [])]
  : [i.room.addedBy ?? ""]);

interface RowProps { readonly people: People; readonly answering: boolean; onAnswer(open: boolean): void }

function Row({ item: i, ...rest }: RowProps & { item: Item }) {
  if (i.kind === "added") return <Added room={i.room} people={rest.people} />;
  if (i.kind === "mention") return <Mention message={i.mention.message} unread={i.unread} {...rest} />;
  return <Followed message={i.thread.message} unread={i.thread.unread} {...rest} />;
}

function Mention({ message: m, unread, people, answering, onAnswer }: RowProps & {
  message: Message; unread: boolean;
}) {
  const page = usePage();
  const elsewhere = useValue(page.elsewhere).find(e => e.id === m.room);
  const inThread = m.thread && !m.showInRoom ? m.thread : "";
  return (
    <MessageCard
      message={m}
      people={people}
      {...(unread && { note: "New" })}
      below={answering && <Answer message={m} onEnd={() => onAnswer(false)} />}
    >
      {inThread
        ? <Plain onClick={() => openThread(page, m.room, inThread, m.id)}>Show in thread</Plain>
        : <a class="button plain" href={href(m.room, m.id)}>Show in room</a>}
      <AnswerButton message={m} people={people} answering={answering} onAnswer={onAnswer} />
      {unread && elsewhere && (
        <Plain onClick={() => void markElsewhere(page, elsewhere).catch(page.toastError)}>Mark as read</Plain>
      )}
    </MessageCard>
  );
}

function Followed({ message: m, unread, people, answering, onAnswer }: RowProps & {
  message: Message; unread: number;
}) {
  const page = usePage();
  const replies = m.replies?.count ?? 0;
  const words = replies === 1 ? "1 reply" : `${replies} replies`;
  const [last = ""] = m.replies?.users ?? [];
  return (
    <MessageCard
      message={m}
      people={people}
      note={unread ? `${unread} unread` : "Thread"}
      below={answering && <Answer message={m} onEnd={() => onAnswer(false)} />}
    >
      <Plain aria-label={`${words} to ${nameOf(page, people, m.user)}`} onClick={() => openThread(page, m.room, m.id)}>
        {words}
      </Plain>
      <AnswerButton message={m} people={people} answering={answering} onAnswer={onAnswer} />
      <span class="small quiet cut">
        Last by <bdi>{nameOf(page, people, last)}</bdi>
        {m.replies?.lastAt && <>, <Time at={m.replies.lastAt} /></>}
      </span>
    </MessageCard>
  );
}

function Added({ room, people }: { room: RoomEntry; people: People }) {
  const page = usePage();
  const name = useRoomName(room.id);
  return (
    <li class="p-card" onClick={openCard}>
      <p class="small quiet">
        <span class="tag">New</span> <bdi>{nameOf(page, people, room.addedBy ?? "")}</bdi> added you
        to <bdi>{name}</bdi>, <Time at={room.joinedAt} />
      </p>
      <div class="p-bar"><a class="button plain" href={href(room.id)}>Show the room</a></div>
    </li>
  );
}

function AnswerButton({ message, people, answering, onAnswer }: RowProps & { message: Message }) {
  const page = usePage();
  if (message.deletedAt) return null;
  return (
    <Plain
      aria-expanded={answering}
      aria-label={`Answer ${nameOf(page, people, message.user)}`}
      onClick={() => onAnswer(!answering)}
    >
      Answer
    </Plain>
  );
}

/** The composer for a reply in the thread of a message. */
function Answer({ message: { room, id, thread: root = id }, onEnd }: { message: Message; onEnd: () => void }) {
  const page = usePage();
  const [t] = useState(() => page.chat.value && thread(page.chat.value, room, root));
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const opened = [page.chat.value?.room(room), t]; // a thread's room must be open
    for (const o of opened) void o?.open();
    place.current?.querySelector("textarea")?.focus();
    place.current?.scrollIntoView({ block: "nearest" }); // with its buttons
    return () => { for (const o of opened) o?.close(); };
  }, [t]);
  const sent = () => {
    const card = place.current?.closest("li");
    onEnd();
    setTimeout(() => card?.querySelector<HTMLElement>("[aria-expanded]")?.focus()); // the field goes
    page.toast("Your answer is in the thread.");
  };
  return t && <div ref={place}><Composer room={t} name="the thread" reply={{}} onSent={sent} /></div>;
}

/** A link to a room whose unread messages mention the person or everyone. */
function RoomLink({ id, count }: { id: string; count: number }) {
  return (
    <a class="p-row" href={href(id)}>
      <span class="cut"><bdi>{useRoomName(id)}</bdi><span class="words">, {count} unread</span></span>
      <span class="badge" aria-hidden="true">{count}</span>
    </a>
  );
}

/** Calls fn soon after an event about mentions and threads. */
function useNews({ chat }: Page, fn: () => void): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const heard = (e: { type: string }) => {
      if (!/^(reply\.created|thread\.changed|mention\.added|read\.changed)$/.test(e.type)) return;
      clearTimeout(timer);
      timer = setTimeout(fn, settle);
    };
    const ends = [chat.value?.on("change", heard), chat.value?.on("personal", heard)];
    return () => {
      clearTimeout(timer);
      for (const end of ends) end?.();
    };
  }, []);
}
