// The names of people and rooms, numbers of people, and the people whom a message mentions.
import type { Card, Message, People } from "@parley/client";
import type { Page } from "./page.js";

/** Returns the card of a person; undefined if it is not known. One's own is always current. */
export function cardOf(page: Page, people: People, user: string): Card | undefined {
  if (user === page.me.value && page.card.value) return page.card.value;
  return Object.hasOwn(people, user) ? people[user] : page.chat.value?.rooms.people[user];
}

/** Returns the name of a person, or the user id of somebody without a profile. Others may seem to have the same. */
export const plainNameOf = (page: Page, people: People, user: string): string =>
  cardOf(page, people, user)?.name ?? user;

/** Returns the name of a person, with the user id if another person whom the page knows seems to have the same name. */
export function nameOf(page: Page, people: People, user: string): string {
  const name = plainNameOf(page, people, user);
  return name !== user && seemsShared(page, people, user) ? `${name} (${user})` : name;
}

/** Reports whether another person whom the page knows seems to have a person's name. */
export function seemsShared(page: Page, people: People, user: string): boolean {
  const card = cardOf(page, people, user);
  const looks = card?.skeleton;
  const me = page.card.value;
  return !!looks
    && [
      people, page.chat.value?.rooms.people ?? {}, page.cards.value, me ? { [page.me.value]: me } : {},
    ].some(known => {
      const holder = holders(known).get(looks);
      return holder !== undefined && holder !== user;
    });
}

/** Returns what a user id looks like, as the server would. */
const lookOfId = (user: string): string =>
  user.toLowerCase().replace(/[1i|]/g, "l").replaceAll("0", "o").replaceAll("m", "rn");

/** Who seems to have each name, or empty for several people. People are never changed in place. */
const known = new WeakMap<object, ReadonlyMap<string, string>>();

function holders(people: People): ReadonlyMap<string, string> {
  const found = known.get(people);
  if (found) return found;
  const all = new Map<string, string>();
  const add = (look: string, user: string) => all.set(look, all.has(look) ? "" : user);
  for (const [user, card] of Object.entries(people)) {
    add(card.skeleton, user);
    add(`${card.skeleton} (${lookOfId(user)})`, user); // which others might take for a name
  }
  known.set(people, all);
  return all;
}

/** Returns what a room is called: its name, or the others of a direct room. */
export function roomName(page: Page, room: { name: string; direct?: readonly string[] | null; id: string }): string {
  if (!room.direct) return room.name || room.id;
  const others = room.direct.filter(user => user !== page.me.value);
  return (others.length ? others : room.direct).map(user => nameOf(page, {}, user)).join(", ");
}

/**
 * Returns what a room is called if it is known. The id of another one is a text of the address,
 * which anybody may have written.
 */
export const knownName = (page: Page, room: Parameters<typeof roomName>[1] | undefined): string =>
  (room ? roomName(page, room) : "this room");

/** The word after the @ that mentions everyone in the room. */
export const everyone = "room";

/** Reports whether a message of another mentions the person, by their id or with all of the room. */
export const mentionsMe = (page: Page, { user, mentions, mentionRoom }: Message): boolean =>
  user !== page.me.value && (!!mentionRoom || !!mentions?.includes(page.me.value));

/** Returns the hue of a person's face, in degrees. It depends only on the user id. */
export function hue(user: string): number {
  let hash = 0;
  for (const c of user) hash = (hash * 31 + c.charCodeAt(0)) >>> 0;
  return (hash * 137) % 360; // 137 degrees, the golden angle, keep similar ids apart
}

const manyPeople = 1000; // the server counts no further

/** Returns a number of people in words. */
export const peopleWords = (count: number): string =>
  count >= manyPeople ? `${manyPeople}+ people` : count === 1 ? "1 person" : `${count} people`;
