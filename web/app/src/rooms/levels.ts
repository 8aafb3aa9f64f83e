// The hierarchy of places, from the rooms of a listing.
import type { ListedRoom } from "../api/types.js";

export interface Level {
  readonly name: string;
  /** The number of rooms in it and below. */
  readonly rooms: number;
}

/** Splits the rooms of a place into the rooms directly in it and the levels below it. */
export function levelsOf(rooms: readonly ListedRoom[], place: readonly string[]): {
  here: ListedRoom[]; below: Level[];
} {
  const here: ListedRoom[] = [];
  const counts = new Map<string, number>();
  for (const room of rooms) {
    const next = room.place?.[place.length];
    if (next === undefined) here.push(room);
    else counts.set(next, (counts.get(next) ?? 0) + 1);
  }
  return { here, below: Array.from(counts, ([name, count]) => ({ name, rooms: count })) };
}
