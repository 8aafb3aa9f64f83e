// The time where a person is.
import { timeInZone } from "../ui/dates.js";

/** Returns the day of the week and the time of day in a time zone; empty for an unknown one. */
export function timeIn(zone: unknown, now: number): string {
  if (typeof zone !== "string" || !zone) return "";
  try {
    return timeInZone(zone, now);
  } catch {
    return ""; // metadata may hold anything
  }
}

/** Returns the name of a time zone as people say it: "New York" for America/New_York. */
export const placeOfZone = (zone: string): string => zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");
