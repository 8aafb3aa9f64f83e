// A room in React: its messages, who types, and a field to write in.
//
//   const chat = connect({ url: "https://chat.example.com", getToken });
//   createRoot(document.body).render(<Room chat={chat} id="seattle" />);
import { useCallback, useEffect, useState, useSyncExternalStore, type FormEvent } from "react";
import type { Chat, Message, Observable } from "@parley/client";

/** Renders again when the value changes. */
function useValue<T>(observable: Observable<T>): T {
  const subscribe = useCallback((fn: () => void) => observable.subscribe(fn), [observable]);
  const read = () => observable.value;
  return useSyncExternalStore(subscribe, read, read);
}

export function Room({ chat, id }: { chat: Chat; id: string }) {
  const room = chat.room(id);
  const state = useValue(chat.state);
  const { messages, hasOlder, phase, typing, people } = useValue(room);
  const [text, setText] = useState("");
  useEffect(() => {
    void room.open();
    return () => room.close();
  }, [room]);

  const nameOf = (user: string) => people[user]?.name ?? user;
  const send = (e: FormEvent) => {
    e.preventDefault();
    if (text.trim()) room.send(text);
    setText("");
  };
  if (phase === "gone") return <p>There is no such room.</p>;
  return (
    <section>
      {state !== "online" && <p role="status">{state}</p>}
      {hasOlder && <button onClick={() => void room.older()}>Older messages</button>}
      <ol role="log">
        {messages.map(m => <Row key={m.id} message={m} name={nameOf(m.user)} retry={() => room.retry(m.id)} />)}
      </ol>
      <p>{typing.length > 0 && `${typing.map(nameOf).join(", ")} typing`}</p>
      <form onSubmit={send}>
        <input aria-label="Message" value={text} onInput={() => room.typing()} onChange={e => setText(e.target.value)} />
        <button>Send</button>
      </form>
    </section>
  );
}

function Row({ message: m, name, retry }: { message: Message; name: string; retry: () => void }) {
  return (
    <li style={{ opacity: m.status === "pending" ? 0.6 : 1 }}>
      <b>{name}</b> {m.deletedAt ? <i>deleted</i> : m.text}
      {m.status === "failed" && <button title={m.error} onClick={retry}>Try again</button>}
    </li>
  );
}
