// The route of the page is in the fragment: `#/`, `#/<room>` and `#/<room>/<message id>`.
import { cell } from "./cell.js";

export interface Route {
  /** The room to show; empty for the list of rooms. */
  readonly room: string;
  /** The message to show in it; empty for the newest ones. */
  readonly message: string;
}

const pattern = /^#\/([^/]*)(?:\/(.*))?$/;

/** Returns the route of a fragment. A fragment that is no route is the list of rooms. */
export function parse(hash: string): Route {
  const [, room = "", message = ""] = pattern.exec(hash) ?? [];
  return { room: decoded(room), message: decoded(message) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

/** Returns the fragment of a room, or of a message in it. Without a room it is the list. */
export function href(room = "", message = ""): string {
  return `#/${encodeURIComponent(room)}${message && `/${encodeURIComponent(message)}`}`;
}

/** The current route. It changes with the address. */
export const route = cell(parse(location.hash));

function follow(): void {
  const next = parse(location.hash);
  if (next.room !== route.value.room || next.message !== route.value.message) route.value = next;
}

addEventListener("hashchange", follow);

/** Whether the history is going back from the entry of a dialog or a panel: see layers.ts. */
export const leaving = cell(false);

/** Goes back from that entry to the one of the page. */
export function leave(): void {
  leaving.value = true;
  history.back();
}

addEventListener("popstate", () => { leaving.value = false; });

/** Shows a room. With replace, going back does not return to the current route. */
export function go(room = "", message = "", replace = false): void {
  if (replace && history.state && !leaving.value) leave();
  if (leaving.value) {
    const stop = leaving.subscribe(() => { stop(); go(room, message, replace); });
    return;
  }
  history[replace || history.state ? "replaceState" : "pushState"](null, "", href(room, message));
  follow();
}
