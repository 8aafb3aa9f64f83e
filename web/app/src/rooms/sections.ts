// The sections of the list, and the order of the rooms in each.
import type { RoomEntry } from "@parley/client";
import { counted } from "../state/counts.js";

export type SectionId = "favorites" | "rooms" | "direct" | "archived";
export type Order = "activity" | "name";

/** Returns the section to which a room belongs. */
function sectionOf({ archived, favorite, kind }: RoomEntry): SectionId {
  return archived ? "archived" : favorite ? "favorites" : kind === "direct" ? "direct" : "rooms";
}

/**
 * The state that is frozen while the pointer is over the list: the order of the rooms, and which of them were unread.
 */
export interface Held { readonly order: readonly string[]; readonly unread: ReadonlySet<string> }

export const held = (rooms: readonly RoomEntry[]): Held =>
  ({ order: rooms.map(r => r.id), unread: new Set(rooms.filter(counted).map(r => r.id)) });

/** Returns rooms in an order. The list has the newest activity first. */
export function ordered(rooms: readonly RoomEntry[], order: Order, nameOf: (room: RoomEntry) => string): RoomEntry[] {
  return order === "activity"
    ? [...rooms]
    : [...rooms].sort((a, b) => nameOf(a).localeCompare(nameOf(b), undefined, { numeric: true }));
}

/** Returns the rooms of each section. Held rooms keep their places, and new rooms come last. */
export function sectionsOf(rooms: readonly RoomEntry[], still: Held | null): Record<SectionId, RoomEntry[]> {
  const at = (r: RoomEntry) => still!.order.indexOf(r.id) >>> 0; // without a place, the highest number
  const all = still ? [...rooms].sort((a, b) => at(a) - at(b)) : rooms;
  const sections: Record<SectionId, RoomEntry[]> = { favorites: [], rooms: [], direct: [], archived: [] };
  for (const r of all) sections[sectionOf(r)].push(r);
  return sections;
}

/** Reports whether a collapsed section shows a room: the current one, and those with something to read. */
export const showsCollapsed = (room: RoomEntry, current: string, still: Held | null): boolean =>
  room.id === current || (still ? still.unread.has(room.id) : counted(room) > 0);
