// The keys of the log: arrows move between messages, Enter opens the actions of a message, Escape
// comes out of it and then back to the composer.

/** Handles a key in the log. */
export function logKey(log: HTMLElement, e: KeyboardEvent, leave: () => void): void {
  const target = e.target as HTMLElement;
  const item = target.closest("article");
  if (!item || e.ctrlKey || e.metaKey || e.altKey || target.matches("textarea")) return;
  const handled = target === item ? itemKey(log, item, e.key, leave) : partKey(log, item, e);
  if (handled) e.preventDefault();
}

function itemKey(log: HTMLElement, item: HTMLElement, key: string, leave: () => void): boolean {
  if (key === "Escape") {
    leave();
    return true;
  }
  if (key === "Enter") {
    const more = item.querySelector<HTMLElement>(".tools [aria-label=More]");
    if (more) more.click();
    else item.querySelector<HTMLElement>("button, a")?.focus();
    return true;
  }
  if (key === "ArrowRight" || key === "ArrowLeft") {
    partsOf(item).at(key === "ArrowRight" ? 0 : -1)?.focus();
    return true;
  }
  // A text that is typed at a message is a new one. The space scrolls.
  if (key.length === 1 && key !== " ") leave();
  const all = [...log.querySelectorAll<HTMLElement>("article")];
  const at = all.indexOf(item);
  const to = {
    ArrowUp: Math.max(0, at - 1), ArrowDown: Math.min(all.length - 1, at + 1), Home: 0, End: all.length - 1,
  }[key];
  if (to === undefined) return false;
  focusItem(log, all[to]);
  return true;
}

/** Keys on a link, a button or an option of a message. */
function partKey(log: HTMLElement, item: HTMLElement, e: KeyboardEvent): boolean {
  if (e.key === "Escape") {
    focusItem(log, item);
    return true;
  }
  if (document.activeElement?.matches("pre, audio, video")) return false; // the arrows scroll or wind it
  const parts = partsOf(item);
  const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
  if (step === undefined) return false;
  const at = parts.indexOf(e.target as HTMLElement);
  parts.at((at + step) % parts.length)?.focus();
  return true;
}

/**
 * Returns the links, buttons, options and players of a message. The first is its sender, unless the
 * message continues another.
 */
const partsOf = (item: HTMLElement): HTMLElement[] =>
  [...item.querySelectorAll<HTMLElement>(":is(button, input):enabled, a, [role=button], audio, video")];
// The log is one stop of the Tab key: one message. The label of its day is another, for the menu of
// dates. The arrows move between messages.

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
