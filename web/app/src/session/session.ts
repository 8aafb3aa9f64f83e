// Who is signed in to this window.
import { cell } from "../state/cell.js";
import { blocked, card, chat, list, panel, toasted } from "../state/store.js";
import type { Config } from "./config.js";
import { store } from "./tokens.js";

/** `unreachable` means that the page's configuration could not be loaded. */
export type Phase = "starting" | "sign-in" | "in" | "signed-out" | "suspended" | "unreachable";
export const phase = cell<Phase>("starting");

/** Why the last sign-in failed; empty if it did not. */
export const refusal = cell("");

export const config = cell<Config | null>(null);

/** Forgets the person of this window. */
export function end(to: Phase): void {
  store(null);
  const c = chat.value;
  chat.value = null;
  c?.close();
  panel.value = null;
  card.value = null;
  toasted.value = "";
  blocked.value = new Set();
  list.value = { rooms: [], unread: 0, loaded: false };
  phase.value = to;
}
