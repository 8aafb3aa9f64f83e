import type { Client } from "./client.js";
import { encode } from "./ids.js";
import { alter } from "./shown.js";
import { reacted } from "./timeline.js";
import type { Chat, Message } from "./types.js";

type Reacted = Pick<Message, "room" | "id" | "reactions">;

/**
 * Reacts to a message with an emoji, or removes the reaction. The change shows immediately, and is
 * undone if the server refuses it (RequestError). The message is then read again: a change that came
 * meanwhile may have had other counts.
 */
export async function react(chat: Chat, message: Reacted, emoji: string, on: boolean): Promise<void> {
  const { room, id } = message;
  const client = chat as Client;
  let before = message;
  const show = (me: boolean) => alter(client, room, id, m => reacted((before = m), emoji, me, true));
  show(on);
  if (!!before.reactions?.some(r => r.emoji === emoji && r.me) === on) return;
  const path = `/rooms/${encode(room)}/messages/${encode(id)}` as const;
  try {
    await client.request(on ? "PUT" : "DELETE", `${path}/reactions/${encode(emoji)}`);
  } catch (e) {
    show(!on);
    client.request("GET", path).then(({ reactions = [] }) => alter(client, room, id, m => reacted({ ...m, reactions }, emoji, !on, false)), () => {});
    throw e;
  }
}
