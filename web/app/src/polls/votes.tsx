// Who voted for what in the poll of a message.
import type { Poll, Room, StoredMessage } from "@parley/client";
import { request, roomPath, useChanges, useLoad, usePages } from "../api/load.js";
import type { VotePage } from "../api/types.js";
import { useCards } from "../people/cards.js";
import { PersonRow } from "../people/row.js";
import { nameOf } from "../state/names.js";
import { More, Shown } from "../ui/parts.js";

export function Votes({ room, message }: { room: Room; message: string }) {
  const path = roomPath(room.id, "messages", message);
  const stored = useLoad(path, () => request<StoredMessage>("GET", path));
  useChanges(room.id, ["message.edited", "message.deleted"], stored.reload, message);
  return (
    <Shown loaded={stored}>{({ text, poll }) => poll
      ? <><p class="p-text" dir="auto">{text}</p><Voters room={room} message={message} poll={poll} /></>
      : <p class="p-state">The message was deleted, and its votes with it.</p>}
    </Shown>
  );
}

function Voters({ room, message, poll }: { room: Room; message: string; poll: Poll }) {
  const pages = usePages<VotePage>(roomPath(room.id, "messages", message, "votes"));
  useChanges(room.id, ["counts.changed"], pages.reload, message);
  const people = useCards(room, (pages.value ?? []).flatMap(p => p.items.map(v => v.user)));
  return (
    <Shown loaded={pages}>{value => {
      const votes = value.flatMap(p => p.items);
      return (
        <>
          {poll.options.map(({ text }, i) => {
            const voters = votes.filter(v => v.choices.includes(i));
            return (
              <section key={i}>
                <h3 dir="auto">{text}</h3>
                {voters.length === 0 && <p class="quiet">Nobody</p>}
                <ul aria-label={text}>{voters.map(({ user }) => <PersonRow key={user} user={user} name={nameOf(people, user)} cards={people} />)}</ul>
              </section>
            );
          })}
          <More pages={pages} what="votes" />
        </>
      );
    }}</Shown>
  );
}
