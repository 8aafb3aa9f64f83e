// What people and rooms are called, how many people are, and whom a message mentions.
import type { Card, Message, People } from "@parley/client";
import type { Page } from "./page.js";

/** Returns the card of a person; undefined if it is not known. One's own is always current. */
export function cardOf(page: Page, people: People, user: string): Card | undefined {
  if (user === page.me.value && page.card.value) return page.card.value;
  return Object.hasOwn(people, user) ? people[user] : page.chat.value?.rooms.people[user];
}

/** Returns the name of a person, or the user id of somebody without a profile. */
export const nameOf = (page: Page, people: People, user: string): string => cardOf(page, people, user)?.name ?? user;

/** Returns what a room is called: its name, or the others of a direct room. */
export function roomName(page: Page, room: { name: string; direct?: readonly string[] | null; id: string }): string {
  if (!room.direct) return room.name || room.id;
  const others = room.direct.filter(user => user !== page.me.value);
  return (others.length ? others : room.direct).map(user => nameOf(page, {}, user)).join(", ");
}

/** Returns what a room is called if it is known. The id of another one is a text of the address, which anybody may have written. */
export const knownName = (page: Page, room: Parameters<typeof roomName>[1] | undefined): string => (room ? roomName(page, room) : "this room");

/** What a text has after the @ where it mentions everyone in the room. */
export const everyone = "room";

/** Reports whether a message of another mentions the person, by their id or with all of the room. */
export const mentionsMe = (page: Page, { user, mentions, mentionRoom }: Message): boolean =>
  user !== page.me.value && (!!mentionRoom || !!mentions?.includes(page.me.value));

/** Returns the hue of a person's face, in degrees. It depends on the user id alone. */
export function hue(user: string): number {
  let hash = 0;
  for (const c of user) hash = (hash * 31 + c.charCodeAt(0)) >>> 0;
  return (hash * 137) % 360; // 137 degrees, the golden angle, keep similar ids apart
}

const manyPeople = 1000; // the server counts no further

/** Returns a number of people in words. */
export const peopleWords = (count: number): string =>
  count >= manyPeople ? `${manyPeople}+ people` : count === 1 ? "1 person" : `${count} people`;
