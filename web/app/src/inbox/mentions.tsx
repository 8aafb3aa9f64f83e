// The messages that mention the person, in all rooms, the newest first.
import type { Room } from "@parley/client";
import { useEffect } from "preact/hooks";
import { usePages } from "../api/load.js";
import type { MentionPage } from "../api/types.js";
import { useCards } from "../people/cards.js";
import { useValue } from "../state/cell.js";
import { usePage } from "../state/page.js";
import { href } from "../state/route.js";
import { More, Shown } from "../ui/parts.js";
import { MessageCard, useRoomName } from "./card.js";

export function Mentions({ room }: { room: Room | null }) {
  const { chat, list } = usePage();
  const pages = usePages<MentionPage>("/people/me/mentions");
  const items = (pages.value ?? []).flatMap(p => p.items);
  const people = useCards(room, items.map(m => m.message.user));
  const { rooms } = useValue(list);
  useEffect(() => chat.value?.on("personal", e => { if (e.type === "mention.added") pages.reload(); }), []);
  const isUnread = (id: string, seq: number) => seq > (rooms.find(r => r.id === id)?.read ?? Infinity);
  const unread = rooms.filter(r => r.mentions);
  return (
    <Shown loaded={pages}>{() => (
      <>
        {unread.length > 0 && (
          <section aria-label="Unread">
            <h3>Unread</h3>
            <ul>{unread.map(r => <li key={r.id}><RoomLink id={r.id} count={r.mentions} /></li>)}</ul>
          </section>
        )}
        <ul aria-label="Mentions of you">{items.map(({ room: id, seq, message }) => (
          <MessageCard key={`${id} ${message.id}`} message={message} people={people} {...(isUnread(id, seq) && { note: "New" })} />
        ))}</ul>
        {!items.length && !pages.hasMore && <p class="p-state">Nobody has mentioned you.</p>}
        <More pages={pages} what="mentions" />
      </>
    )}</Shown>
  );
}

/** A link to a room whose unread messages mention the person or everyone. */
function RoomLink({ id, count }: { id: string; count: number }) {
  return (
    <a class="p-row" href={href(id)}>
      <span class="cut"><bdi>{useRoomName(id)}</bdi><span class="words">, {count} unread</span></span><span class="badge" aria-hidden="true">{count}</span>
    </a>
  );
}
