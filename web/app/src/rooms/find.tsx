import type { People, RoomEntry } from "@parley/client";
import { useEffect, useState } from "preact/hooks";
import { join, writeTo } from "../api/rooms.js";
import { useCards } from "../people/cards.js";
import { Face } from "../people/face.js";
import { plainNameOf, roomName } from "../state/names.js";
import { type Page, usePage } from "../state/page.js";
import { Dialog } from "../ui/dialog.js";
import type { Found } from "../ui/having.js";
import { Icon, IconButton, type IconName } from "../ui/icons.js";
import type { Anchor } from "../ui/place.js";
import { commands } from "./commands.js";
import { enter } from "./enter.js";
import { useFoundPeople } from "../people/found-people.js";
import { keepSearch, search } from "../search/asked.js";
import { FoundMessage } from "../search/found-message.js";
import { useFoundMessages } from "../search/found-messages.js";
import { openMessage } from "../search/open.js";
import { type Match, matchesOf, type Named, peopleOf, queryOf, userOf, wordsOf } from "./matches.js";
import { useAllRooms } from "../state/all-rooms.js";

/** The messages that are listed; the panel shows all. */
const mostMessages = 5;
const mostListed = 200; // the API's largest page; further public rooms are found by their address

interface Answers {
  readonly open: readonly Named[];
  readonly people: readonly Found[];
  /** Whether the people match the current text. */
  readonly answered: boolean;
}

/** Loads public rooms, the people of a room, and people by the start of a name. */
function useServer(text: string, direct: boolean): Answers {
  const page = usePage();
  const { chat } = page;
  const [open, setOpen] = useState<readonly Named[]>([]);
  const [near, setNear] = useState<readonly Found[]>([]);
  const name = queryOf(text);
  const found = useFoundPeople(name);
  useEffect(() => {
    void neighbours(page).then(setNear, () => undefined); // people are found by their names, too
    if (!direct) {
      void chat.value?.request("GET", `/rooms?limit=${mostListed}`)
        .then(found => setOpen(found.items), page.toastError);
    }
  }, []);
  return { open, people: [...found.people, ...near], answered: found.name === name };
}

/** Returns the people of the room that is shown, or else of the newest one. */
async function neighbours({ chat, current, list }: Page): Promise<Found[]> {
  const { rooms } = list.value;
  const room = rooms.find(r => r.id === current.value?.id && r.kind === "room") ?? rooms.find(r => r.kind === "room");
  if (!room) return [];
  const page = await chat.value?.request("GET", `/rooms/${encodeURIComponent(room.id)}/members?limit=${mostListed}`);
  return (page?.items ?? []).map(({ user, name }) => ({ user, name }));
}

/** Returns the people of direct rooms, the newest first, then the found ones, then others whom the page knows. */
function known(page: Page, found: readonly Found[]): Found[] {
  const all = new Map<string, Found>();
  const add = (user: string, name?: string) => {
    if (!all.has(user)) all.set(user, { user, name: name ?? plainNameOf(page, {}, user) });
  };
  const names = new Map(found.map(p => [p.user, p.name]));
  for (const user of page.list.value.rooms.flatMap(r => r.direct ?? [])) add(user, names.get(user));
  for (const { user, name } of found) add(user, name);
  for (const [user, { name }] of Object.entries(page.chat.value?.rooms.people ?? {})) add(user, name);
  all.delete(page.me.value);
  return [...all.values()];
}

/** Opens the room, the person or the message of a line, or runs its command. */
async function choose(page: Page, { kind, id, found }: Match): Promise<void> {
  page.dialog.value = null;
  try {
    if (kind === "search") return search(page, id);
    if (found) return openMessage(page, found.message);
    if (kind === "command") return commands.find(c => c.id === id)?.run(page);
    if (kind === "public") await join(page, id);
    if (kind === "person") await writeTo(page, id);
    enter(page, kind === "room" || kind === "public" ? id : page.route.value.room);
  } catch (error) {
    page.toastError(error);
  }
}

/** Reports whether a search for words is worth its cost: a letter of an alphabet is in nearly every message. */
const enough = (words: string): boolean => words.length > 1 || /[^\x00-\x7f]/.test(words);

