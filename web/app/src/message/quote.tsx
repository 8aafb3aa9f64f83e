import type { Message, Quote, Room } from "@parley/client";
import { useEffect, useState } from "preact/hooks";
import { nameOf } from "../state/names.js";
import { chat, href } from "../state/store.js";
import { plain } from "../ui/markup.js";

/** The longest text of a quote, as in the API. */
const longestQuote = 200;

/** Returns the current text of what a message quotes; undefined if it is neither loaded nor told, as in frames. */
export const quotedText = (room: Room, { quote }: Message): string | undefined =>
  quote && (room.value.messages.find(m => m.id === quote.id) ?? quote).text;

/** The message that another quotes, as a link to it. Words that nobody has told are asked for. */
export function Quoted({ room, quote, words }: { room: Room; quote: Quote; words: string | undefined }) {
  const { id, user, blocked } = quote;
  return (
    <a class="quote cut" href={href(room.id, id)} tabIndex={-1} dir="auto">
      {blocked ? "Blocked message" : <><bdi>{nameOf(room.value.people, user)}</bdi>: {words === undefined ? <FetchedQuote room={room.id} id={id} /> : wordsOf(words)}</>}
    </a>
  );
}

/** Returns the text of a quote in a line. */
export const wordsOf = (text: string): string => plain([...text.slice(0, 2 * longestQuote)].slice(0, longestQuote).join("")) || "Message deleted";

/** The text of a quoted message that is not loaded. */
function FetchedQuote({ room, id }: { room: string; id: string }) {
  const [text, setText] = useState<string>();
  useEffect(() => {
    void chat.value?.request<Message>("GET", `/rooms/${[room, id].map(encodeURIComponent).join("/messages/")}`)
      .then(m => setText(m.text), () => setText(""));
  }, [room, id]);
  return <>{text === undefined ? "…" : wordsOf(text)}</>;
}
