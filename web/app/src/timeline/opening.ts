// Finds the place at which a room opens. The messages are shown once it is known, so that they never
// move: the unread line may be some pages above the newest message.
import type { Room, RoomView } from "@parley/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { useValue } from "../state/cell.js";
import { type Page, usePage } from "../state/page.js";
import { windowSize } from "./viewport.js";

/** The largest count of unread messages that the server returns. Their first cannot be found then. */
const manyUnread = 1000;
/** The least and the most messages of a page. The API gives no more. */
const leastPage = 50;
const mostPage = 200;
/** The messages that are loaded above the unread line, to show what it follows. */
const context = 10;
/** The most messages to load: more than the unread ones, which exclude own and deleted messages. */
const mostSought = manyUnread + mostPage;

const unreadOf = ({ list }: Page, id: string): number | undefined => list.value.rooms.find(r => r.id === id)?.unread;

/** Returns how many messages a page needs to reach the first of so many unread ones. */
function pageOf(unread = 0): number {
  return unread < manyUnread ? Math.min(mostPage, Math.max(leastPage, unread + context)) : leastPage;
}

/** Opens a room, or moves in the open one: to a message, or to the first unread one as far as the list knows it. */
export function openRoom(page: Page, room: Room, message: string, isOpen: boolean): void {
  const limit = message ? undefined : pageOf(unreadOf(page, room.id));
  // its phase shows a failure
  void (!isOpen ? room.open(message || undefined, limit) : message ? room.around(message) : room.latest(limit));
}

/** Reports whether the first unread message is older than the loaded ones, and can be found. */
function seeksLine({ phase, info, hasOlder, firstUnread, messages }: RoomView): boolean {
  const unread = info?.me?.unread ?? 0;
  return phase === "ready" && hasOlder && !firstUnread && unread > 0 && unread < manyUnread
    && messages.length < mostSought;
}

/** Loads older messages until the first unread one is there, and keeps a window around it. */
async function seek({ seeking }: Page, room: Room): Promise<void> {
  seeking.value = true;
  try {
    for (let before = 0; seeksLine(room.value) && room.value.messages.length !== before;) {
      before = room.value.messages.length;
      await room.older(pageOf((room.value.info?.me?.unread ?? 0) - before));
    }
  } catch {
    // The room then opens at the messages that were loaded.
  }
  seeking.value = false;
  room.trim(room.value.firstUnread ? "newer" : "older", windowSize);
}

/** - `sought`: the unread line is being looked for. */
type Place = "unknown" | "sought" | "known";

function placeOf(page: Page, room: Room, view: RoomView, focusId: string): Place {
  if (view.phase === "ready") return !focusId && seeksLine(view) ? "sought" : "known";
  // A room without unread messages shows its last known messages while it loads.
  return !focusId && !view.hasNewer && unreadOf(page, room.id) === 0 ? "known" : "unknown";
}

/** Returns the view to show of a room. It has no messages until the opening place is known. */
export function useOpened(room: Room, focusId: string): RoomView {
  const page = usePage();
  const view = useValue(room);
  const place = useRef<Place>("unknown");
  const [, render] = useState({});
  if (place.current === "unknown" && !view.cachedAt) place.current = placeOf(page, room, view, focusId);
  const sought = place.current === "sought";
  useEffect(() => {
    if (sought) void seek(page, room).then(() => { place.current = "known"; render({}); });
  }, [sought]);
  // The place in a kept room is sought once it was compared.
  return view.cachedAt || place.current === "known" ? view : { ...view, phase: "loading", messages: [] };
}
