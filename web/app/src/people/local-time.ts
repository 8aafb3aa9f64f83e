// The time where a person is. It is pure.

/** Returns the day of the week and the time of day in a time zone; empty for an unknown one. */
export function timeIn(zone: unknown, now: number, locale?: string): string {
  if (typeof zone !== "string" || !zone) return "";
  try {
    return new Intl.DateTimeFormat(locale, { weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: zone }).format(now);
  } catch {
    return ""; // metadata may hold anything
  }
}

/** Returns the name of a time zone as people say it: "New York" for America/New_York. */
export const placeOfZone = (zone: string): string => zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");
