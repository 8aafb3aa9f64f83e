// Completes names, rooms and emoji in the composer with a list box above the field, which keeps the
// focus, and finds out whom a text mentions.
import type { Extras, Room } from "@parley/client";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { useChanges } from "../api/load.js";
import { useValue } from "../state/cell.js";
import { draftOf, keepDraft } from "../state/drafts.js";
import { everyone } from "../state/names.js";
import { usePage } from "../state/page.js";
import { replace } from "../ui/field.js";
import { lazy } from "../ui/lazy.js";
import { Directory } from "./directory.js";
import {
  crowdWords, extrasOf, type Mentioned, type Mentions, mentionsIn, mentionWords, outsideWords,
  type Query, queryOf, unknownWords, withRooms,
} from "./mentions.js";
import { mayMentionRoom, type Option, useOptions, useRooms } from "./options.js";

const Confirm = lazy(() => import("../ui/confirm.js"));

/** The completion, as the composer uses it. */
export interface Completion {
  /** Reads the query before the caret, and replaces the code of an emoji when its second colon was typed. */
  look(typed?: string | null): void;
  /** Handles a key, and reports whether it did. */
  key(e: KeyboardEvent): boolean;
  /**
   * Returns the names of a text that could mean people who are not looked up yet, and an empty one
   * while everyone is mentioned and not counted.
   */
  missing(text: string): readonly string[];
  /** Looks up names. */
  find(names: readonly string[]): Promise<unknown>;
  /** Asks before a text mentions many people, and calls send if the person agrees. It reports whether it asks. */
  asks(text: string, send: () => void): boolean;
  /** Returns the message to send for a text, and forgets the chosen names. */
  take(text: string): Pick<Extras, "mentions" | "mentionRoom"> & { readonly text: string };
  /**
   * Returns in words whom a text mentions, and what means nobody, and the mentioned people who
   * cannot read the room.
   */
  words(text: string): { readonly mentions: string; readonly unknown: string; readonly outside: readonly Mentioned[] };
  /** Adds people to the room. */
  add(people: readonly Mentioned[]): Promise<void>;
}

interface Props {
  readonly room: Room;
  readonly draft: string;
  readonly field: { readonly current: HTMLTextAreaElement | null };
  /** Where the composer finds the completion. */
  readonly handle: { current: Completion | undefined };
  /** Called when it is there, and when people were found. */
  onChange(): void;
}

/** The suggestions after each mark. */
const kinds = {
  "@": ["person", "people", "to mention"], "#": ["room", "rooms", "to link"], ":": ["emoji", "emoji", ""],
} as const;

/** The list of names, rooms or emoji. It is loaded when one of the marks is typed. */
export default function Completer({ room, draft, field, handle, onChange }: Props) {
  const id = useId();
  const people = useMentions(room, draft);
  const { query, rooms, found, active, ...list } = useChoices(room, field, people);
  const [asked, ask] = useState<{ readonly words: string; send(): void } | null>(null);
  useEffect(() => document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: "nearest" }), [active, query]);
  handle.current = {
    look: list.look,
    key: list.key,
    missing: people.missing,
    find: names => Promise.all([
      people.directory.members ?? people.directory.load(), ...names.map(name => people.directory.look(name)),
    ]),
    asks: (text, send) => {
      const words = people.crowd(text);
      if (words) ask({ words, send });
      return !!words;
    },
    add: some => people.directory.add(some),
    take: text => ({ ...people.take(text), text: withRooms(text, rooms) }),
    words: text => people.words(text, query?.mark === "@" && found.length > 0 ? query.text : ""),
  };
  const answers = useValue(people.directory.answers);
  useEffect(onChange, [answers, query]);
  useEffect(() => {
    handle.current?.look();
    return () => { handle.current = undefined; };
  }, []);
  useOwned(field, id, active, found.length > 0);
  const [one, many, purpose] = kinds[query?.mark ?? "@"];
  const words = (n: number) => [n === 1 ? `1 ${one}` : `${n} ${many}`, purpose].filter(Boolean).join(" ");
  return (
    <>
      <span class="unseen" role="status">{found.length > 0 && words(found.length)}</span>
      {found.length > 0 && (
        <Choices
          id={id}
          label={`${many[0]?.toUpperCase()}${many.slice(1)} ${purpose}`.trim()}
          found={found}
          active={active}
          onPoint={list.point}
          onChoose={list.choose}
        />
      )}
      {asked && (
        <Confirm title="Mention everyone?" text={asked.words} action="Send" onDone={yes => {
          ask(null);
          if (yes) asked.send();
          else field.current?.focus();
        }} />
      )}
    </>
  );
}

