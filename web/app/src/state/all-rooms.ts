// All rooms of the person, for what finds rooms by their names.
import type { RoomEntry } from "@parley/client";
import { useEffect } from "preact/hooks";
import { useValue } from "./cell.js";
import { usePage } from "./page.js";

/** Returns the rooms of the list, and loads the others once they are needed. */
export function useAllRooms(needed: boolean): readonly RoomEntry[] {
  const { chat, list } = usePage();
  const { rooms, more } = useValue(list);
  useEffect(() => {
    // Each page that arrives asks for the next one. What fails is not found, until somebody types again.
    if (needed && more?.rooms) chat.value?.rooms.loadMore().catch(() => undefined);
  }, [needed, more?.rooms]);
  return rooms;
}
