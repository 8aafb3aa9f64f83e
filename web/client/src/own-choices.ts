// The caller's own reactions and votes, which a change of a message's counts does not mark.
import type { Client } from "./client.js";
import { encode } from "./ids.js";
import { isGone, statusOf } from "./http.js";
import { alter, viewsOf } from "./shown.js";
import type { StoredMessage } from "./types.js";

/** The messages of a page for a few messages, and for more. */
const [PAGE, LONG_PAGE] = [50, 200];
const FEW = 10;
/** The most requests. */
const MOST = 10;

/**
 * Reads the caller's choices in messages of a room, a page at a time from the newest, and shows them.
 * It returns the shown messages that were not read.
 */
export async function readChoices(client: Client, room: string, ids: readonly string[]): Promise<readonly string[]> {
  const shown = new Set(
    viewsOf(client, room).flatMap(v => (v ? [...v.value.messages, v.value.first].map(m => m?.id) : [])),
  );
  let left = ids.filter(id => shown.has(id)).sort(); // any page that is loaded later has the others
  for (let n = 0; left.length && n < MOST; n++) {
    const newest = left.at(-1)!;
    try {
      const read = await page(client, room, newest, left.length);
      for (const m of read) alter(client, room, m.id, there => withChoices(there, m));
      left = left.filter(id => id !== newest && !read.some(m => m.id === id));
    } catch {
      break;
    }
  }
  return left;
}

/** Reads a message, or the page around it if more are wanted. */
async function page(client: Client, room: string, id: string, wanted: number): Promise<readonly StoredMessage[]> {
  const path = `/rooms/${encode(room)}/messages` as const;
  const isReply = !client.opened.get(room)?.value.messages.some(m => m.id === id);
  try {
    if (wanted > 1 && !isReply) {
      return (await client.request(
        "GET", `${path}?limit=${wanted > FEW ? LONG_PAGE : PAGE}&around=${encode(id)}`,
      )).items;
    }
    return [await client.request("GET", `${path}/${encode(id)}`)];
  } catch (e) {
    if (isGone(statusOf(e))) return [];
    throw e;
  }
}

/** Returns a message with the choices of the same message as it was read. */
function withChoices(m: StoredMessage, read: StoredMessage): StoredMessage {
  const own = <T extends { readonly me?: boolean | undefined }>(choice: T, me: boolean | undefined): T =>
    (!!me === !!choice.me ? choice : { ...choice, me: me || undefined });
  const emojis = new Map(read.reactions?.map(r => [r.emoji, r.me]));
  return {
    ...m,
    ...(m.reactions && { reactions: m.reactions.map(r => own(r, emojis.get(r.emoji))) }),
    ...(m.poll && { poll: { ...m.poll, options: m.poll.options.map((o, i) => own(o, read.poll?.options[i]?.me)) } }),
  };
}
