// The keys that work everywhere: they open dialogs, and move between the rooms as the list shows them.
import type { Page } from "../state/page.js";
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

/** The actions of Ctrl+Shift and a letter, as in Slack. */
const dialogs = { K: "direct", L: "browse", Y: "status" } as const;
const panels = { F: "search", M: "activity", S: "saved" } as const;

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
  if (e.key === "Escape" && !control && !e.altKey) return escape(page, e);
  if (e.target === document.body && !control && !e.altKey) return lostKey(e.key);
  const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
  if (!e.altKey || control || !(step || (e.shiftKey && e.code === "KeyM"))) return false;
  void import("./moves.js")
    .then(m => (step ? m.move(page, step, e.shiftKey) : m.toOldestMention(page)))
    .catch(page.toastError);
  return true;
}

/**
 * Handles Escape where nothing else does: while nothing has the focus it closes the panel, and there or in the
 * room's composer it marks the room as read. With Shift it asks whether to mark everything as read.
 */
function escape(page: Page, e: KeyboardEvent): boolean {
  const { dialog, panel } = page;
  const target = e.target as Element;
  const lost = target === document.body;
  if (e.defaultPrevented) return false;
  if (e.shiftKey) dialog.value = "read";
  else if (lost && panel.value) panel.value = null;
  else if (lost || target.matches(".room-pane .composer textarea")) {
    void import("../rooms/reading.js").then(m => m.markHere(page)).catch(page.toastError);
  } else {
    return false;
  }
  return true;
}

/** Handles a key while nothing has the focus, as after a click on the background: a text is a new message. */
function lostKey(key: string): boolean {
  if (key.length === 1 && key !== " ") focusComposer();
  return false;
}
