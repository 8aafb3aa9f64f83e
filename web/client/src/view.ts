import { timeOf } from "./ids.js";
import { NOBODY } from "./people.js";
import { EMPTY } from "./timeline.js";
import type { Message, RoomView, StoredMessage, Unsent } from "./types.js";

/** The contents of a room that was never opened. */
export const CLOSED: RoomView = {
  ...EMPTY, phase: "closed", typing: [], online: [], onlineCount: 0, people: NOBODY, live: false,
};

/** Returns the unsent messages of a room as it shows them. */
export const unsentMessages = (all: readonly Unsent[], room: string, user: string): Message[] =>
  all.filter(m => m.room === room).map(m => unsentMessage(m, user));

function unsentMessage(
  { id, room, text, metadata, extras, files, error = files?.find(f => f.error)?.error }: Unsent, user: string,
): Message {
  const at = new Date(timeOf(id)).toISOString();
  const { quote, poll, ...rest } = extras ?? {};
  return {
    id, room, user, text, sentAt: at, receivedAt: at, revision: 0, ...(rest as Partial<Message>),
    ...(quote && { quote: { id: quote, user: quote.split("~")[1]! } }),
    ...(poll && { poll: { ...poll, voters: 0, options: poll.options.map(text => ({ text, votes: 0 })) } }),
    ...(metadata && { metadata }),
    ...(files && { files }),
    ...(error ? { status: "failed", error } : { status: "pending" }),
  };
}

/** Returns a message that says whether its sender is blocked; unchanged if that is not known. */
export function withBlocked(m: StoredMessage, blocked = !!m.blocked): StoredMessage {
  return !m.blocked === !blocked ? m : { ...m, blocked };
}
