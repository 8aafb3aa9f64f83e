// The route of the page is in the fragment: `#/`, `#/<room>` and `#/<room>/<message id>`.
import type { Observable } from "@parley/client";
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

/** Returns the text of a part of a fragment; empty if it is no text. */
export function decoded(part: string): string {
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

/** The entries of the history, in browsers that show them. */
interface Entries {
  readonly currentEntry?: { readonly index: number } | null;
  entries(): readonly { readonly url?: string | null }[];
}

/** The current route, which changes with the address. */
export class Router implements Observable<Route> {
  readonly #route = cell(parse(location.hash));
  /** Whether the history is going back from the entry of a dialog or a panel: see layers.ts. */
  readonly leaving = cell(false);

  constructor() {
    addEventListener("hashchange", () => this.#follow());
    addEventListener("popstate", () => { this.leaving.value = false; });
  }

  get value(): Route { return this.#route.value; }

  subscribe(fn: () => void): () => void { return this.#route.subscribe(fn); }

  #follow(): void {
    const next = parse(location.hash);
    if (next.room !== this.value.room || next.message !== this.value.message) this.#route.value = next;
  }

  /** Goes back from the entry of a dialog or a panel to the one of the page. */
  leave(): void {
    this.leaving.value = true;
    history.back();
  }

  /** Shows the rooms: by going back, if the current one was opened from them. */
  up(): void {
    const { navigation } = window as Window & { navigation?: Entries };
    const [page, hash] = navigation?.entries()[(navigation.currentEntry?.index ?? 0) - 1]?.url?.split("#", 2) ?? [];
    if (page === location.href.split("#", 1)[0] && !parse(`#${hash ?? ""}`).room) history.back();
    else this.go();
  }

  /** Shows a room. With replace, going back does not return to the current route. */
  go(room = "", message = "", replace = false): void {
    if (replace && history.state && !this.leaving.value) this.leave();
    if (this.leaving.value) {
      const stop = this.leaving.subscribe(() => { stop(); this.go(room, message, replace); });
      return;
    }
    history[replace || history.state ? "replaceState" : "pushState"](null, "", href(room, message));
    this.#follow();
  }
}
