// Times as briefly as they are clear, for the list of rooms.
import { clockTime } from "./dates.js";

const weekday = new Intl.DateTimeFormat(undefined, { weekday: "short" });
const dayOfYear = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const month = new Intl.DateTimeFormat(undefined, { month: "short", year: "numeric" });

/** Returns the start of a day, daysAgo days before now. */
const midnight = (now: Date, daysAgo: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).getTime();

/** Returns a time as briefly as it is clear: 14:32, Fri, 3 Mar, or Mar 2024. */
export function briefTime(time: string, now = new Date()): string {
  const t = new Date(time);
  if (t.getTime() >= midnight(now, 0)) return clockTime(time);
  if (t.getTime() >= midnight(now, 6)) return weekday.format(t);
  return t.getFullYear() === now.getFullYear() ? dayOfYear.format(t) : month.format(t);
}
