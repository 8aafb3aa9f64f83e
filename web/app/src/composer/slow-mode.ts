import type { Room, RoomInfo } from "@parley/client";
import { useEffect, useState } from "preact/hooks";
import { accessOf } from "../access/access.js";
import { useValue } from "../state/cell.js";
import { usePage } from "../state/page.js";

/** Returns the milliseconds until the caller may write again in slow mode. */
function slowFor(info: RoomInfo | undefined, lastSent: number, now: number): number {
  if (!info || accessOf(info).moderates) return 0;
  return Math.max(0, lastSent + info.slowModeSeconds * 1000 - now);
}

/** Returns the seconds until the person may write again in slow mode. */
export function useSlow(room: Room): number {
  const page = usePage();
  const { info, messages } = useValue(room);
  const [, tick] = useState(0);
  const now = page.now();
  const last = info?.slowModeSeconds
    ? messages.findLast(m => m.user === page.me.value && !m.system && m.status !== "failed")
    : undefined;
  const ms = last ? slowFor(info, Date.parse(last.receivedAt), now) : 0;
  useEffect(() => {
    if (ms <= 0) return;
    const timer = setTimeout(() => tick(n => n + 1), ms % 1000 || 1000);
    return () => clearTimeout(timer);
  });
  return Math.ceil(ms / 1000);
}
