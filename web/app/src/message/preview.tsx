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
import type { Linked } from "./links.js";

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

export default function Preview(linked: Linked) {
  const page = usePage();
  const { room, id } = linked;
  const card = useRef<HTMLAnchorElement>(null);
  const [message, setMessage] = useState<Message | null>();
  useEffect(() => {
    const chat = page.chat.value;
    if (!card.current || !chat) return undefined;
    return whenSeen(card.current, () => void load(chat, linked).then(setMessage), near);
  }, [room, id]);
  const hidden = useValue(page.blocked);
  const people = useCards(null, message ? [message.user] : []);
  const listed = useValue(page.list).rooms.find(r => r.id === room);
  const name = !listed ? `#${room}` : listed.kind === "direct" ? roomName(page, listed) : `#${roomName(page, listed)}`;
  const blocked = message && (message.blocked || hidden.has(message.user));
  return (
    <a class="linked small" ref={card} href={href(room, id)} tabIndex={-1} aria-busy={message === undefined}>
      {message === null && <span class="quiet">This message does not exist, or you may not see it.</span>}
      {message && (
        <>
          <span class="cut"><b dir="auto">{blocked ? "Blocked person" : nameOf(page, people, message.user)}</b> <span class="quiet">{when(message.receivedAt, new Date())} in {name}</span></span>
          <span class="linked-text" dir="auto">{blocked ? "Blocked message" : plain(textOf(message).slice(0, longest)) || "Message deleted"}</span>
        </>
      )}
    </a>
  );
}
