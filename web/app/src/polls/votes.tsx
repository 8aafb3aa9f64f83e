// The votes in the poll of a message, by option.
import type { Poll, Room } from "@parley/client";
import { useApi, useChanges, useLoad, usePages } from "../api/load.js";
import type { VotePage } from "../api/types.js";
import { useCards } from "../people/cards.js";
import { PersonRow } from "../people/row.js";
import { nameOf } from "../state/names.js";
import { usePage } from "../state/page.js";
import { More, Shown } from "../ui/parts.js";

export function Votes({ room, message }: { room: Room; message: string }) {
  const { request } = useApi();
  const path = `/rooms/${encodeURIComponent(room.id)}/messages/${encodeURIComponent(message)}` as const;
  const stored = useLoad(path, () => request("GET", path));
  useChanges(room.id, ["message.edited", "message.deleted"], stored.reload, message);
  return (
    <Shown loaded={stored}>{({ text, poll }) => poll
      ? <><p class="p-text" dir="auto">{text}</p><Voters room={room} message={message} poll={poll} /></>
      : <p class="p-state">The message was deleted, and its votes with it.</p>}
    </Shown>
  );
}

function Voters({ room, message, poll }: { room: Room; message: string; poll: Poll }) {
  const page = usePage();
  const pages = usePages<VotePage>(
    `/rooms/${encodeURIComponent(room.id)}/messages/${encodeURIComponent(message)}/votes`,
  );
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
                <ul aria-label={text}>{voters.map(({ user }) => (
                  <PersonRow key={user} user={user} name={nameOf(page, people, user)} cards={people} />
                ))}</ul>
              </section>
            );
          })}
          <More pages={pages} what="votes" />
        </>
      );
    }}</Shown>
  );
}
