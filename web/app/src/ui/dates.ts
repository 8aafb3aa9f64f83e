// Times as people read them, in the browser's language and zone.
import { dayOf } from "../timeline/rows.js";

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const near = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long" });
const far = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "medium" });

/** Returns the time of day. */
export const clockTime = (at: string): string => clock.format(new Date(at));

/** Returns the day and the time, for a title. */
export const fullTime = (at: string): string => whole.format(new Date(at));

/** Returns the name of a day (YYYY-MM-DD) as seen from now. */
export function dayName(key: string, now: Date): string {
  if (key === dayOf(now.getTime())) return "Today";
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (key === dayOf(yesterday.getTime())) return "Yesterday";
  const [year = 0, month = 1, day = 1] = key.split("-").map(Number);
  return (year === now.getFullYear() ? near : far).format(new Date(year, month - 1, day));
}

/** Returns the milliseconds until the next local day begins. */
export const untilTomorrow = (now: Date): number =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).getTime() - now.getTime();
