import type { Client } from "./client.js";
import { choose } from "./echoes.js";
import { encode } from "./ids.js";
import { alter, readAgain } from "./shown.js";
import { reacted } from "./timeline.js";
import type { Chat, Message } from "./types.js";

type Reacted = Pick<Message, "room" | "id" | "reactions">;

/** The running requests by their paths: a reaction and its removal are sent in order. */
const requests = new WeakMap<Chat, Map<string, Promise<unknown>>>();

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
  choose(chat, `${id} ${emoji}`, on);
  const reaction = `/rooms/${encode(room)}/messages/${encode(id)}/reactions/${encode(emoji)}` as const;
  const running = requests.get(chat) ?? new Map<string, Promise<unknown>>();
  requests.set(chat, running);
  const send = () => client.request(on ? "PUT" : "DELETE", reaction);
  const request = Promise.resolve(running.get(reaction)).then(send, send);
  running.set(reaction, request);
  const isLast = () => running.get(reaction) === request;
  try {
    await request;
  } catch (e) {
    if (!isLast()) throw e;
    show(!on);
    readAgain(client, room, id, (m, { reactions = [] }) => reacted({ ...m, reactions }, emoji, !on, false));
    throw e;
  } finally {
    if (isLast()) running.delete(reaction);
  }
}
