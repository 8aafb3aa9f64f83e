// The preview of an invitation before it is used, even for a person who is not signed in.
import { useEffect, useState } from "preact/hooks";
import type { Invitation } from "../api/types.js";
import { useValue } from "../state/cell.js";
import { usePage } from "../state/page.js";

/** The message for a person whose invitation admits nobody. */
export const ended = "This invitation has ended. Ask for a new one.";

/** Returns the token of the invitation to which an address leads, if it does. */
export const tokenIn = (hash: string): string => /^#invite=(.*)$/.exec(hash)?.[1] ?? "";

/** Returns what an invitation says: null if it has ended, and undefined until it is known, and without a token. */
export function useInvitation(token: string): Invitation | null | undefined {
  const api = useValue(usePage().config)?.api;
  const [said, setSaid] = useState<Invitation | null>();
  useEffect(() => {
    if (!token || api === undefined) return undefined;
    const stop = new AbortController();
    // without an answer it is used unseen
    void look(`${api}/invites/${encodeURIComponent(token)}`, stop.signal).then(setSaid, () => undefined);
    return () => stop.abort();
  }, [token, api]);
  return said;
}

async function look(address: string, signal: AbortSignal): Promise<Invitation | null | undefined> {
  const answer = await fetch(address, { signal });
  if (answer.status === 404) return null;
  return answer.ok ? ((await answer.json()) as Invitation) : undefined;
}

/** Who invites where. */
export function Invites({ by }: { by: Invitation }) {
  return (
    <>
      <bdi>{by.inviter}</bdi> invites you to <b dir="auto">{by.name}</b>, a {by.visibility} room.
    </>
  );
}
