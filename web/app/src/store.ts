// What the parts of the app share: the connection, who the person is, and what the page shows.
import type { Chat, Observable, People, Room } from "@parley/client";
import { computed, signal } from "@preact/signals";
import { useLayoutEffect, useState } from "preact/hooks";
import { route } from "./route.js";

export { go, href, route } from "./route.js";

/** The connection; null while nobody is signed in. */
export const chat = signal<Chat | null>(null);

/** The user id of the person; empty until it is known. */
export const me = signal("");

/** The user ids that the person has blocked. */
export const blocked = signal<ReadonlySet<string>>(new Set());

/** The panel beside the timeline; null if there is none. */
export type PanelKind = "people" | "settings" | "documents" | "places" | `history:${string}` | `report:${string}`;
export const panel = signal<PanelKind | null>(null);

/** The room of the route. The app opens it around the message of the route, and closes it. */
export const current = computed<Room | null>(() => {
  const { room } = route.value;
  return chat.value && room ? chat.value.room(room) : null;
});

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
export const toasted = signal("");
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

/** Returns the name of a person, or the user id of somebody without a profile. */
export function nameOf(people: People, user: string): string {
  return people[user]?.name ?? chat.value?.rooms.people[user]?.name ?? user;
}

/** Returns the hue of a person's face, in degrees. It depends on the user id alone. */
export function hue(user: string): number {
  let hash = 0;
  for (const c of user) hash = (hash * 31 + c.charCodeAt(0)) >>> 0;
  return (hash * 137) % 360; // 137 degrees, the golden angle, keep similar ids apart
}
