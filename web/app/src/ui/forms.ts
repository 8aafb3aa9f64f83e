// The pure parts of the forms: the values of fields, and the field of each problem.
import type { Problem } from "../api/types.js";

/** The messages of a refused request: by field, and one for the form as a whole. */
export interface Faults {
  readonly fields: Readonly<Record<string, string>>;
  readonly form: string;
}

/** Returns the faults of a problem for a form with these fields. place[1] belongs to place. */
export function faultsOf(problem: Problem | undefined, message: string, names: readonly string[]): Faults {
  const fields: Record<string, string> = {};
  let elsewhere = !problem?.errors?.length;
  for (const e of problem?.errors ?? []) {
    const name = e.location.replace(/[.[].*$/, "");
    if (names.includes(name)) fields[name] ??= sentence(e.message);
    else elsewhere = true;
  }
  return { fields, form: elsewhere ? sentence(message) : "" };
}

/** Returns a rule such as "must be in the future" as a sentence. */
export function sentence(text: string): string {
  const line = text.trim();
  if (!line) return "";
  return capital(line) + (/[.!?]$/.test(line) ? "" : ".");
}

/** Returns a text that begins with a capital letter. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns the levels of a place that is written as USA / WA / Seattle. */
export function placeOf(text: string): string[] {
  return text.split("/").map(level => level.trim()).filter(Boolean);
}

export function placeText(place: readonly string[] | undefined): string {
  return (place ?? []).join(" / ");
}

/** The longest part of an id that comes from a title; the server allows 64 in all. */
const maxStem = 40;

/**
 * Returns an id for a document, a part or a room: the title's letters a-z and digits, and a suffix
 * that keeps it from an id in use.
 */
export function slug(title: string, suffix = ""): string {
  const stem = title.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
    .replace(/[^a-z0-9]+/g, "-").slice(0, maxStem).replace(/^-+|-+$/g, "");
  return [stem, suffix].filter(Boolean).join("-");
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

const minute = 60, hour = 60 * minute, day = 24 * hour;

/** How long a mute or a ban lasts, in seconds. 0 has no end. */
export const durations: readonly Choice[] = [
  { value: `${15 * minute}`, label: "15 minutes" }, { value: `${hour}`, label: "1 hour" },
  { value: `${day}`, label: "1 day" }, { value: `${7 * day}`, label: "1 week" },
  { value: `${30 * day}`, label: "30 days" }, { value: "0", label: "Until lifted" },
];

/** How long an invitation admits people, in seconds: at most 30 days. */
export const inviteDurations: readonly Choice[] = [
  { value: `${day}`, label: "1 day" }, { value: `${7 * day}`, label: "7 days" },
  // A minute less, since the server's clock may be behind this one.
  { value: `${30 * day - minute}`, label: "30 days" },
];

const pauses: readonly Choice[] = [
  { value: "0", label: "Off" }, { value: "5", label: "5 seconds" }, { value: "10", label: "10 seconds" },
  { value: "30", label: "30 seconds" }, { value: `${minute}`, label: "1 minute" },
  { value: `${5 * minute}`, label: "5 minutes" }, { value: `${15 * minute}`, label: "15 minutes" },
  { value: `${hour}`, label: "1 hour" },
];

/** Returns the choices of slow mode, with the current one if it is another. */
export function slowModes(current: number): readonly Choice[] {
  if (pauses.some(p => p.value === `${current}`)) return pauses;
  return [...pauses, { value: `${current}`, label: `${current} seconds` }].sort((a, b) => +a.value - +b.value);
}

/** Returns the end of a restriction that begins now, or undefined for one without an end. */
export function endOf(now: number, seconds: string): string | undefined {
  return seconds === "0" ? undefined : new Date(now + Number(seconds) * 1000).toISOString();
}

/** Returns the fields of a form that differ from the current settings. */
export function changed<T extends object>(before: T, after: T): Partial<T> {
  const out: Partial<T> = {};
  for (const key of Object.keys(after) as (keyof T)[]) {
    if (JSON.stringify(before[key]) !== JSON.stringify(after[key])) out[key] = after[key];
  }
  return out;
}
