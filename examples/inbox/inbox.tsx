// A person's inbox: the rooms with their unread counts, and the chosen room with its messages, a
// thread and a composer. Messages are marked as read when they are shown.
import { useEffect, useState, useSyncExternalStore, type FormEvent } from "react";
import type { Chat, Message, People, Room, RoomEntry } from "@parley/client";
import { ChatProvider, useChat, useNotices, usePerson, useRoom, useRooms, useThread, useUnsent, useValue } from "@parley/react";

export function Inbox({ chat }: { chat: Chat }) {
  const [id, choose] = useState("");
  return (
    <ChatProvider chat={chat}>
      <Connection />
      <Notices />
      <Rooms chosen={id} choose={choose} />
      {id ? <Conversation key={id} id={id} /> : <p>Choose a room.</p>}
    </ChatProvider>
  );
}

function Connection() {
  const state = useValue(useChat().state);
  const waiting = useUnsent().length;
  return state === "online" ? null : <p role="status">{state}{waiting > 0 && `, ${waiting} not sent yet`}</p>;
}

/** The newest message of which the person is notified. A real app would show it outside the page. */
function Notices() {
  const newest = useNotices().at(-1);
  return newest ? <output aria-label="Notification">{newest.message.text}</output> : null;
}

function Rooms({ chosen, choose }: { chosen: string; choose: (id: string) => void }) {
  const { user } = useChat();
  const { rooms, unread, loaded, people } = useRooms();
  return (
    <nav aria-label={`Rooms, ${unread} unread`}>
      {loaded && rooms.length === 0 && <p>You are in no room.</p>}
      {rooms.map(r => (
        <button key={r.id} aria-current={r.id === chosen} onClick={() => choose(r.id)}>
          {title(r, user, people)} {r.unread > 0 && <b aria-label={`${r.unread} unread`}>{r.unread}</b>}
          {r.lastMessage && <small>{r.lastMessage.text}</small>}
        </button>
      ))}
    </nav>
  );
}

/** A direct room is named by the others in it. */
function title({ id, name, direct }: RoomEntry, user: string, people: People): string {
  return direct?.filter(u => u !== user).map(u => people[u]?.name ?? u).join(", ") || name || id;
}

function Conversation({ id }: { id: string }) {
  const { room, messages, hasOlder, hasNewer, phase, typing, firstUnread } = useRoom(id);
  const [details, setDetails] = useState(true);
  const [root, setRoot] = useState("");
  const visible = useVisible();
  const newest = messages.findLast(m => !m.status)?.id;
  useEffect(() => {
    if (visible && newest && !hasNewer) room.markRead(newest).catch(() => {}); // a refusal changes nothing here
  }, [room, visible, newest, hasNewer]);
  if (phase === "gone") return <p>There is no such room.</p>;
  return (
    <main>
      <button onClick={() => setDetails(!details)}>{details ? "Hide details" : "Show details"}</button>
      {details && <Details id={id} />}
      {hasOlder && <button onClick={() => void room.older()}>Older messages</button>}
      <ol role="log">
        {messages.map(m => (
          <Row key={m.id} message={m} isNew={m.id === firstUnread} retry={() => room.retry(m.id)} reply={() => setRoot(m.id)} />
        ))}
      </ol>
      <p>{typing.map(user => <Name key={user} user={user} />)}{typing.length > 0 && " typing"}</p>
      <Composer label="Message" room={room} />
      {root && <Replies room={id} root={root} />}
    </main>
  );
}

/** Shows the same room as the messages, which stays open when this closes. */
function Details({ id }: { id: string }) {
  const { info, onlineCount } = useRoom(id);
  return <p data-testid="details">{info?.topic} {onlineCount} online</p>;
}

function Replies({ room, root }: { room: string; root: string }) {
  const { thread, messages } = useThread(room, root);
  return (
    <section aria-label="Thread">
      <ol>{messages.map(m => <Row key={m.id} message={m} retry={() => thread.retry(m.id)} />)}</ol>
      <Composer label="Reply" room={thread} />
    </section>
  );
}

function Row({ message: m, isNew, retry, reply }: { message: Message; isNew?: boolean; retry: () => void; reply?: () => void }) {
  return (
    <li style={{ opacity: m.status === "pending" ? 0.6 : 1, borderTop: isNew ? "1px solid" : "none" }}>
      <Name user={m.user} /> {m.deletedAt ? <i>deleted</i> : m.text}
      {m.status === "failed" && <button title={m.error} onClick={retry}>Try again</button>}
      {reply && !m.status && <button aria-label={`Reply to ${m.text}`} onClick={reply} />}
    </li>
  );
}

function Name({ user }: { user: string }) {
  return <b>{usePerson(user)?.name ?? user}</b>;
}

function Composer({ label, room }: { label: string; room: Room }) {
  const [text, setText] = useState("");
  const send = (e: FormEvent) => {
    e.preventDefault();
    if (text.trim()) room.send(text);
    setText("");
  };
  return (
    <form onSubmit={send}>
      <input aria-label={label} value={text} onInput={() => room.typing()} onChange={e => setText(e.target.value)} />
      <button>Send</button>
    </form>
  );
}

/** Whether the person can see the page. */
function useVisible(): boolean {
  return useSyncExternalStore(watchVisibility, () => document.visibilityState === "visible");
}

function watchVisibility(fn: () => void): () => void {
  document.addEventListener("visibilitychange", fn);
  return () => document.removeEventListener("visibilitychange", fn);
}
