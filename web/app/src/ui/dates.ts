// Times as people read them, in their zone. Dates are in English, as all the page is: with the day first, unless the
// browser has an English of its own. The clock has 12 or 24 hours as the browser's, or as the person chose.
const browser = globalThis.navigator?.language ?? "en";
const language = browser.startsWith("en") ? browser : "en-GB";
const thisYear = new Intl.DateTimeFormat(language, { weekday: "long", day: "numeric", month: "long" });
const otherYear = new Intl.DateTimeFormat(language, {
  weekday: "long", day: "numeric", month: "long", year: "numeric",
});
const weekday = new Intl.DateTimeFormat(language, { weekday: "short" });
const date = new Intl.DateTimeFormat(language, { day: "numeric", month: "short" });
const dateAndYear = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", year: "numeric" });
const month = new Intl.DateTimeFormat(language, { month: "short", year: "numeric" });
const twelve = new Intl.DateTimeFormat(browser, { hour: "numeric" }).resolvedOptions().hour12 ?? false;

/** Reports whether the clock has 12 hours. The setting is applied by appearance.ts. */
function hasTwelve(): boolean {
  const chosen = globalThis.document?.documentElement.dataset.clock;
  return chosen ? chosen === "12" : twelve;
}

/** Returns a format with the time of day. */
const withTime = (options: Intl.DateTimeFormatOptions, has12: boolean) =>
  new Intl.DateTimeFormat(language, {
    ...options, hour: has12 ? "numeric" : "2-digit", minute: "2-digit", hourCycle: has12 ? "h12" : "h23",
  });
const [clock24, clock12] = [withTime({}, false), withTime({}, true)];

/** Returns the time of day. */
export const clockTime = (at: string): string => (hasTwelve() ? clock12 : clock24).format(new Date(at));

/** Returns a time of day without AM and PM, for a narrow column. */
export const withoutHalf = (time: string): string => time.replace(/\s[AP]M$/i, "");

/** Returns the day and the time, for a title. */
export const fullTime = (at: string): string =>
  withTime({ weekday: "long", day: "numeric", month: "long", year: "numeric", second: "2-digit" }, hasTwelve())
    .format(new Date(at));

/** Returns the day of the week and the time of day in a time zone. It throws a RangeError for an unknown zone. */
export const timeInZone = (timeZone: string, now: number): string =>
  withTime({ weekday: "short", timeZone }, hasTwelve()).format(now);

/** Returns a day with its year. */
export const wholeDay = (at: string): string => dateAndYear.format(new Date(at));

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
export const midnight = (now: Date, daysAgo: number) =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).getTime();

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
