const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const weekday = new Intl.DateTimeFormat(undefined, { weekday: "short" });
const dayOfYear = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const whole = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });
const dayTime = 86_400_000;

/** Returns the start of a day, daysAgo days before now. */
const midnight = (now: Date, daysAgo: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).getTime();

/** Returns a time as briefly as it is clear: 14:32, Fri, 3 Mar, or 3 Mar 2024. */
export function briefTime(time: string, now = new Date()): string {
  const t = new Date(time);
  if (t.getTime() >= midnight(now, 0)) return t.getTime() - now.getTime() > dayTime ? whole.format(t) : clock.format(t);
  if (t.getTime() >= midnight(now, 6)) return weekday.format(t);
  return t.getFullYear() === now.getFullYear() ? dayOfYear.format(t) : whole.format(t);
}
