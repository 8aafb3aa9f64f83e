import type { RoomInfo } from "@parley/client";
import { accessOf } from "../access/access.js";

/** Returns the milliseconds until the caller may write again in slow mode. */
export function slowFor(info: RoomInfo | undefined, lastSent: number, now: number): number {
  if (!info || accessOf(info).moderates) return 0;
  return Math.max(0, lastSent + info.slowModeSeconds * 1000 - now);
}
