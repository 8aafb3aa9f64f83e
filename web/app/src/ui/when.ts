import { clockTime } from "./dates.js";

const near = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const far = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });

/** Returns a time of the past or the future as seen from now: 14:32 today, or its day and 14:32. */
export function when(at: string, now: Date): string {
  const t = new Date(at);
  if (t.toDateString() === now.toDateString()) return clockTime(at);
  return `${(t.getFullYear() === now.getFullYear() ? near : far).format(t)}, ${clockTime(at)}`;
}
