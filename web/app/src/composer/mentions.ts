// The mentions in a text. It is pure.
import type { Extras } from "@parley/client";
import { parse, type Piece } from "../ui/markup.js";

/** A person whom a text may mention. Without a user id it is everyone in the room. */
export interface Mentioned { readonly user: string; readonly name: string }

/** An incomplete name: the mark that begins it, and the rest of the text. */
export interface Query { readonly mark: "@" | "#" | ":"; readonly text: string }

/** A name after its mark may have a space in it; the code of an emoji has two letters at least. */
const asked = /(?:^|[\s(])(?:([@#])([^\s@#]*(?: [^\s@#]+)?)|:([\p{L}\p{N}_+-]{2,}))$/u;

/** The most mentions that the server accepts. */
const mostMentions = 20;
/** The longest name of a person, in characters. */
const longestName = 200;

/** Returns the incomplete name at the end of a text; null if there is none. */
export function queryOf(before: string): Query | null {
  const [, mark, name = "", code] = asked.exec(before.slice(-longestName)) ?? [];
  if (code !== undefined) return { mark: ":", text: code };
  return mark ? { mark: mark as "@" | "#", text: name } : null;
}

/** The text after an @ that mentions nobody. */
export interface Unknown {
  readonly word: string;
  /** The word, and it with the next one: what the name may be. */
  readonly names: readonly string[];
  readonly several: boolean;
}

export interface Mentions { readonly people: readonly Mentioned[]; readonly unknown: readonly Unknown[] }

/**
 * Returns whom a text mentions by an exact name or user id, in any case. The groups of people come
 * in order: the chosen, the members, the others. The longest name counts, and then the first group.
 * A name that several people of the group have means nobody.
 */
export function mentionsIn(text: string, groups: readonly (readonly Mentioned[])[]): Mentions {
  const people = new Map<string, Mentioned>();
  const unknown = new Map<string, Unknown>();
  if (!text.includes("@")) return { people: [], unknown: [] };
  const prose = wordsOutsideCode(parse(text));
  for (const { index } of prose.matchAll(/(?<=^|[\s(])@(?=[\p{L}\p{N}])/gu)) {
    const rest = prose.slice(index + 1, index + 1 + longestName);
    const holders = holdersOf(rest, groups);
    const [two = "", one = ""] = /^([^\s,;:!?()]+)(?: [^\s,;:!?()@]+)?/.exec(rest) ?? [];
    const word = one.replace(/\.+$/, "");
    if (holders.length === 1 || (holders.length && groups[0]?.includes(holders[0]!))) {
      for (const p of holders) people.set(p.user, p);
    } else {
      unknown.set(word, { word, names: [...new Set([word, two.replace(/\.+$/, "")])], several: holders.length > 1 });
    }
  }
  return { people: [...people.values()], unknown: [...unknown.values()] };
}

/** Returns the people whose name or user id begins a text and is the longest. */
function holdersOf(text: string, groups: readonly (readonly Mentioned[])[]): readonly Mentioned[] {
  const lower = text.toLowerCase();
  let longest = 0;
  let holders: Mentioned[] = [];
  for (const group of groups) {
    const found = new Map<string, Mentioned>();
    const before = longest;
    for (const p of group) {
      const length = Math.max(matched(lower, p.name), matched(lower, p.user));
      if (length <= before || length < longest) continue;
      if (length > longest) found.clear();
      longest = length;
      found.set(p.user, p);
    }
    if (found.size) holders = [...found.values()];
  }
  return holders;
}

/** Returns the length of a name if a text begins with it, and with no longer word; 0 otherwise. */
function matched(lower: string, name: string): number {
  const n = name.length;
  return n && lower.startsWith(name.toLowerCase()) && !/^[\p{L}\p{N}_-]/u.test(lower.slice(n, n + 2)) ? n : 0;
}

/** Returns the words of pieces that may mention somebody, each piece in a line of its own. */
function wordsOutsideCode(pieces: readonly Piece[]): string {
  return pieces.map(p => typeof p === "string" ? p
    : p.kind === "list" ? p.items.map(wordsOutsideCode).join("\n")
    : p.kind === "code" || p.kind === "block" || p.kind === "link" ? ""
    : wordsOutsideCode(p.pieces)).join("\n");
}

/** Returns the mentions of a message, as the server takes them. */
export function extrasOf({ people }: Mentions, me: string): Pick<Extras, "mentions" | "mentionRoom"> {
  const mentions = people.map(p => p.user).filter(user => user && user !== me).slice(0, mostMentions);
  return { ...(mentions.length && { mentions }), ...(people.some(p => !p.user) && { mentionRoom: true }) };
}

/** The most names that are shown. */
const mostShown = 3;

/** Returns in words whom a text mentions, and who of them is not in the room; empty if it mentions nobody. */
export function mentionWords({ people }: Mentions, me: string, isOutside: (user: string) => boolean): string {
  const names = people.filter(p => p.user !== me)
    .map(p => (!p.user ? "everyone here" : isOutside(p.user) ? `${p.name} (not in this room)` : p.name));
  if (names.length > mostShown) names.splice(mostShown - 1, names.length, `${names.length - mostShown + 1} others`);
  return names.length ? `Mentions ${[names.slice(0, -1).join(", "), names.at(-1)].filter(Boolean).join(" and ")}` : "";
}

/** Returns the words about people who are mentioned in a room that they are not in; empty without any. */
export function outsideWords(people: readonly Mentioned[]): string {
  const [first, ...others] = people;
  if (!first) return "";
  return others.length
    ? `${first.name} and ${others.length === 1 ? others[0]!.name : `${others.length} others`} are not in this room.`
    : `${first.name} is not in this room.`;
}

/**
 * A message that mentions everyone in a room with more other people is sent only after a question:
 * fewer can be expected to know each other.
 */
const mostUnasked = 20;

/**
 * Returns the question before everyone of so many other people is mentioned; empty for few. Without
 * a number they are not counted.
 */
export function crowdWords(others: number | undefined): string {
  if (others === undefined) return "Everyone in this room will be notified.";
  return others <= mostUnasked ? ""
    : others === Infinity ? "Several hundred people will be notified."
    : `${others} people will be notified.`;
}

/** Returns in words the first name that means nobody. */
export function unknownWords([first]: readonly Unknown[]): string {
  if (!first) return "";
  return first.several ? `Several people are called @${first.word}.`
    : `@${first.word} is nobody here.`;
}

/** The parts of a text in which # is no room: code, and addresses. */
const besides = /(`{3,})[^]*?\1`*|`[^`\n]+`|\]\([^)\s]*\)|https?:\S+|(?<=^|[\s(])#(?=[\p{L}\p{N}])/giu;

/** Returns a text in which the rooms after a # are links. The longest name or id counts. */
export function withRooms(text: string, rooms: readonly { readonly id: string; readonly name: string }[]): string {
  let out = "";
  let at = 0;
  for (const { 0: found, index } of text.matchAll(besides)) {
    if (found !== "#" || index < at) continue;
    const lower = text.slice(index + 1, index + 1 + longestName).toLowerCase();
    const lengths = rooms.map(r => Math.max(matched(lower, r.name), matched(lower, r.id)));
    const longest = Math.max(0, ...lengths);
    const holders = rooms.filter((r, i) => longest && lengths[i] === longest && !/[[\]]/.test(r.name));
    if (holders.length !== 1) continue;
    const end = index + 1 + longest;
    out += `${text.slice(at, index)}[${text.slice(index, end)}](#/${encodeURIComponent(holders[0]!.id)})`;
    at = end;
  }
  return out + text.slice(at);
}
