// What is offered above the composer. The first paint knows whether it is, and leaves it its place.
import type { Room } from "@parley/client";
import { cell } from "../state/cell.js";
import { config } from "../session/session.js";
import { me, useValue } from "../state/store.js";

/** Where the browser remembers that a second person was offered. */
const offerKey = "parley.offered";
const offering = cell(localStorage.getItem(offerKey) === null);

/** Offers no second person any more. */
export function dismiss(): void {
  localStorage.setItem(offerKey, "1");
  offering.value = false;
}

/** Returns what a room offers: to join it, to open a second person, or nothing. */
export function useBeside(room: Room): "join" | "second" | "answered" | undefined {
  const { info, phase, messages, online } = useValue(room);
  const offered = useValue(offering);
  if (phase !== "ready" || !info) return undefined;
  if (!info.me && info.kind === "room" && !info.archived) return "join";
  if (!offered || config.value?.signIn.kind !== "local") return undefined;
  const others = messages.some(m => m.user !== me.value) || online.some(user => user !== me.value);
  return others ? "answered" : "second";
}
