// The log is one stop of the Tab key: one message. The label of its day is another, for the menu of
// dates. The arrows move between messages: see keys.ts.

/** Makes one message the stop of the Tab key, and moves the focus to it. */
export function focusItem(log: HTMLElement, item: HTMLElement | undefined, preventScroll = false): void {
  if (!item) return;
  setStop(log, item);
  item.focus({ preventScroll });
}

function setStop(log: HTMLElement, item: HTMLElement | undefined): void {
  for (const other of log.querySelectorAll<HTMLElement>('article[tabindex="0"]')) {
    if (other !== item) other.tabIndex = -1;
  }
  if (item) item.tabIndex = 0;
  for (const label of log.querySelectorAll<HTMLElement>(".day button")) {
    label.tabIndex = item && label.closest("section")?.contains(item) ? 0 : -1;
  }
}

/** Keeps the stop on a message that is there: the focused one, or else the given or the newest one. */
export function keepStop(log: HTMLElement, given?: HTMLElement | null): void {
  const focused = document.activeElement?.closest("article");
  if (focused && log.contains(focused)) return setStop(log, focused as HTMLElement);
  const all = log.getElementsByTagName("article");
  setStop(log, given ?? all[all.length - 1]);
}
