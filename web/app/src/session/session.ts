import type { Page, Phase } from "../state/page.js";
import { store } from "./tokens.js";

/** Forgets the person of this window. */
export function end(page: Page, to: Phase): void {
  store(null);
  const c = page.chat.value;
  page.chat.value = null;
  c?.close();
  page.panel.value = null;
  page.card.value = null;
  page.toasted.value = "";
  page.blocked.value = new Set();
  page.list.value = { rooms: [], unread: 0, loaded: false };
  page.phase.value = to;
}
