// The caller's own reactions and votes, which a change of a message's counts does not mark.
import type { Client } from "./client.js";
import { recent } from "./echoes.js";
import { encode } from "./ids.js";
import { isGone, statusOf } from "./http.js";
import { alter } from "./shown.js";
import type { StoredMessage } from "./types.js";

/** The messages of a page. */
const PAGE = 50;
/** The most requests: other messages keep what is known about them. */
const MOST = 10;

/** Reads the caller's choices in messages of a room, a page at a time from the newest, and shows them. */
export async function readChoices(client: Client, room: string, ids: readonly string[]): Promise<void> {
  const left = [...ids].sort();
  for (let n = 0; left.length && n < MOST; n++) {
    for (const m of await read(client, room, left.pop()!, left.length > 0)) {
      const i = left.indexOf(m.id);
      if (i >= 0) left.splice(i, 1);
      alter(client, room, m.id, there => withChoices(client, there, m));
    }
  }
}

/** Reads a message, or with others the page around it. */
async function read(client: Client, room: string, id: string, others: boolean): Promise<readonly StoredMessage[]> {
  const path = `/rooms/${encode(room)}/messages` as const;
  const isReply = !client.opened.get(room)?.value.messages.some(m => m.id === id);
  try {
    if (others && !isReply) return (await client.request("GET", `${path}?limit=${PAGE}&around=${encode(id)}`)).items;
    return [await client.request("GET", `${path}/${encode(id)}`)];
  } catch (e) {
    if (isGone(statusOf(e))) return [];
    throw e;
  }
}

/** Returns a message with the choices of the same message as it was read, except those that this device has just made. */
function withChoices(client: Client, m: StoredMessage, read: StoredMessage): StoredMessage {
  const own = <T extends { readonly me?: boolean }>(choice: T, me: boolean | undefined, about: string): T =>
    (!!me === !!choice.me || recent(client, about).length ? choice : { ...choice, me: !!me });
  const emojis = new Map(read.reactions?.map(r => [r.emoji, r.me]));
  return {
    ...m,
    ...(m.reactions && { reactions: m.reactions.map(r => own(r, emojis.get(r.emoji), `${m.id} ${r.emoji}`)) }),
    ...(m.poll && { poll: { ...m.poll, options: m.poll.options.map((o, i) => own(o, read.poll?.options[i]?.me, m.id)) } }),
  };
}
