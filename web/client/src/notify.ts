// Decides of which messages a person is notified, as internal/notify does for the server. It is pure. Tests compare
// both with internal/notify/testdata.
import type { NotificationSettings } from "./types.js";

export type Level = NotificationSettings["level"];
type QuietHours = NonNullable<NotificationSettings["quiet"]>;

/** What a message is to a person. */
export interface Facts {
  /** Whether the room lists it: it is no reply that only its thread has. */
  readonly listed?: boolean;
  /** Whether its room is direct. */
  readonly direct?: boolean;
  /** Whether it is a reply in a thread that the person follows. */
  readonly followed?: boolean;
  /** Whether it mentions the person by name, and whether it mentions everyone in the room. */
  readonly mention?: boolean;
  readonly everyone?: boolean;
}

/** The person, in relation to a message. */
export interface Reader {
  /** Whether nothing of the kind is for them, whatever they have chosen. */
  readonly barred?: boolean;
  /** The level of the room, as it applies now; undefined if the person's applies. */
  readonly room?: Level | undefined;
  readonly person: Level;
  /** Whether the person is not to be disturbed now. */
  readonly quiet?: boolean;
  readonly mentionsAlways?: boolean;
}

/** Reports whether a person is notified of a message. */
export function decide(
  { barred, room, person, quiet, mentionsAlways }: Reader, { listed, direct, followed, mention, everyone }: Facts,
): boolean {
  if (barred || (quiet && !(mentionsAlways && mention))) return false;
  const level = room ?? person;
  if (level === "none") return false;
  if (mention || everyone) return true;
  if (level === "mentions") return false;
  return !!followed || (!!listed && (level === "all" || !!direct));
}

/** Reports whether a time, in milliseconds since 1970, is in the quiet hours. In an unknown zone nothing is quiet. */
export function isQuiet({ zone, from = "", to = "", days = [] }: QuietHours, at: number): boolean {
  let local: string;
  try {
    local = new Intl.DateTimeFormat("sv", { timeZone: zone || "", dateStyle: "short", timeStyle: "short" }).format(at);
  } catch {
    return false;
  }
  const [date = "", time = ""] = local.split(" ");
  const today = new Date(`${date}T00:00Z`).getUTCDay() || 7;
  const yesterday = (today + 5) % 7 + 1;
  if (from < to) return from <= time && time < to && days.includes(today);
  return (from <= time && days.includes(today)) || (time < to && days.includes(yesterday));
}

/** Reports whether settings hold notifications back at a time. */
export const holdBack = ({ pausedUntil = "", quiet }: NotificationSettings, at: number): boolean =>
  at < Date.parse(pausedUntil) || (!!quiet && isQuiet(quiet, at));
