// The rooms of a person in React: the list, and a room with its messages, who types, a thread, and a
// field to write in.
//
//   const chat = connect({ url: "https://chat.example.com", getToken });
//   createRoot(document.body).render(<App chat={chat} id="seattle" />);
import { useState, type FormEvent } from "react";
import type { Chat, Message, Room } from "@parley/client";
import { ChatProvider, useChat, usePerson, useRoom, useRooms, useThread, useValue } from "@parley/react";

export function App({ chat, id }: { chat: Chat; id: string }) {
  const [details, setDetails] = useState(true);
  return (
    <ChatProvider chat={chat}>
      <Rooms />
      <button onClick={() => setDetails(!details)}>{details ? "Hide details" : "Show details"}</button>
      {details && <Details id={id} />}
      <Timeline id={id} />
    </ChatProvider>
  );
}

function Rooms() {
  const { rooms, unread } = useRooms();
  return (
    <nav aria-label={`Rooms, ${unread} unread`}>
      {rooms.map(r => <a key={r.id} href={`#${r.id}`}>{r.name ?? r.id} {r.unread || ""}</a>)}
    </nav>
  );
}

/** Shows the same room as the timeline, which stays open when this closes. */
function Details({ id }: { id: string }) {
  const { info, onlineCount } = useRoom(id);
  return <p data-testid="details">{info?.topic} {onlineCount} online</p>;
}

function Timeline({ id }: { id: string }) {
  const state = useValue(useChat().state);
  const { room, messages, hasOlder, phase, typing } = useRoom(id);
  const [root, setRoot] = useState("");
  if (phase === "gone") return <p>There is no such room.</p>;
  return (
    <section>
      {state !== "online" && <p role="status">{state}</p>}
      {hasOlder && <button onClick={() => void room.older()}>Older messages</button>}
      <ol role="log">
        {messages.map(m => <Row key={m.id} message={m} retry={() => room.retry(m.id)} reply={() => setRoot(m.id)} />)}
      </ol>
      <p>{typing.map(user => <Name key={user} user={user} />)}{typing.length > 0 && " typing"}</p>
      <Composer label="Message" room={room} />
      {root && <Replies room={id} root={root} />}
    </section>
  );
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

function Row({ message: m, retry, reply }: { message: Message; retry: () => void; reply?: () => void }) {
  return (
    <li style={{ opacity: m.status === "pending" ? 0.6 : 1 }}>
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
