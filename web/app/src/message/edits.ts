// What the person does with a message. It shows immediately, and is kept until the server has it.
import type { Message } from "@parley/client";
import { type Page, toastTime } from "../state/page.js";

/** Adds or removes a reaction. */
export function toggle({ chat, toastError }: Page, message: Message, emoji: string, on: boolean): void {
  const { value } = chat;
  if (!value) return;
  import("@parley/client/more").then(({ react }) => react(value, message, emoji, on)).catch(toastError);
}

/** Shows a message as deleted, and deletes it after the time to undo that. */
export function deleteSoon(page: Page, { room, id }: Message): void {
  page.chat.value?.room(room).remove(id, toastTime).catch(() => undefined);
  page.toast("Message deleted.", () => restore(page, { room, id }));
}

/** Takes a deletion back, if its time has not ended. */
export function restore(page: Page, { room, id }: Pick<Message, "room" | "id">): void {
  const act = page.acts.value.find(a => a.kind === "deletion" && a.of === id);
  if (act?.kind !== "deletion" || Date.now() >= act.due) {
    return page.toast("It is too late: the message was deleted.");
  }
  document.activeElement?.closest("article")?.focus({ preventScroll: true }); // its Undo goes
  page.chat.value?.room(room).discard(act.id);
  page.toast("The message is back.");
}