/** Follows what is typed after a mark, and what may be chosen for it from the list. */
function useChoices(room: Room, field: Props["field"], people: ReturnType<typeof useMentions>) {
  const [query, setQuery] = useState<Query | null>(null);
  const [at, setAt] = useState(0);
  const rooms = useRooms(query);
  const found = useOptions(room, query, people.directory, rooms);
  const active = Math.min(at, found.length - 1);
  const choose = ({ text, person }: Option) => {
    const f = field.current;
    if (!f || !query) return;
    if (person) people.choose(person);
    setQuery(null);
    replace(f, f.selectionStart - query.text.length - 1, f.selectionStart, text);
  };
  const keys: Record<string, () => void> = {
    ArrowDown: () => setAt((active + 1) % found.length),
    ArrowUp: () => setAt((active || found.length) - 1),
    Enter: () => choose(found[active]!),
    Tab: () => choose(found[active]!),
    Escape: () => setQuery(null),
  };
  const look = (typed?: string | null) => {
    const f = field.current;
    if (f && typed === ":") void replaceCode(f);
    setQuery(f && f.selectionStart === f.selectionEnd ? queryOf(f.value.slice(0, f.selectionStart)) : null);
    setAt(0);
  };
  const key = (e: KeyboardEvent) => {
    const act = found.length && !e.shiftKey && !e.ctrlKey && !e.metaKey ? keys[e.key] : undefined;
    if (!act) return false;
    e.preventDefault();
    e.stopPropagation();
    act();
    return true;
  };
  return { query, rooms, found, active, point: setAt, choose, look, key };
}

/** Makes a shown list the field's own for screen readers. */
function useOwned(field: Props["field"], id: string, active: number, shown: boolean): void {
  useEffect(() => {
    const f = field.current;
    const list = { "aria-controls": id, "aria-activedescendant": `${id}-${active}` };
    for (const [name, value] of Object.entries(list)) {
      if (shown) f?.setAttribute(name, value);
      else f?.removeAttribute(name);
    }
  }, [shown, active]);
}

function Choices({ id, label, found, active, onPoint, onChoose }: {
  id: string; label: string; found: readonly Option[]; active: number;
  onPoint: (i: number) => void; onChoose: (o: Option) => void;
}) {
  return (
    <ul id={id} class="menu names" role="listbox" aria-label={label}>
      {found.map((o, i) => (
        <li
          key={o.key}
          id={`${id}-${i}`}
          role="option"
          aria-selected={i === active}
          class={i === active ? "option active" : "option"}
          onPointerDown={e => e.preventDefault()}
          onPointerMove={() => onPoint(i)}
          onClick={() => onChoose(o)}
        >
          {o.glyph}
          <span class="cut" dir="auto">{o.label}</span>
          <span class="small quiet">{o.note}</span>
        </li>
      ))}
    </ul>
  );
}

/** Replaces the code of an emoji before the caret, such as :smile:. */
async function replaceCode(f: HTMLTextAreaElement): Promise<void> {
  const at = f.selectionStart;
  const [, colons = "", code = ""] = /(?:^|[\s(])(:([\p{L}\p{N}_+-]+):)$/u.exec(f.value.slice(0, at)) ?? [];
  const { withCode } = await import("../message/emoji.js");
  const found = withCode(code.toLowerCase());
  if (found && f.selectionStart === at && f.value.slice(0, at).endsWith(colons)) {
    replace(f, at - colons.length, at, found.emoji);
  }
}

/** Whom the texts of a room mention: the chosen people, and those with the exact name or user id. */
function useMentions(room: Room, draft: string) {
  const page = usePage();
  const { me } = page;
  const key = `${draft} mentions`;
  const chosen = useRef<readonly Mentioned[]>(undefined);
  chosen.current ??= JSON.parse(draftOf(me.value, key) || "[]") as Mentioned[];
  const known = useRef<Directory>(undefined);
  const directory = known.current ??= new Directory(page, room);
  const keep = (list: readonly Mentioned[]) => {
    chosen.current = list;
    keepDraft(me.value, key, list.length ? JSON.stringify(list) : "");
  };
  const mentions = (text: string): Mentions => {
    const all = mayMentionRoom(room) ? [{ user: "", name: everyone }] : [];
    const self = { user: me.value, name: page.card.value?.name ?? me.value };
    return mentionsIn(text, [chosen.current ?? [], [...directory.members ?? [], self, ...all], directory.found]);
  };
  const outside = ({ people }: Mentions): readonly Mentioned[] => {
    const { info } = room.value;
    const closed = info?.kind === "direct" || info?.visibility === "private"; // others can read no other room
    return closed ? people.filter(p => p.user && p.user !== me.value && directory.isOutside(p.user)) : [];
  };
  useChanges(room.id, ["member.changed"], () => directory.reload());
  const missing = (text: string): readonly string[] => {
    const { people, unknown } = mentions(text);
    const uncounted = !directory.members && people.some(p => !p.user);
    return [...directory.missing(unknown.filter(u => !u.several).flatMap(u => u.names)), ...(uncounted ? [""] : [])];
  };
  return {
    directory, missing,
    choose: (p: Mentioned) => keep([...(chosen.current ?? []), p]),
    crowd: (text: string) => (mentions(text).people.some(p => !p.user) ? crowdWords(directory.others) : ""),
    take: (text: string) => {
      const found = mentions(text);
      const out = outsideWords(outside(found));
      if (out) page.toast(`${out} ${outside(found).length === 1 ? "This person was" : "They were"} not notified.`);
      const extras = extrasOf(found, me.value);
      keep([]);
      return extras;
    },
    words: (text: string, typing: string) => {
      const found = mentions(text);
      const unknown = found.unknown.filter(u =>
        (u.several || !directory.missing(u.names).length) && !(typing && u.names.includes(typing)));
      const out = outside(found);
      const told = { ...found, people: found.people.filter(p => !out.includes(p)) };
      return {
        mentions: mentionWords(told, me.value, user => directory.isOutside(user)),
        unknown: unknownWords(unknown),
        outside: out,
      };
    },
  };
}
