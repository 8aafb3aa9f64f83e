// Times as people read them, in the browser's language and zone.
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const thisYear = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long" });
const otherYear = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
const weekday = new Intl.DateTimeFormat(undefined, { weekday: "short" });
const date = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const dateAndYear = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });
const month = new Intl.DateTimeFormat(undefined, { month: "short", year: "numeric" });
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
  return (year === now.getFullYear() ? thisYear : otherYear).format(new Date(year, month - 1, day));
}

/** Returns the milliseconds until the next local day begins. */
export const untilTomorrow = (now: Date): number =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).getTime() - now.getTime();

/** Returns the local day of a time. */
export function dayOf(at: string | number): string {
  const d = new Date(at);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}`;
}

/** Returns the start of a day, daysAgo days before now. */
export const midnight = (now: Date, daysAgo: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).getTime();

/** Returns a time as briefly as it is clear: 14:32, Fri, 3 Mar, or Mar 2024. */
export function briefTime(time: string, now = new Date()): string {
  const t = new Date(time);
  if (t.getTime() >= midnight(now, 0)) return clockTime(time);
  if (t.getTime() >= midnight(now, 6)) return weekday.format(t);
  return t.getFullYear() === now.getFullYear() ? date.format(t) : month.format(t);
}

/** Returns a time of the past or the future as seen from now: 14:32 today, or its day and 14:32. */
export function when(at: string, now: Date): string {
  const t = new Date(at);
  if (t.toDateString() === now.toDateString()) return clockTime(at);
  return `${(t.getFullYear() === now.getFullYear() ? date : dateAndYear).format(t)}, ${clockTime(at)}`;
}
