// The number of open reports of the current room, for its moderators.
import type { Room } from "@parley/client";
import { useEffect } from "preact/hooks";
import { maySeeReports } from "../access/rights.js";
import type { Report } from "../api/types.js";
import { useValue } from "../state/cell.js";
import { type Page, usePage } from "../state/page.js";

const reportsPerPage = 200;
const mostPages = 5;

/** Returns how many reports of a room are open; 0 until that is known, and for people who may not see them. */
export function useOpenReports(room: Room): number {
  const page = usePage();
  const { info } = useValue(room);
  const sees = info !== undefined && maySeeReports(info.me?.role ?? "", info);
  useEffect(() => { if (sees) void countOpen(page, room.id).catch(() => undefined); }, [room, sees]); // the tab of the reports shows why
  const { room: counted, count } = useValue(page.openReports);
  return sees && counted === room.id ? count : 0;
}

export const openOf = (reports: readonly Report[]): readonly Report[] => reports.filter(r => !r.resolvedAt);

/** Counts the open reports of a room. They are listed with the resolved ones, by message. */
export async function countOpen(page: Page, room: string): Promise<void> {
  const chat = page.chat.value;
  let count = 0;
  let next: string | undefined = "";
  for (let n = 0; chat && next !== undefined && n < mostPages; n++) {
    const answer: { items: readonly Report[]; next?: string } = await chat.request(
      "GET", `/rooms/${encodeURIComponent(room)}/reports?limit=${reportsPerPage}${next && `&cursor=${encodeURIComponent(next)}`}`);
    count += openOf(answer.items).length;
    next = answer.next;
  }
  page.openReports.value = { room, count };
}

/** A number of open reports in words. */
export const reportWords = (count: number): string => (count === 1 ? "1 open report" : `${count} open reports`);
