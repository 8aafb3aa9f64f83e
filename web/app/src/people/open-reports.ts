// The number of open reports of the current room, for its moderators.
import type { Room } from "@parley/client";
import { useEffect } from "preact/hooks";
import { maySeeReports } from "../access/moderator.js";
import { useValue } from "../state/cell.js";
import { usePage } from "../state/page.js";

/** Returns how many reports of a room are open; 0 until that is known, and for people who may not see them. */
export function useOpenReports(room: Room): number {
  const page = usePage();
  const { info } = useValue(room);
  const painted = useValue(page.painted);
  const sees = info !== undefined && maySeeReports(info.me?.role ?? "", info);
  // the tab of the reports shows why
  useEffect(() => {
    if (sees && painted) void import("./report-count.js").then(m => m.countOpen(page, room.id)).catch(() => undefined);
  }, [room, sees, painted]);
  const { room: counted, count } = useValue(page.openReports);
  return sees && counted === room.id ? count : 0;
}

/** A number of open reports in words. */
export const reportWords = (count: number): string => (count === 1 ? "1 open report" : `${count} open reports`);
