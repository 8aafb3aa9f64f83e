// The matches that the find dialog lists for a text.
import type { RoomEntry, SearchResult } from "@parley/client";
import { type Found, having } from "../ui/having.js";

/** One line of the find dialog. */
export interface Match {
  readonly kind: "room" | "public" | "person" | "command" | "search" | "message";
  /** The id of the room, the person, the command or the message, or the query. */
  readonly id: string;
  readonly name: string;
  /** The user id of the other in a direct room, whose face is shown. */
  readonly other?: string | undefined;
  /** The message that was found. */
  readonly found?: SearchResult;
}

/** A public room or a command. */
export interface Named { readonly id: string; readonly name: string }

const mostPeople = 50; // in a list of only people, which scrolls
/** Returns the name that is searched: Slack's finder takes # and @ before names. */
export const queryOf = (text: string): string => text.trim().replace(/^[#@]/, "");
const userPattern = /^[A-Za-z0-9._@|:+=-]{1,64}$/; // as the API takes user ids

/** The candidates of the dialog. */
export interface Choices {
  readonly me: string;
  readonly own: readonly RoomEntry[];
  nameOf(room: RoomEntry): string;
  readonly open: readonly Named[];
  readonly commands: readonly Named[];
  readonly people: readonly Found[];
  /** The messages that were found. */
  readonly messages: readonly SearchResult[];
}

/** Returns the words to search in messages, without names that follow # or @. */
export const wordsOf = (text: string): string => (/^\s*[#@]/.test(text) ? "" : text.trim());

/**
 * Returns the lines for a text: the person's rooms, people, commands, public rooms, and the search for messages
 * with the first results. They come last, because they come late.
 */
export function matchesOf(text: string, from: Choices): Match[] {
  const query = queryOf(text);
  const own = having(from.own, query, from.nameOf, r => r.kind === "direct" ? "" : r.id)
    .map(r =>
      ({ kind: "room", id: r.id, name: from.nameOf(r), other: r.direct?.find(user => user !== from.me) }) as const);
  const direct = new Set(from.own.filter(r => r.direct?.length === 2).flatMap(r => r.direct ?? []));
  const joined = new Set(from.own.map(r => r.id));
  const open = having(from.open.filter(r => !joined.has(r.id)), query, r => r.name, r => r.id)
    .map(r => ({ kind: "public", id: r.id, name: r.name || r.id }) as const);
  const run = having(from.commands, query, c => c.name, () => "", from.commands.length).map(c =>
    ({ kind: "command", id: c.id, name: c.name }) as const);
  if (!query) return [...own, ...open, ...run];
  const named = [...own, ...persons(query, from.people.filter(p => !direct.has(p.user))), ...run, ...open];
  return [...named, ...messagesFor(wordsOf(text), from.messages)];
}

/** Returns the search for words in messages, and the messages that it found. */
function messagesFor(words: string, found: readonly SearchResult[]): Match[] {
  if (!words) return [];
  return [
    { kind: "search", id: words, name: words },
    ...found.map(r => ({ kind: "message", id: `${r.message.room} ${r.message.id}`, name: "", found: r }) as const),
  ];
}

/** Returns the people for a text, also people of direct rooms. */
export const peopleOf = (text: string, from: Pick<Choices, "people">): Match[] =>
  persons(queryOf(text), from.people, mostPeople);

const persons = (query: string, people: readonly Found[], most?: number): Match[] =>
  having(people, query, p => p.name, p => p.user, most).map(p => ({ kind: "person", id: p.user, name: p.name }));

/** Returns the user id that a text could be; empty if it is none. */
export function userOf(text: string): string {
  const query = queryOf(text);
  return userPattern.test(query) ? query : "";
}
