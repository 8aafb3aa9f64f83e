import type { Message } from "@parley/client";
import type { Page } from "../state/page.js";

/** Adds or removes a reaction. The change shows immediately, and is undone if the server refuses it. */
export function toggle({ chat, toastError }: Page, message: Message, emoji: string, on: boolean): void {
  const { value } = chat;
  if (value) import("@parley/client/more").then(({ react }) => react(value, message, emoji, on)).catch(toastError);
}
