// The people of a room: members, who is online, and what the person may do about each.
import type { People as Cards, Room } from "@parley/client";
import { useEffect, useState } from "preact/hooks";
import { mayAdminister, maySeeReports } from "../access/moderator.js";
import { type Pages, useChanges, usePages } from "../api/load.js";
import type { Member, MemberPage } from "../api/types.js";
import { useValue } from "../state/cell.js";
import { nameOf } from "../state/names.js";
import { usePage } from "../state/page.js";
import { type Choice, capital } from "../ui/forms.js";
import { Menu } from "../ui/menu.js";
import { More, Plain, Shown, Time } from "../ui/parts.js";
import type { Anchor } from "../ui/place.js";
import { Bans } from "./bans.js";
import { Invite } from "./invite.js";
import { personMenu, type Question, PersonDialog } from "./person.js";
import { Reports } from "./reports.js";
import { PersonRow } from "./row.js";

type Tab = "members" | "banned" | "reports";

/** The roles that the list can be limited to. */
const roles: readonly Choice[] = [
  { value: "", label: "All roles" }, { value: "owner", label: "Owners" }, { value: "moderator", label: "Moderators" },
  { value: "member", label: "Members" }, { value: "muted", label: "Muted" },
];

/** While somebody is searched for, the list is loaded up to this many people. */
const searchable = 2000;

export function People({ room, name }: { room: Room; name: string }) {
  const { info } = useValue(room);
  const [tab, setTab] = useState<Tab>("members");
  const role = info?.me?.role ?? "";
  const open = useValue(usePage().openReports);
  const reports = open.room === room.id && open.count > 0 ? `Reports (${open.count})` : "Reports";
  const tabs: [Tab, string][] = [["members", "Members"], ["banned", "Banned"], ["reports", reports]];
  return (
    <>
      {info && maySeeReports(role, info) && (
        <div class="p-tabs" role="group" aria-label="Show">
          {tabs.map(([id, label]) => (
            <button key={id} type="button" aria-pressed={tab === id} onClick={() => setTab(id)}>{label}</button>
          ))}
        </div>
      )}
      {tab === "members" && <Members room={room} name={name} />}
      {tab === "banned" && <Bans room={room} />}
      {tab === "reports" && <Reports room={room} />}
    </>
  );
}

function Members({ room, name }: { room: Room; name: string }) {
  const { info } = useValue(room);
  const [query, setQuery] = useState("");
  const [wanted, setWanted] = useState("");
  const [question, setQuestion] = useState<Question | null>(null);
  const [inviting, inviteAt] = useState<Anchor | null>(null);
  const pages = usePages<MemberPage>(`/rooms/${encodeURIComponent(room.id)}/members?include=people`);
  const may = !!info && mayAdminister(info.me?.role ?? "", info);
  useChanges(room.id, ["member.changed"], pages.reload);
  return (
    <>
      <div class="p-bar">
        <input
          type="search"
          class="p-search"
          aria-label="Search people"
          placeholder="Search"
          value={query}
          onInput={e => setQuery(e.currentTarget.value)}
        />
        {may && <Plain aria-haspopup="dialog" onClick={e => inviteAt(e.currentTarget)}>Invite</Plain>}
      </div>
      {!may && info?.kind === "room" && !info.archived && (
        <p class="small quiet">
          Only moderators and owners add people.{info.visibility === "public" && " Others join by the room's link."}
        </p>
      )}
      {info?.kind !== "direct" && (
        <select class="p-search" aria-label="Role" value={wanted} onChange={e => setWanted(e.currentTarget.value)}>
          {roles.map(r => <option key={r.value} value={r.value}>{r.label}</option>)}
        </select>
      )}
      <Shown loaded={pages}>
        {() => <List room={room} pages={pages} query={query} wanted={wanted} onAsk={setQuestion} />}
      </Shown>
      {question && (
        <PersonDialog
          question={question}
          room={room}
          name={name}
          onDone={pages.reload}
          onClose={() => setQuestion(null)}
        />
      )}
      {inviting && (
        <Invite room={room} name={name} anchor={inviting} onAdded={pages.reload} onClose={() => inviteAt(null)} />
      )}
    </>
  );
}

function List({ room, pages, query, wanted, onAsk }: {
  room: Room; pages: Pages<MemberPage>; query: string; wanted: string; onAsk: (q: Question) => void;
}) {
  const now = useValue(usePage().online);
  // While the menu of a person is open, nobody moves in the list.
  const [still, setStill] = useState<ReadonlySet<string> | null>(null);
  const here = still ?? now;
  const members = (pages.value ?? []).flatMap(p => p.items);
  const cards: Cards = Object.assign({ __proto__: null }, ...(pages.value ?? []).map(p => p.people));
  useEffect(() => { if ((query || wanted) && pages.hasMore && members.length < searchable) pages.more(); });
  const words = query.trim().toLowerCase();
  const found = members.filter(m =>
    (!wanted || m.role === wanted) && `${m.name}\n${m.user}`.toLowerCase().includes(words));
  const groups = [
    { title: "Online", people: found.filter(m => here.has(m.user)) },
    { title: "Away", people: found.filter(m => !here.has(m.user)) },
  ].filter(g => g.people.length);
  return (
    <>
      {groups.map(g => (
        <section key={g.title} aria-label={g.title}>
          <h3>
            {g.title} <span class="quiet">{g.people.length}{pages.hasMore && g.title === "Away" ? "+" : ""}</span>
          </h3>
          <ul>{g.people.map(m => (
            <Person
              key={m.user}
              member={m}
              room={room}
              cards={cards}
              online={g.title === "Online"}
              onAsk={onAsk}
              onDone={pages.reload}
              onMenu={open => setStill(open ? here : null)}
            />
          ))}</ul>
        </section>
      ))}
      {!found.length && (
        <p class="p-state" role="status">
          {words ? "Nobody here by that name." : wanted ? "Nobody here has this role." : "Nobody is here."}
        </p>
      )}
      <More pages={pages} what="people" />
    </>
  );
}

function Person({ member, room, cards, online, onAsk, onDone, onMenu }: {
  member: Member; room: Room; cards: Cards; online: boolean;
  onAsk: (q: Question) => void; onDone: () => void; onMenu: (open: boolean) => void;
}) {
  const { info } = useValue(room);
  const page = usePage();
  const name = nameOf(page, cards, member.user);
  const mine = member.user === page.me.value;
  const blocked = useValue(page.blocked).has(member.user);
  const standing = [member.role !== "member" && member.role, blocked && "blocked"].filter(Boolean).join(", ");
  return (
    <PersonRow
      user={member.user} name={name} cards={cards} online={online} note={mine ? " (you)" : ""}
      about={(standing || (member.read && !mine)) && (
        <>
          {capital(standing)}
          {member.until && <>{" until "}<Time at={member.until} /></>}
          {member.read && !mine && <>{standing ? ", read " : "Read "}<Time at={member.read.at} /></>}
        </>
      )}
    >
      {info && !mine && (
        <Menu
          label={`Actions for ${name}`}
          items={() => personMenu(page, { member, name, info, blocked }, onAsk, onDone)}
          onOpen={onMenu}
        />
      )}
    </PersonRow>
  );
}
