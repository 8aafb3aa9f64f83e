// Counts the open reports of a room. The first paint can do without.
import type { Report } from "../api/types.js";
import type { Page } from "../state/page.js";

const reportsPerPage = 200;
const mostPages = 5;

export const openOf = (reports: readonly Report[]): readonly Report[] => reports.filter(r => !r.resolvedAt);

/** Counts the open reports of a room. They are listed with the resolved ones, by message. */
export async function countOpen(page: Page, room: string): Promise<void> {
  const chat = page.chat.value;
  let count = 0;
  let next: string | undefined = "";
  for (let n = 0; chat && next !== undefined && n < mostPages; n++) {
    const cursor = next && `&cursor=${encodeURIComponent(next)}`;
    const answer: { items: readonly Report[]; next?: string } = await chat.request(
      "GET", `/rooms/${encodeURIComponent(room)}/reports?limit=${reportsPerPage}${cursor}`,
    );
    count += openOf(answer.items).length;
    next = answer.next;
  }
  page.openReports.value = { room, count };
}
