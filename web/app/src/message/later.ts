import type { Page } from "../state/page.js";

/** After a room is shown, its messages are painted first, for so many milliseconds. */
const pause = 500;

/** Loads the code that acts on messages soon, as it could not be loaded offline. Returns a function that cancels that. */
export function loadActions(page: Page): () => void {
  const timer = setTimeout(() => {
    void import("./menu.js").catch(() => undefined); // it is loaded when it is shown
    void import("./deletions.js").then(m => m.followDeletions(page), () => undefined);
  }, pause);
  return () => clearTimeout(timer);
}
