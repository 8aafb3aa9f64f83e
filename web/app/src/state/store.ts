// What the parts of the app share: the connection, who the person is, and what the page shows.
import type { Card, Chat, Observable, Room, RoomEntry, State, Trace } from "@parley/client";
import { useLayoutEffect, useState } from "preact/hooks";
import { cell } from "./cell.js";

export { go, href, route } from "./route.js";

/** The connection; null while nobody is signed in. */
export const chat = cell<Chat | null>(null);

/** The user id of the person; empty until it is known. */
export const me = cell("");

/** The person's own name and picture; null until they are known. */
export const card = cell<Card | null>(null);

/** The person's rooms, those with the newest activity first. */
export const list = cell<{ rooms: readonly RoomEntry[]; unread: number; loaded: boolean }>({ rooms: [], unread: 0, loaded: false });

export const state = cell<State>("connecting");

/** Whether the page shows its requests: `?dev` in the address. */
export const dev = new URLSearchParams(location.search).has("dev");
export const traces = cell<readonly Trace[]>([]);

/** The user ids that the person has blocked. */
export const blocked = cell<ReadonlySet<string>>(new Set());

/** The people of the shown room who are known to be online: none without a connection. */
export const online = cell<ReadonlySet<string>>(new Set());

/** The panel beside the timeline; null if there is none. */
export type PanelKind = "people" | "settings" | "documents" | "pins" | "places" | "mentions" | "threads" | "saved" | `thread:${string}` | `history:${string}` | `votes:${string}` | `report:${string}`;
export const panel = cell<PanelKind | null>(null);

/** The room of the route, which the app has opened around the route's message. */
export const current = cell<Room | null>(null);

/** Returns the value of an observable, and renders the component again after each change. */
export function useValue<T>(o: Observable<T>): T {
  const [, render] = useState({});
  const shown = o.value;
  useLayoutEffect(() => {
    if (o.value !== shown) render({});
    return o.subscribe(() => render({}));
  }, [o]);
  return shown;
}

/** A short text that the page shows for some seconds and tells screen readers. */
export const toasted = cell("");
const toastTime = 6_000; // long enough to read two short sentences
let toastTimer: ReturnType<typeof setTimeout> | undefined;

export function toast(text: string): void {
  clearTimeout(toastTimer);
  toasted.value = text;
  toastTimer = setTimeout(() => (toasted.value = ""), toastTime);
}

/** Tells why something failed, in the server's words if it gave some. */
export function toastError(error: unknown): void {
  toast(error instanceof Error ? error.message : String(error));
}
