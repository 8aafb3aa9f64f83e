import type { Message } from "@parley/client";
import { react } from "@parley/client/more";
import { chat, toastError } from "../state/store.js";

/** Reacts to a message, or takes that back. It shows at once, and is undone if the server refuses it. */
export function toggle(message: Message, emoji: string, on: boolean): void {
  if (chat.value) react(chat.value, message, emoji, on).catch(toastError);
}
