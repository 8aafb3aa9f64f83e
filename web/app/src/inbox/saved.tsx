// The messages that the person has saved, the last one first.
import type { Room } from "@parley/client";
import { useEffect, useRef } from "preact/hooks";
import { attempt, usePages } from "../api/load.js";
import type { SavedPage } from "../api/types.js";
import { savedMessages, setSaved } from "../message/saved.js";
import { useCards } from "../people/cards.js";
import { nameOf } from "../state/names.js";
import { href } from "../state/store.js";
import { More, Plain, Shown } from "../ui/parts.js";
import { MessageCard, openThread } from "./card.js";

export function Saved({ room }: { room: Room | null }) {
  const pages = usePages<SavedPage>("/people/me/saved");
  const list = useRef<HTMLUListElement>(null);
  const items = (pages.value ?? []).flatMap(p => p.items);
  const people = useCards(room, items.map(s => s.message.user));
  useEffect(() => savedMessages.subscribe(pages.reload), []);
  return (
    <Shown loaded={pages}>{() => (
      <>
        <ul ref={list}>{items.map(({ message: m }) => (
          <MessageCard key={`${m.room} ${m.id}`} message={m} people={people}>
            {m.thread && !m.showInRoom
              ? <Plain onClick={() => openThread(m.room, m.thread!)}>Show in thread</Plain>
              : <a class="button plain" href={href(m.room, m.id)}>Show in room</a>}
            <Plain aria-label={`Remove the message of ${nameOf(people, m.user)}`} onClick={() => attempt(async () => {
              await setSaved(m, false);
              list.current?.closest<HTMLElement>("aside")?.querySelector<HTMLElement>("h2")?.focus(); // the button goes
            })}>Remove</Plain>
          </MessageCard>
        ))}</ul>
        {!items.length && !pages.hasMore && <p class="p-state">Nothing is saved. Save a message by its menu: nobody else sees that.</p>}
        <More pages={pages} what="saved messages" />
      </>
    )}</Shown>
  );
}
