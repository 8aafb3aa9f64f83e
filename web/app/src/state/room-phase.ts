import type { Observable } from "@parley/client";
import { useValue } from "./cell.js";
import { usePage } from "./page.js";

const noRoom: Observable<{ phase: string }> = { value: { phase: "" }, subscribe: () => () => undefined };

/** Returns the phase of the current room; empty if there is none. */
export function useRoomPhase(): string {
  const room: Observable<{ phase: string }> = useValue(usePage().current) ?? noRoom;
  return useValue(room).phase;
}
