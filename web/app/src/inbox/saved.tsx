// The messages that the person has saved, the latest first.
import type { Room } from "@parley/client";
import { useEffect, useRef } from "preact/hooks";
import { useApi, usePages } from "../api/load.js";
import type { SavedPage } from "../api/types.js";
import { setSaved } from "../message/saved.js";
import { useCards } from "../people/cards.js";
import { useValue } from "../state/cell.js";
import { nameOf } from "../state/names.js";
import { usePage } from "../state/page.js";
import { href } from "../state/route.js";
import { isEnding } from "../state/unsent.js";
import { More, Plain, Shown } from "../ui/parts.js";
import { MessageCard, openThread } from "./card.js";

export function Saved({ room }: { room: Room | null }) {
  const page = usePage();
  const { attempt } = useApi();
  const pages = usePages<SavedPage>("/people/me/saved");
  const list = useRef<HTMLUListElement>(null);
  const acts = useValue(page.acts);
  const items = (pages.value ?? []).flatMap(p => p.items).filter(s => !isEnding(acts, "save", s.message.id));
  const people = useCards(room, items.map(s => s.message.user));
  useEffect(() => page.saved.subscribe(pages.reload), []);
  return (
    <Shown loaded={pages}>{() => (
      <>
        <ul ref={list}>{items.map(({ message: m }) => (
          <MessageCard key={`${m.room} ${m.id}`} message={m} people={people}>
            {m.thread && !m.showInRoom
              ? <Plain onClick={() => openThread(page, m.room, m.thread!)}>Show in thread</Plain>
              : <a class="button plain" href={href(m.room, m.id)}>Show in room</a>}
            <Plain
              aria-label={`Remove the message of ${nameOf(page, people, m.user)}`}
              onClick={() => attempt(async () => {
                await setSaved(page, m, false);
                // the button goes
                list.current?.closest<HTMLElement>("aside")?.querySelector<HTMLElement>("h2")?.focus();
              })}
            >
              Remove
            </Plain>
          </MessageCard>
        ))}</ul>
        {!items.length && !pages.hasMore && (
          <p class="p-state">Nothing is saved. Save a message by its menu: nobody else sees that.</p>
        )}
        <More pages={pages} what="saved messages" />
      </>
    )}</Shown>
  );
}
