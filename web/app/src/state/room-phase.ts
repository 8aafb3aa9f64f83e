import type { Observable } from "@parley/client";
import { useValue } from "./cell.js";
import { usePage } from "./page.js";

interface Loading { readonly phase: string; readonly cachedAt?: number | undefined }

const noRoom: Observable<Loading> = { value: { phase: "" }, subscribe: () => () => undefined };

/** Returns how far the current room is loaded. */
function useLoading(): Loading {
  const room: Observable<Loading> = useValue(usePage().current) ?? noRoom;
  return useValue(room);
}

/** Returns the phase of the current room; empty if there is none. */
export const useRoomPhase = (): string => useLoading().phase;

/**
 * Returns when the room or the list was last compared with the server, in milliseconds, if that was
 * before this start.
 */
export function useCachedAt(): number | undefined {
  const list = useValue(usePage().list);
  const room = useLoading();
  return room.cachedAt ?? list.cachedAt;
}
