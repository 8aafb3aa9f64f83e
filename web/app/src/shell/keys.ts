// The keys that work everywhere: they open dialogs, and move between the rooms as the list shows them.
import { enter } from "../rooms/enter.js";
import type { Page } from "../state/page.js";
import { parse } from "../state/route.js";
import { focusComposer } from "../ui/focus.js";

/** Listens to the keys, until the returned function is called. */
export function followKeys(page: Page): () => void {
  const listener = (e: KeyboardEvent) => {
    if (e.isComposing || !handle(page, e)) return;
    e.preventDefault();
  };
  addEventListener("keydown", listener);
  return () => removeEventListener("keydown", listener);
}

/** What Ctrl+Shift opens with a letter, as in Slack. */
const dialogs = { K: "direct", L: "browse", Y: "status" } as const;
const panels = { F: "search", M: "mentions", S: "saved" } as const;

/** Handles a key, and reports whether it means something. */
function handle(page: Page, e: KeyboardEvent): boolean {
  const { dialog } = page;
  const control = e.ctrlKey || e.metaKey;
  const key = e.key.toUpperCase();
  if (control && key === "K" && !e.shiftKey) {
    dialog.value = "find";
    return true;
  }
  if (document.querySelector("dialog[open]")) return false;
  const typing = (e.target as Element).closest("input, textarea, select, [contenteditable]");
  if ((control && key === "/") || (e.key === "?" && !typing)) {
    dialog.value = "keys";
    return true;
  }
  if (control && e.shiftKey && !e.altKey) {
    if (key in dialogs) dialog.value = dialogs[key as keyof typeof dialogs];
    else if (key in panels) page.panel.value = panels[key as keyof typeof panels];
    else return false;
    return true;
  }
  if (e.target === document.body && !e.ctrlKey && !e.metaKey && !e.altKey) return lostKey(page, e.key);
  const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
  if (!step || !e.altKey || control) return false;
  move(page, step, e.shiftKey);
  return true;
}

/** Handles a key while nothing has the focus, as after a click on the background: a text is a new message. */
function lostKey({ panel }: Page, key: string): boolean {
  if (key === "Escape" && panel.value) {
    panel.value = null;
    return true;
  }
  if (key.length === 1 && key !== " ") focusComposer();
  return false;
}

/** Goes to the next room below or above, or to the next one with something to read. After the last comes the first. */
function move(page: Page, step: number, unread: boolean): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>(".rooms a.room")];
  const at = links.findIndex(link => link.ariaCurrent);
  const start = at < 0 && step < 0 ? links.length : at;
  const others = links.map((_, i) => links[(start + step * (i + 1) + 2 * links.length) % links.length]!);
  const next = others.find(link => !link.ariaCurrent && (!unread || link.classList.contains("unread")));
  if (!next) return unread ? page.toast("There are no unread messages.") : undefined;
  enter(page, parse(next.hash).room);
  next.scrollIntoView({ block: "nearest" });
}
