import type { ChatClient } from "./chat.js";
import { encode } from "./ids.js";
import { threadsOf } from "./thread.js";
import type { Chat, Message } from "./types.js";

/** Reacts to a message with an emoji, or takes that back. It shows at once, and no more if it is refused: RequestError. */
export async function react(chat: Chat, { room, id, reactions }: Pick<Message, "room" | "id" | "reactions">, emoji: string, on: boolean): Promise<void> {
  const { opened, request } = chat as ChatClient;
  const shown = () => [opened.get(room), ...threadsOf(chat, room)];
  const show = (me: boolean) => { for (const s of shown()) s?.react(id, emoji, me, me ? 1 : -1); };
  const current = shown().flatMap(s => (s ? [...s.value.messages, ...("first" in s.value ? [s.value.first as Message] : [])] : [])).find(m => m.id === id);
  if ((current ?? { reactions }).reactions?.some(r => r.emoji === emoji && r.me) === on) return;
  show(on);
  try {
    await request(on ? "PUT" : "DELETE", `/rooms/${encode(room)}/messages/${encode(id)}/reactions/${encode(emoji)}`);
  } catch (e) {
    show(!on);
    throw e;
  }
}