/** Finds rooms, people and messages, or only people, by keyboard: a combobox whose list is always open. */
export default function Find({ direct = false, anchor, onClose }: {
  direct?: boolean; anchor?: Anchor | null; onClose: () => void;
}) {
  const page = usePage();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const { words, matches, senders, answered, busy } = useMatches(text, direct);
  const unlisted = direct && answered && !matches.length ? userOf(text) : "";
  const writeToId = () => choose(page, { kind: "person", id: unlisted, name: unlisted });
  const active = Math.max(0, Math.min(at, matches.length - 1));
  useEffect(() => document.getElementById(`option-${active}`)?.scrollIntoView({ block: "nearest" }), [active]);
  const pick = (m: Match) => {
    if (m.kind === "search" || m.found) keepSearch(page.me.value, words);
    return choose(page, m);
  };
  const create = () => {
    page.proposedName.value = queryOf(text);
    page.dialog.value = "create";
  };
  const enter = () => {
    const m = matches[active];
    if (m) void pick(m);
    else if (unlisted) void writeToId();
  };
  const onKeyDown = keysOf(active, matches.length, setAt, enter);
  const label = direct ? "Find a person" : "Find rooms, people and messages";
  return (
    <Dialog label={direct ? "New direct message" : label} class="finder" anchor={anchor} onClose={onClose}>
      <Query
        label={label}
        text={text}
        active={matches.length ? active : -1}
        onText={next => { setText(next); setAt(0); }}
        onKeys={onKeyDown}
        onClose={onClose}
      />
      <ul id="found" role="listbox" aria-label={direct ? "People" : "Rooms, people and messages"}>
        {matches.map((m, i) => (
          <Option
            key={`${m.kind} ${m.id}`}
            match={m}
            senders={senders}
            index={i}
            active={i === active}
            old={busy && !!m.found}
            onPoint={() => setAt(i)}
            onChoose={() => void pick(m)}
          />
        ))}
      </ul>
      {matches.length === 0 && (
        <p class="hint" role="status">{!text ? "Type a name." : answered ? "Nobody was found." : ""}</p>
      )}
      {unlisted && <Foot icon="edit" words={`Write to the user id ${unlisted}`} onClick={() => void writeToId()} />}
      {!direct && <Foot icon="plus" words="Create a new room" onClick={create} />}
    </Dialog>
  );
}

/** Returns what the keys do: they go through the list, and enter what is active. */
function keysOf(active: number, count: number, go: (at: number) => void, enter: () => void) {
  const keys: Record<string, () => void> = {
    ArrowDown: () => go((active + 1) % (count || 1)),
    ArrowUp: () => go((active || count) - 1),
    Enter: enter,
  };
  return (e: KeyboardEvent) => {
    const act = keys[e.key];
    if (!act || e.isComposing) return;
    e.preventDefault();
    act();
  };
}

/** Returns what a text finds, and with which words messages are searched. */
function useMatches(text: string, direct: boolean) {
  const page = usePage();
  const { open, people, answered } = useServer(text, direct);
  const rooms = useAllRooms(!!text);
  const words = direct ? "" : wordsOf(text);
  const { found, busy } = useFoundMessages(enough(words) ? words : "", { limit: mostMessages });
  const senders = useCards(null, (found?.items ?? []).map(r => r.message.user));
  const choices = {
    me: page.me.value,
    own: rooms,
    commands,
    nameOf: (room: RoomEntry) => roomName(page, room),
    open,
    people: known(page, people),
    messages: found?.items ?? [],
  };
  const matches = direct ? peopleOf(text, choices) : matchesOf(text, choices);
  return { words, matches, senders, answered, busy };
}

function Query({ label, text, active, onText, onKeys, onClose }: {
  label: string; text: string; active: number;
  onText: (text: string) => void; onKeys: (e: KeyboardEvent) => void; onClose: () => void;
}) {
  return (
    <div class="query">
      <Icon name="search" />
      <input
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls="found"
        aria-autocomplete="list"
        aria-activedescendant={active >= 0 ? `option-${active}` : undefined}
        autofocus
        autocomplete="off"
        spellcheck={false}
        dir="auto"
        placeholder={label}
        value={text}
        onInput={e => onText(e.currentTarget.value)}
        onKeyDown={onKeys}
      />
      <IconButton name="close" label="Close" onClick={onClose} />
    </div>
  );
}

const Foot = ({ icon, words, onClick }: { icon: IconName; words: string; onClick: () => void }) => (
  <div class="foot">
    <button type="button" class="button plain" onClick={onClick}><Icon name={icon} />{words}</button>
  </div>
);

const kinds = { room: "", public: "Join", person: "Person", command: "Command", search: "", message: "" };
const icons = {
  room: "hash", public: "hash", person: "people", command: "bolt", search: "search", message: "search",
} as const;

function Option({ match, senders, index, active, old, onPoint, onChoose }: {
  match: Match; senders: People; index: number; active: boolean;
  old: boolean; onPoint: () => void; onChoose: () => void;
}) {
  return (
    <li
      id={`option-${index}`}
      role="option"
      aria-selected={active}
      class={["option", active && "active", old && "old"].filter(Boolean).join(" ")}
      onPointerMove={onPoint}
      onClick={onChoose}
    >
      {match.found ? <FoundMessage result={match.found} people={senders} /> : <Line match={match} />}
    </li>
  );
}

function Line({ match: { kind, id, name, other } }: { match: Match }) {
  const page = usePage();
  const face = kind === "person" ? id : other;
  return (
    <>
      {face
        ? <Face user={face} people={page.chat.value?.rooms.people ?? {}} name={kind === "person" ? name : undefined} />
        : <span class="glyph"><Icon name={icons[kind]} /></span>}
      <span class="cut">
        {kind === "search" ? <>Search messages for “<bdi dir="auto">{name}</bdi>”</> : <bdi dir="auto">{name}</bdi>}
      </span>
      <span class="small quiet">{kind === "person" && name !== id ? id : kinds[kind]}</span>
    </>
  );
}
