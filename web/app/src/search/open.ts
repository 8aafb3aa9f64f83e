// Shows a message that was found in its place.
import type { Message } from "@parley/client";
import { openThread } from "../inbox/card.js";
import type { Page } from "../state/page.js";
import { covering } from "../ui/covering.js";

/** Opens the room of a message at it, or its thread, if the room does not list it. */
export function openMessage(
  page: Page, { room, id, thread, showInRoom }: Pick<Message, "room" | "id" | "thread" | "showInRoom">,
): void {
  const { panel, reader, route } = page;
  if (covering.matches) panel.value = null;
  if (thread && !showInRoom) openThread(page, room, thread, id);
  // If the address does not change, the reader shows the message.
  else if (route.value.room === room && route.value.message === id) reader.value?.show(id);
  else route.go(room, id);
}
