// Edits show before the server has confirmed them.
import type { Message, Room } from "@parley/client";
import { type Page, type Pending, wordsOf } from "../state/page.js";

/** Sets the unconfirmed change of a message, or removes it. */
export function setPending({ pending }: Page, id: string, change?: Pending): void {
  const next = new Map(pending.value);
  if (change) next.set(id, change);
  else next.delete(id);
  pending.value = next;
}

/** Shows the new text of a message, and sends it. After a refusal the former text is back, with the reason. */
export async function edit(page: Page, room: Room, id: string, text: string): Promise<void> {
  const change: Pending = { kind: "edit", text, error: "" };
  setPending(page, id, change);
  const end = (next?: Pending) => { if (page.pending.value.get(id) === change) setPending(page, id, next); };
  try {
    await room.edit(id, text);
    end();
  } catch (error) {
    end({ ...change, error: wordsOf(error) });
  }
}

/** Returns a message as it shows with its unconfirmed change. */
export function shownAs(message: Message, change: Pending | undefined): Message {
  if (!change || change.error) return message;
  if (change.kind === "edit") return { ...message, text: change.text };
  const { quote: _, poll: __, reactions: ___, editedAt: ____, attachments: _____, ...rest } = message;
  return { ...rest, text: "", deletedAt: message.receivedAt };
}

/** Adds or removes a reaction. The change shows immediately, and is undone if the server refuses it. */
export function toggle({ chat, toastError }: Page, message: Message, emoji: string, on: boolean): void {
  const { value } = chat;
  if (value) import("@parley/client/more").then(({ react }) => react(value, message, emoji, on)).catch(toastError);
}
