// The composer's suggestions: people after an @, rooms after a #, and emoji after a colon.
import type { Room } from "@parley/client";
import type { VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Emoji } from "../message/emoji.js";
import { Face } from "../people/face.js";
import { useValue } from "../state/cell.js";
import { everyone } from "../state/names.js";
import { usePage } from "../state/page.js";
import { having } from "../ui/having.js";
import { Icon } from "../ui/icons.js";
import type { Directory } from "./directory.js";
import type { Mentioned, Query } from "./mentions.js";

const typingPause = 120; // milliseconds without a key before people are requested
const mostListed = 200; // the API's largest page; further public rooms are found by their address
const mostEmoji = 8;

/** One line of the list. */
export interface Option {
  readonly key: string;
  readonly glyph: VNode;
  readonly label: string;
  readonly note: string;
  /** What takes the place of the query and its mark. */
  readonly text: string;
  readonly person?: Mentioned;
}

/** A room that a text may link to. */
export interface Named { readonly id: string; readonly name: string }

/** The people of a room, those who were looked up, and everyone if the person may mention the room. */
function usePeople(room: Room, query: Query | null, directory: Directory): readonly Option[] {
  const { me } = usePage();
  const text = query?.mark === "@" ? query.text : undefined;
  useEffect(() => {
    if (text !== undefined) void directory.load();
  }, [text === undefined]);
  useEffect(() => {
    if (!text) return undefined;
    const timer = setTimeout(() => void directory.look(text), typingPause);
    return () => clearTimeout(timer);
  }, [text]);
  const { members } = directory;
  if (text === undefined || !members) return [];
  const all = new Map([...members, ...directory.found].reverse().map(p => [p.user, p]));
  all.delete(me.value);
  const people = [...all.values()].reverse();
  if (mayMentionRoom(room)) people.push({ user: "", name: everyone });
  return having(people, text, p => p.name, p => p.user || "everyone here channel all").map(p => ({
    key: p.user, person: p, label: p.name, text: `@${p.name} `,
    note: !p.user ? "Everyone here" : p.user === p.name ? "" : p.user,
    glyph: p.user
      ? <Face user={p.user} name={p.name} people={room.value.people} />
      : <span class="glyph"><Icon name="people" /></span>,
  }));
}

/** Reports whether the caller may mention everyone in the room. */
export function mayMentionRoom({ value: { info } }: Room): boolean {
  const role = info?.me?.role;
  return info?.kind === "room"
    && (role === "owner" || role === "moderator" || (role === "member" && info.roomMentions === "members"));
}

/** Returns the person's rooms, and the public ones once a # was typed. */
export function useRooms(query: Query | null): readonly Named[] {
  const page = usePage();
  const own = useValue(page.list).rooms;
  const [open, setOpen] = useState<readonly Named[]>([]);
  const asked = query?.mark === "#";
  useEffect(() => {
    if (asked && !open.length) {
      void page.chat.value
        ?.request("GET", `/rooms?limit=${mostListed}`)
        .then(found => setOpen(found.items), () => undefined);
    }
  }, [asked]);
  return useMemo(() => {
    const rooms = own.filter(r => r.kind === "room");
    const joined = new Set(rooms.map(r => r.id));
    return [...rooms, ...open.filter(r => !joined.has(r.id))].map(r => ({ id: r.id, name: r.name || r.id }));
  }, [own, open]);
}

/** Returns the lines for rooms. Where several rooms have a name, their ids tell them apart. */
function roomOptions(rooms: readonly Named[], text: string): readonly Option[] {
  return having(rooms, text, r => r.name, r => r.id).map(r => {
    const shared = rooms.some(other => other.id !== r.id && other.name.toLowerCase() === r.name.toLowerCase());
    return {
      key: r.id, label: r.name, note: shared ? r.id : "", text: `#${shared ? r.id : r.name} `,
      glyph: <span class="glyph"><Icon name="hash" /></span>,
    };
  });
}

type Finder = (code: string, most: number) => readonly Emoji[];

/** Returns what finds emoji, which is loaded when a code is typed. */
function useEmoji(asked: boolean): Finder | undefined {
  const [find, setFind] = useState<{ readonly by: Finder }>();
  useEffect(() => {
    if (asked && !find) void import("../message/emoji.js").then(m => setFind({ by: m.byCode }), () => undefined);
  }, [asked]);
  return find?.by;
}

/** Returns the lines for the typed text. */
export function useOptions(
  room: Room, query: Query | null, directory: Directory, rooms: readonly Named[],
): readonly Option[] {
  const people = usePeople(room, query, directory);
  const emoji = useEmoji(query?.mark === ":");
  if (query?.mark === "#") return roomOptions(rooms, query.text);
  if (query?.mark !== ":" || !emoji) return people;
  return emoji(query.text, mostEmoji).map(e => ({
    key: e.emoji, label: `:${e.codes.find(code => code.startsWith(query.text.toLowerCase())) ?? e.codes[0]}:`,
    note: "", text: `${e.emoji} `, glyph: <span class="glyph plain" aria-hidden="true">{e.emoji}</span>,
  }));
}
