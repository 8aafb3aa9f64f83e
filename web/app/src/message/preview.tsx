// The card below a message that links to another. It has its height before the other is loaded, and
// keeps it if the person may not see that.
import { type Chat, type Message, RequestError } from "@parley/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { textOf } from "../files/files.js";
import { useCards } from "../people/cards.js";
import { useValue } from "../state/cell.js";
import { nameOf, roomName } from "../state/names.js";
import { usePage } from "../state/page.js";
import { href } from "../state/route.js";
import { when } from "../ui/dates.js";
import { plain } from "../ui/markup.js";
import { whenSeen } from "../ui/seen.js";
import { type Linked, longestForward } from "./links.js";

/** A linked message is loaded when it is closer to the window than this, in pixels. */
const near = 400;
/** A loaded message is shown again for so long without a request, in milliseconds. */
const fresh = 60_000;
/** More letters than two lines have. */
const longest = 300;

/** The linked messages by connection; null for those that the server does not show. */
const known = new WeakMap<Chat, Map<string, { readonly at: number; readonly found: Promise<Message | null> }>>();

/** Returns a message, or null if the server does not show it. */
function load(chat: Chat, { room, id }: Linked): Promise<Message | null> {
  const cache = known.get(chat) ?? new Map();
  known.set(chat, cache);
  const path = `/rooms/${encodeURIComponent(room)}/messages/${encodeURIComponent(id)}` as const;
  const entry = cache.get(path);
  if (entry && Date.now() - entry.at < fresh) return entry.found;
  const found = chat.request("GET", path).catch((error: unknown) => {
    if (!(error instanceof RequestError && error.status)) cache.delete(path); // the next look asks again
    return null;
  });
  cache.set(path, { at: Date.now(), found });
  return found;
}

/**
 * The card of a linked message, or of one that is forwarded. Those who may not read that have its text, as the person
 * who forwards it gives it; to others it says what the message says.
 */
export default function Preview({ room, id, quote }: Linked & { quote?: string }) {
  const page = usePage();
  const card = useRef<HTMLAnchorElement>(null);
  const [message, setMessage] = useState<Message | null>();
  useEffect(() => {
    const chat = page.chat.value;
    if (!card.current || !chat) return undefined;
    return whenSeen(card.current, () => void load(chat, { room, id }).then(setMessage), near);
  }, [room, id]);
  const hidden = useValue(page.blocked);
  const people = useCards(null, message ? [message.user] : []);
  const listed = useValue(page.list).rooms.find(r => r.id === room);
  const name = !listed ? `#${room}` : listed.kind === "direct" ? roomName(page, listed) : `#${roomName(page, listed)}`;
  const blocked = message && (message.blocked || hidden.has(message.user));
  return (
    <a
      class={quote ? "linked small forwarded" : "linked small"}
      ref={card}
      href={href(room, id)}
      tabIndex={-1}
      aria-busy={message === undefined}
    >
      {message === null && !quote && <span class="quiet">This message does not exist, or you may not see it.</span>}
      {quote && !message && <span class="cut quiet">Forwarded message</span>}
      {message && (
        <span class="cut">
          <b dir="auto">
            {blocked ? "Blocked person" : nameOf(page, people, message.user)}
          </b> <span class="quiet">{when(message.receivedAt, new Date())} in {name}</span>
        </span>
      )}
      {(message || quote) && (
        <span class="linked-text" dir="auto">
          {blocked
            ? "Blocked message"
            : plain(message ? textOf(message).slice(0, quote ? longestForward : longest) : quote!) || "Message deleted"}
        </span>
      )}
    </a>
  );
}
