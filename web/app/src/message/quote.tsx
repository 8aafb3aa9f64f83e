import type { Message, Quote, Room } from "@parley/client";
import { useEffect, useState } from "preact/hooks";
import { textOf } from "../files/files.js";
import { nameOf } from "../state/names.js";
import { usePage } from "../state/page.js";
import { href } from "../state/route.js";
import { plain } from "../ui/markup.js";

/** The longest text of a quote, as in the API. */
const longestQuote = 200;

/**
 * Returns the current text of the quoted message; undefined if it is not loaded and the quote has
 * none, as of a message with only files.
 */
export function quotedText(room: Room, { quote }: Message): string | undefined {
  const found = quote && room.value.messages.find(m => m.id === quote.id);
  return found ? textOf(found) : quote?.text || undefined;
}

/** The message that another quotes, as a link to it. Its text is requested if words is undefined. */
export function Quoted({ room, quote, words }: { room: Room; quote: Quote; words: string | undefined }) {
  const page = usePage();
  const { id, user, blocked } = quote;
  return (
    <a class="quote cut" href={href(room.id, id)} tabIndex={-1} dir="auto">
      {blocked ? "Blocked message" : (
        <>
          <bdi>{nameOf(page, room.value.people, user)}</bdi>: {words === undefined
            ? <FetchedQuote room={room.id} id={id} />
            : wordsOf(words)}
        </>
      )}
    </a>
  );
}

/** Returns the text of a quote as one line. */
export const wordsOf = (text: string): string =>
  plain([...text.slice(0, 2 * longestQuote)].slice(0, longestQuote).join("")) || "Message deleted";

/** The text of a quoted message that is not loaded. */
function FetchedQuote({ room, id }: { room: string; id: string }) {
  const { chat } = usePage();
  const [text, setText] = useState<string>();
  useEffect(() => {
    void chat.value?.request("GET", `/rooms/${encodeURIComponent(room)}/messages/${encodeURIComponent(id)}`)
      .then(m => setText(textOf(m)), () => setText(""));
  }, [room, id]);
  return <>{text === undefined ? "…" : wordsOf(text)}</>;
}
