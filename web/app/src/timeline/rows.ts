// Divides messages into days and rows. It is pure: the same messages give the same rows.
import type { Message } from "@parley/client";
import { dayOf } from "../ui/dates.js";

/** A message with its place among the others. */
export interface Row {
  readonly message: Message;
  /** Whether it begins a group, and so shows its author. */
  readonly first: boolean;
  /** Whether the line "New messages" is above it. */
  readonly unread: boolean;
  /** Whether its sender is blocked. */
  readonly blocked: boolean;
}

/** The rows of one local day. */
export interface Day {
  /** The day as YYYY-MM-DD. */
  readonly key: string;
  readonly rows: readonly Row[];
}

export interface RowOptions {
  readonly firstUnread?: string | undefined;
  readonly blocked: ReadonlySet<string>;
}

/** An author's messages with shorter pauses than this are one group. */
export const groupPause = 5 * 60_000;

/** Returns the days of messages, which are oldest first. */
export function daysOf(messages: readonly Message[], { firstUnread, blocked }: RowOptions): readonly Day[] {
  const days: { key: string; rows: Row[] }[] = [];
  let before: Message | undefined;
  for (const message of messages) {
    const key = dayOf(message.receivedAt);
    let day = days[days.length - 1];
    // Clocks of unsent messages may be behind: a day never begins twice.
    if (!day || key > day.key) {
      day = { key, rows: [] };
      days.push(day);
      before = undefined;
    }
    const unread = message.id === firstUnread;
    day.rows.push({
      message, unread, first: unread || !before || !continues(before, message),
      blocked: message.blocked === true || blocked.has(message.user),
    });
    before = message;
  }
  return days;
}

/** Reports whether a message belongs to the group of the one before it. */
function continues(before: Message, m: Message): boolean {
  return !before.system && !m.system && before.user === m.user && before.via === m.via
    && Date.parse(m.receivedAt) - Date.parse(before.receivedAt) < groupPause;
}
