// The people who reacted to a message, by emoji.
import type { Room } from "@parley/client";
import { useApi, useChanges, useLoad, usePages } from "../api/load.js";
import type { ReactorPage } from "../api/types.js";
import { useCards } from "../people/cards.js";
import { PersonRow } from "../people/row.js";
import { nameOf } from "../state/names.js";
import { usePage } from "../state/page.js";
import { More, Shown } from "../ui/parts.js";

const pathOf = (room: Room, message: string) =>
  `/rooms/${encodeURIComponent(room.id)}/messages/${encodeURIComponent(message)}` as const;

export function Reactors({ room, message }: { room: Room; message: string }) {
  const { request } = useApi();
  const path = pathOf(room, message);
  const stored = useLoad(path, () => request("GET", path));
  useChanges(room.id, ["counts.changed", "message.deleted"], stored.reload, message);
  return (
    <Shown loaded={stored}>{({ reactions = [] }) => reactions.length
      ? <>{reactions.map(r => <Group key={`${r.emoji} ${r.count}`} room={room} message={message} emoji={r.emoji} />)}</>
      : <p class="p-state">Nobody has reacted.</p>}
    </Shown>
  );
}

function Group({ room, message, emoji }: { room: Room; message: string; emoji: string }) {
  const page = usePage();
  const pages = usePages<ReactorPage>(`${pathOf(room, message)}/reactions?emoji=${encodeURIComponent(emoji)}`);
  const users = (pages.value ?? []).flatMap(p => p.items.map(r => r.user));
  const people = useCards(room, users);
  return (
    <section>
      <h3>{emoji}</h3>
      <Shown loaded={pages}>
        {() => <ul aria-label={emoji}>{users.map(user => (
          <PersonRow key={user} user={user} name={nameOf(page, people, user)} cards={people} />
        ))}</ul>}
      </Shown>
      <More pages={pages} what="people" />
    </section>
  );
}
