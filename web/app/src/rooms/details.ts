// The details of public rooms, which are loaded for the rows in sight.
import { useEffect, useState } from "preact/hooks";
import { atMost } from "../api/at-most.js";
import { peopleWords } from "../state/names.js";
import { type Page, usePage } from "../state/page.js";
import { when } from "../ui/dates.js";
import { whenSeen } from "../ui/seen.js";

export interface Details {
  readonly members?: number | undefined;
  /** When the newest message was received; absent in a room without messages. */
  readonly active?: string | undefined;
}

const run = atMost(4);

async function load({ chat }: Page, id: string): Promise<Details> {
  const path = `/rooms/${encodeURIComponent(id)}` as const;
  const [info, newest] = await Promise.all([
    chat.value?.request("GET", `${path}?include=count`), chat.value?.request("GET", `${path}/messages?limit=1`),
  ]);
  return { members: info?.memberCount, active: newest?.items[0]?.receivedAt };
}

/** Returns the details of a room, which are loaded once its row is in sight. */
export function useDetails(row: { readonly current: HTMLElement | null }, id: string): Details {
  const page = usePage();
  const [details, setDetails] = useState<Details>({});
  useEffect(() => {
    if (!row.current) return undefined;
    let wanted = true;
    const stop = whenSeen(row.current, () =>
      // its name is enough
      void run(async () => (wanted ? load(page, id) : {}))
        .then(found => { if (wanted) setDetails(found); }, () => undefined));
    return () => { wanted = false; stop(); };
  }, [id]);
  return details;
}

/** Returns details in words: "12 people, active 3 Mar, 14:32". */
export function detailsText({ members, active }: Details, now = new Date()): string {
  if (members === undefined) return "";
  return `${peopleWords(members)}, ${active ? `active ${when(active, now)}` : "no messages yet"}`;
}
