// Merges what concerns the person from lists with pages of their own. It is pure.
import type { RoomEntry } from "@parley/client";
import type { MentionPage, OwnThreadPage } from "../api/types.js";

type Mention = MentionPage["items"][number];
type OwnThread = OwnThreadPage["items"][number];

/** An item of the activity list. Its time orders it: for a thread, the newest reply's; for a room, the addition's. */
export type Item = { readonly key: string; readonly at: string } & (
  | { readonly kind: "mention"; readonly unread: boolean; readonly mention: Mention }
  | { readonly kind: "thread"; readonly unread: boolean; readonly thread: OwnThread }
  | { readonly kind: "added"; readonly unread: boolean; readonly room: RoomEntry });

/** The loaded part of a list, the newest first, and whether the list has older ones. */
export interface Part { readonly items: readonly Item[]; readonly hasMore: boolean }

const newestFirst = (a: Item, b: Item): number => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0);

/**
 * Returns the items of all lists, newest first, down to the oldest time to which every list is loaded. Items
 * with equal times keep the order of the lists. Loading another page only appends items, and skips none.
 */
export function merged(parts: readonly Part[]): readonly Item[] {
  const ends = parts.map(p => (p.hasMore ? p.items.at(-1)?.at ?? "none" : "")); // "none" is after all times
  const isKnown = ({ at }: Item, list: number) => ends.every((end, l) => at > end || (at === end && list <= l));
  return parts.flatMap((p, list) => p.items.filter(i => isKnown(i, list))).sort(newestFirst);
}

/** Returns mentions as a list. Those in rooms of the list of rooms are unread by its marker, which is the newest. */
export function ofMentions(mentions: readonly Mention[], rooms: readonly RoomEntry[], hasMore: boolean): Part {
  const read = new Map(rooms.map(r => [r.id, r.read]));
  return { hasMore, items: mentions.map(mention => {
    const { room, seq, unread = false, message: { id, receivedAt: at } } = mention;
    return {
      kind: "mention", key: `mention ${room} ${id}`, at, mention, unread: unread && seq > (read.get(room) ?? 0),
    };
  }) };
}

/**
 * Returns all threads as a list: those that others have replied to, and whose newest reply is not
 * among the mentions.
 */
export function ofThreads(threads: readonly OwnThread[], mentions: readonly Mention[], me: string): Part {
  const mentioned = new Set(mentions.map(m => `${m.message.thread} ${m.message.receivedAt}`));
  const items = threads.flatMap<Item>(thread => {
    const { room, id, replies } = thread.message;
    if (!replies?.lastAt || replies.users.every(user => user === me) || mentioned.has(`${id} ${replies.lastAt}`)) {
      return [];
    }
    return [{ kind: "thread", key: `thread ${room} ${id}`, at: replies.lastAt, thread, unread: thread.unread > 0 }];
  });
  return { hasMore: false, items: items.sort(newestFirst) };
}

/** Returns the rooms to which somebody added the person, until they have read something there. */
export function ofRooms(rooms: readonly RoomEntry[]): Part {
  const items = rooms.filter(r => r.addedBy)
    .map<Item>(room => ({ kind: "added", key: `added ${room.id}`, at: room.joinedAt, room, unread: true }));
  return { hasMore: false, items: items.sort(newestFirst) };
}
