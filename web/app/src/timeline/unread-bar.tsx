import type { Room } from "@parley/client";
import { useValue } from "../state/cell.js";
import { usePage } from "../state/page.js";
import { when } from "../ui/dates.js";
import { countOf, useUnread } from "./unread.js";

/** Shows how much is new while the line "New messages" is out of sight. It covers the strip of the day. */
export default function UnreadBar({ room, since, onJump }: { room: Room; since: string; onJump: () => void }) {
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
      <span class="cut">
        {countOf(unread)} new <span class="word">{unread === 1 ? "message" : "messages"} </span>
        since {when(since, new Date())}
      </span>
      <button type="button" onClick={onJump}>Jump</button>
      <button type="button" onClick={read}>Mark as read</button>
    </div>
  );
}
