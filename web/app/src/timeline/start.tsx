// The start of an empty room: its topic, its people, and a first message.
import type { Room } from "@parley/client";
import { accessOf } from "../access/access.js";
import { mayAdminister } from "../access/moderator.js";
import { mayConfigure } from "../access/rights.js";
import { useCards } from "../people/cards.js";
import { Face } from "../people/face.js";
import { statusOf, statusWords } from "../people/status.js";
import { useValue } from "../state/cell.js";
import { plainNameOf } from "../state/names.js";
import { usePage } from "../state/page.js";
import { focusComposer } from "../ui/focus.js";
import { Plain } from "../ui/parts.js";

export default function Start({ room }: { room: Room }) {
  const { panel, me } = usePage();
  const { info } = useValue(room);
  if (!info || accessOf(info).barred) return null;
  const other = info.direct?.length === 2 && info.direct.find(user => user !== me.value);
  if (other) return <Other room={room} user={other} />;
  if (info.kind !== "room") return null;
  const role = info.me?.role ?? "";
  const people = info.memberCount ?? 0;
  return (
    <div class="start">
      {info.topic && <p dir="auto">{info.topic}</p>}
      <div class="acts">
        {!info.topic && mayConfigure(role, info) && (
          <Plain onClick={() => (panel.value = "settings")}>Say what it is about</Plain>
        )}
        {people < 2 && mayAdminister(role, info) && <Plain onClick={() => (panel.value = "people")}>Add people</Plain>}
        <Plain onClick={focusComposer}>Write a first message</Plain>
      </div>
    </div>
  );
}

/** The other person of a direct room. A click shows their profile. */
function Other({ room, user }: { room: Room; user: string }) {
  const page = usePage();
  const people = useCards(room, [user]);
  const status = statusOf(page, people, user);
  return (
    <div class="start p-person">
      <Face user={user} people={people} opens />
      <div class="p-name">
        <b dir="auto" role="button" tabIndex={0} data-person={user}>{plainNameOf(page, people, user)}</b>
        {status && (
          <span class="small quiet" dir="auto">{status.emoji} {statusWords(status, new Date(page.now()))}</span>
        )}
      </div>
    </div>
  );
}
