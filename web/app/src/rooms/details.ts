// The details of public rooms, which are loaded for the rows in sight.
import { useEffect, useState } from "preact/hooks";
import { atMost } from "../api/at-most.js";
import { type Page, usePage } from "../state/page.js";
import { when } from "../ui/dates.js";

export interface Details {
  readonly members?: number | undefined;
  /** When the newest message was received; absent in a room without messages. */
  readonly active?: string | undefined;
}

/** The largest count of members that the server returns. */
const manyMembers = 1000;
const run = atMost(4);

async function load({ chat }: Page, id: string): Promise<Details> {
  const path = `/rooms/${encodeURIComponent(id)}` as const;
  const [info, newest] = await Promise.all([chat.value?.request("GET", `${path}?include=count`), chat.value?.request("GET", `${path}/messages?limit=1`)]);
  return { members: info?.memberCount, active: newest?.items[0]?.receivedAt };
}

/** Returns the details of a room, which are loaded once its row is in sight. */
export function useDetails(row: { readonly current: HTMLElement | null }, id: string): Details {
  const page = usePage();
  const [details, setDetails] = useState<Details>({});
  useEffect(() => {
    let wanted = true;
    const seen = new IntersectionObserver(entries => {
      if (!entries.some(e => e.isIntersecting)) return;
      seen.disconnect();
      void run(async () => (wanted ? load(page, id) : {})).then(found => { if (wanted) setDetails(found); }, () => undefined); // its name is enough
    });
    if (row.current) seen.observe(row.current);
    return () => { wanted = false; seen.disconnect(); };
  }, [id]);
  return details;
}

/** Returns details in words: "12 people, active 3 Mar, 14:32". */
export function detailsText({ members, active }: Details, now = new Date()): string {
  if (members === undefined) return "";
  const people = members >= manyMembers ? `${manyMembers}+ people` : members === 1 ? "1 person" : `${members} people`;
  return `${people}, ${active ? `active ${when(active, now)}` : "no messages yet"}`;
}
