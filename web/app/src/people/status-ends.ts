// The ends of a status, and the statuses that are set with one press. It is pure.
import type { Choice } from "../ui/forms.js";
import { hush } from "./status.js";

/** The hour at which a working day begins. */
const morning = 9;

/** When a status may end. */
export const ends: readonly Choice[] = [
  { value: "30m", label: "In 30 minutes" }, { value: "1h", label: "In 1 hour" }, { value: "today", label: "Today" },
  { value: "tomorrow", label: `Tomorrow at ${morning}:00` },
  { value: "week", label: "This week" },
  { value: "", label: "Never" },
];

/** Returns the end of a status that begins now, by the local clock; undefined for one without an end. */
export function endOfStatus(choice: string, now: Date): Date | undefined {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  switch (choice) {
    case "30m": return new Date(now.getTime() + 30 * 60_000);
    case "1h": return new Date(now.getTime() + 60 * 60_000);
    case "today": return new Date(year, month, day + 1);
    case "tomorrow": return new Date(year, month, day + 1, morning);
    case "week": return new Date(year, month, day + 7 - (now.getDay() + 6) % 7); // the next Monday
  }
  return undefined;
}

interface Preset { readonly emoji: string; readonly text: string; readonly end: string; readonly words: string }

export const presets: readonly Preset[] = [
  { emoji: "📅", text: "In a meeting", end: "1h", words: "1 hour" },
  { emoji: "🤒", text: "Out sick", end: "today", words: "today" },
  { emoji: "🌴", text: "Vacationing", end: "", words: "no end" },
  { emoji: "🚌", text: "Commuting", end: "30m", words: "30 min" },
  { emoji: hush, text: "Do not disturb", end: "30m", words: "30 min" },
];
