import type { Room } from "@parley/client";
import { useValue } from "../state/cell.js";
import { usePage } from "../state/page.js";
import { when } from "../ui/dates.js";

/** The largest count of unread messages that the server returns. */
export const manyUnread = 1000;

/** Returns the unread messages of a room by the list. */
export const useUnread = (room: Room): number => useValue(usePage().list).rooms.find(r => r.id === room.id)?.unread ?? 0;

/** Returns a count of unread messages in words. */
export const countOf = (n: number): string => (n >= manyUnread ? `${manyUnread - 1}+` : String(n));

/** Shows how much is new while the line "New messages" is out of sight. It covers the strip of the day. */
export function UnreadBar({ room, since, onJump }: { room: Room; since: string; onJump: () => void }) {
  const page = usePage();
  const unread = useUnread(room);
  const newest = useValue(page.list).rooms.find(r => r.id === room.id)?.lastMessage?.id;
  if (!unread) return null;
  const read = () => {
    page.reader.value?.resume();
    room.markRead(newest).catch(page.toastError);
  };
  return (
    <div class="unread-bar small" role="group" aria-label="New messages">
      <span class="cut">{countOf(unread)} new {unread === 1 ? "message" : "messages"} since {when(since, new Date())}</span>
      <button type="button" onClick={onJump}>Jump</button>
      <button type="button" onClick={read}>Mark as read</button>
    </div>
  );
}
