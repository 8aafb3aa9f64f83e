// The messages that are pinned in a room, the newest pin first.
import type { Room } from "@parley/client";
import { useRef } from "preact/hooks";
import { mayPin } from "../access/rights.js";
import { useApi, useChanges, usePages } from "../api/load.js";
import type { Pin, PinPage } from "../api/types.js";
import { Files } from "../files/files.js";
import { useCards } from "../people/cards.js";
import { useValue } from "../state/cell.js";
import { nameOf } from "../state/names.js";
import { usePage } from "../state/page.js";
import { href } from "../state/route.js";
import { isEnding } from "../state/unsent.js";
import { pin as setPinned } from "./saved.js";
import { More, openCard, Plain, Shown, Time } from "../ui/parts.js";
import { Text } from "../ui/text.js";

export function Pins({ room }: { room: Room }) {
  const page = usePage();
  const { attempt } = useApi();
  const acts = useValue(page.acts);
  const { info } = useValue(room);
  const pages = usePages<PinPage>(`/rooms/${encodeURIComponent(room.id)}/pins`);
  const list = useRef<HTMLUListElement>(null);
  const people = useCards(room, (pages.value ?? []).flatMap(p => p.items).flatMap(p => [p.message.user, p.pinnedBy]));
  useChanges(room.id, ["pins.changed", "message.edited", "message.deleted"], pages.reload);
  const may = !!info && mayPin(info.me?.role ?? "", info);
  const unpin = ({ message }: Pin) => attempt(async () => {
    await setPinned(page, message, false);
    list.current?.closest<HTMLElement>("aside")?.querySelector<HTMLElement>("h2")?.focus(); // the button goes
    pages.reload();
  });
  return (
    <Shown loaded={pages}>{value => {
      const pins = value.flatMap(p => p.items).filter(p => !isEnding(acts, "pin", p.message.id));
      return (
        <>
          <ul ref={list}>{pins.map(pin => {
            const { message } = pin;
            const name = nameOf(page, people, message.user);
            return (
              <li key={message.id} class="p-card" onClick={openCard}>
                <p class="small quiet"><bdi>{name}</bdi>, <Time at={message.receivedAt} /></p>
                <div class="p-text" dir="auto"><Text text={message.text} /></div>
                {message.attachments && <Files message={message} tabIndex={0} />}
                <p class="small quiet">Pinned by <bdi>{nameOf(page, people, pin.pinnedBy)}</bdi></p>
                <div class="p-bar">
                  <a class="button plain" href={href(room.id, message.id)}>Show in room</a>
                  {may && <Plain aria-label={`Unpin the message of ${name}`} onClick={() => unpin(pin)}>Unpin</Plain>}
                </div>
              </li>
            );
          })}</ul>
          {!pins.length && (
            <p class="p-state">{may ? "No messages are pinned. Pin one by its menu." : "No messages are pinned."}</p>
          )}
          <More pages={pages} what="pins" />
          {!may && info?.kind === "room" && info.pinning !== "members" && !info.archived && (
            <p class="small quiet">Only moderators and owners pin messages here.</p>
          )}
        </>
      );
    }}</Shown>
  );
}
