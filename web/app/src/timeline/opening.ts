// Where a room opens. Its messages are shown when that place is known, so that they never move: the
// unread line may be some pages above the newest message.
import type { Room, RoomView } from "@parley/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { cell } from "../state/cell.js";
import { list, useValue } from "../state/store.js";
import { windowSize } from "./viewport.js";

/** The server counts no further: where so many are unread, their first one cannot be found. */
const manyUnread = 1000;
/** The least and the most messages of a page. The API gives no more. */
const leastPage = 50;
const mostPage = 200;
/** The messages that are loaded above the unread line, to show what it follows. */
const context = 10;
/** Own and deleted messages are not counted as unread, so more are loaded than those; but not all. */
const mostSought = manyUnread + mostPage;

/** Whether older messages are loaded to find the place at which the room opens. */
export const seeking = cell(false);

const unreadOf = (id: string): number | undefined => list.value.rooms.find(r => r.id === id)?.unread;

/** Returns how many messages a page needs to reach the first of so many unread ones. */
function pageOf(unread = 0): number {
  return unread < manyUnread ? Math.min(mostPage, Math.max(leastPage, unread + context)) : leastPage;
}

/** Opens a room around a message, or at its first unread one as far as the list knows it. */
export function openRoom(room: Room, message: string): void {
  void room.open(message || undefined, message ? undefined : pageOf(unreadOf(room.id))).catch(() => undefined); // its phase tells
}

/** Reports whether the first unread message is older than the loaded ones, and can be found. */
function seeksLine({ phase, info, hasOlder, firstUnread, messages }: RoomView): boolean {
  const unread = info?.me?.unread ?? 0;
  return phase === "ready" && hasOlder && !firstUnread && unread > 0 && unread < manyUnread && messages.length < mostSought;
}

/** Loads older messages until the first unread one is there, and keeps a window around it. */
async function seek(room: Room): Promise<void> {
  seeking.value = true;
  try {
    for (let before = 0; seeksLine(room.value) && room.value.messages.length !== before;) {
      before = room.value.messages.length;
      await room.older(pageOf((room.value.info?.me?.unread ?? 0) - before));
    }
  } catch {
    // The newest messages are a good beginning too.
  }
  seeking.value = false;
  room.trim(room.value.firstUnread ? "newer" : "older", windowSize);
}

/** - `sought`: the unread line is being looked for. */
type Place = "unknown" | "sought" | "known";

function placeOf(room: Room, view: RoomView, focusId: string): Place {
  if (view.phase === "ready") return !focusId && seeksLine(view) ? "sought" : "known";
  // A room that was read shows its last messages at once, as it did before.
  return !focusId && !view.hasNewer && unreadOf(room.id) === 0 ? "known" : "unknown";
}

/** Returns what a room shows: nothing while the place is unknown at which it opens. */
export function useOpened(room: Room, focusId: string): RoomView {
  const view = useValue(room);
  const place = useRef<Place>("unknown");
  const [, render] = useState({});
  if (place.current === "unknown") place.current = placeOf(room, view, focusId);
  const sought = place.current === "sought";
  useEffect(() => {
    if (sought) void seek(room).then(() => { place.current = "known"; render({}); });
  }, [sought]);
  if (place.current !== "known") return { ...view, phase: "loading", messages: [] };
  return view.phase === "ready" ? view : { ...view, firstUnread: undefined }; // it is of the last time
}
