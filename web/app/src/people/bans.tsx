import type { People as Cards, Room } from "@parley/client";
import { mayAdminister } from "../access/moderator.js";
import { useAttempt } from "../api/attempt.js";
import { useApi, useChanges, usePages } from "../api/load.js";
import type { BanPage, Member } from "../api/types.js";
import { useValue } from "../state/cell.js";
import { nameOf } from "../state/names.js";
import { usePage } from "../state/page.js";
import { More, Plain, Shown, Time } from "../ui/parts.js";
import { PersonRow } from "./row.js";

/** Who is banned from a room, for its moderators. */
export function Bans({ room }: { room: Room }) {
  const { toast } = usePage();
  const { request } = useApi();
  const pages = usePages<BanPage>(`/rooms/${encodeURIComponent(room.id)}/bans?include=people`);
  useChanges(room.id, ["member.changed"], pages.reload);
  const lift = async (user: string, name: string) => {
    await request("DELETE", `/rooms/${encodeURIComponent(room.id)}/members/${encodeURIComponent(user)}`);
    toast(`${name} may come back.`);
    pages.reload();
  };
  return (
    <Shown loaded={pages}>{value => {
      const cards: Cards = Object.assign({ __proto__: null }, ...value.map(p => p.people));
      const bans = value.flatMap(p => p.items);
      return (
        <>
          <ul>{bans.map(b => <Ban key={b.user} ban={b} room={room} cards={cards} onLift={lift} />)}</ul>
          {!bans.length && <p class="p-state">Nobody is banned.</p>}
          <More pages={pages} what="people" />
        </>
      );
    }}</Shown>
  );
}

function Ban({ ban, room, cards, onLift }: {
  ban: Member; room: Room; cards: Cards; onLift: (user: string, name: string) => Promise<void>;
}) {
  const { info } = useValue(room);
  const name = nameOf(usePage(), cards, ban.user);
  const { attempt, refusal } = useAttempt();
  return (
    <PersonRow user={ban.user} name={name} cards={cards} about={(
      <>
        {ban.until ? <>Until <Time at={ban.until} /></> : "Until lifted"}
        {ban.reason && <p dir="auto">{ban.reason}</p>}
        {refusal && <p class="alert" role="alert">{refusal}</p>}
      </>
    )}>
      {info && mayAdminister(info.me?.role ?? "", info) && (
        <Plain aria-label={`Unban ${name}`} onClick={() => attempt(() => onLift(ban.user, name))}>Unban</Plain>
      )}
    </PersonRow>
  );
}
