// The loaded part of a room's messages: a list without holes, oldest first. All functions are pure.
import type { Reaction, StoredMessage } from "./types.js";

export interface Span {
  readonly messages: readonly StoredMessage[];
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
}

export const EMPTY: Span = { messages: [], hasOlder: false, hasNewer: false };

/** Orders messages as the server does: by the time of receipt, the sender and the UUID. */
export function compare(a: StoredMessage, b: StoredMessage): number {
  return order(a.receivedAt, b.receivedAt) || order(a.user, b.user) || order(a.id, b.id);
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A reaction, or an option of a poll. */
interface Choice {
  readonly emoji?: string;
  readonly text?: string;
  readonly me?: boolean;
}

/** Returns the choices of a change, which does not tell the caller's, with those from before. */
const own = <T extends Choice>(choices: readonly T[], before?: readonly Choice[]): T[] =>
  choices.map(c => (before?.some(b => b.me && b.emoji === c.emoji && b.text === c.text) ? { ...c, me: true } : c));

/** Returns a message of a change, which does not tell what the caller chose, and maybe not what is quoted. */
function kept(m: StoredMessage, { reactions, poll, quote }: StoredMessage): StoredMessage {
  return {
    ...m,
    ...(m.reactions && { reactions: own(m.reactions, reactions) }),
    ...(m.poll && { poll: { ...m.poll, options: own(m.poll.options, poll?.options) } }),
    ...(m.quote && { quote: { ...quote, ...m.quote } }),
  };
}

/** Puts a message of a room in its place, as place does. One that is only in a thread changes nothing. */
export const put = (span: Span, m: StoredMessage, change = false): Span => (m.thread && !m.showInRoom ? span : place(span, m, change));

/**
 * Puts a message in its place: one of a page, or one of a change. An older revision than the loaded
 * one changes nothing, and neither does a message that lies beyond the loaded ones.
 */
export function place(span: Span, m: StoredMessage, change = false): Span {
  const { messages, hasOlder, hasNewer } = span;
  // Most messages belong near the end.
  const i = messages.findLastIndex(other => compare(other, m) < 0) + 1;
  const there = messages[i];
  if (there?.id === m.id) {
    return there.revision > m.revision ? span : { ...span, messages: messages.with(i, change ? kept(m, there) : m) };
  }
  if ((i === 0 && hasOlder) || (i === messages.length && hasNewer)) return span;
  return { ...span, messages: messages.toSpliced(i, 0, m) };
}

/** Returns a count after a choice of the caller: as it was, unless the choice is to be counted. */
const sum = (count: number, counted: boolean, after: unknown, before: unknown) =>
  counted ? Math.max(0, count + Number(!!after) - Number(!!before)) : count;

/** Returns a message at which the caller has chosen an emoji, or no longer. */
export function reacted(m: StoredMessage, emoji: string, me: boolean, counted: boolean): StoredMessage {
  const { reactions = [] } = m;
  const there = reactions.some(r => r.emoji === emoji);
  const all: readonly Reaction[] = there || !me ? reactions : [...reactions, { emoji, count: counted ? 0 : 1 }];
  return { ...m, reactions: all.map(r => (r.emoji === emoji ? { ...r, me, count: sum(r.count, counted, me, r.me) } : r)).filter(r => r.count) };
}

/** Returns a message with the caller's vote in its poll. */
export function voted(m: StoredMessage, choices: readonly number[], counted: boolean): StoredMessage {
  const { poll } = m;
  if (!poll) return m;
  const options = poll.options.map(({ me, ...o }, i) => {
    const chosen = choices.includes(i);
    return { ...o, votes: sum(o.votes, counted, chosen, me), ...(chosen && { me: true }) };
  });
  return { ...m, poll: { ...poll, options, voters: sum(poll.voters, counted, choices.length, poll.options.some(o => o.me)) } };
}

/** An end of the loaded messages, and the field that tells whether there is more beyond it. */
export const ENDS = { older: "hasOlder", newer: "hasNewer" } as const;
export type End = keyof typeof ENDS;

/** Adds a page at one end, and whether there is more beyond it. */
export function extend(span: Span, page: readonly StoredMessage[], end: End, more: boolean): Span {
  return { ...page.reduce((all, m) => put(all, m), { ...span, [ENDS[end]]: false } as Span), [ENDS[end]]: more };
}

/** Forgets the messages beyond the newest, or the oldest, keep ones. */
export function trim(span: Span, end: End, keep: number): Span {
  const { messages } = span;
  const beyond = messages.length - keep;
  if (beyond <= 0) return span;
  return { ...span, messages: end === "older" ? messages.slice(beyond) : messages.slice(0, keep), [ENDS[end]]: true };
}

/** Returns the id of the message with which so many of others begin that end with the message last. */
export function firstUnread(messages: readonly StoredMessage[], last: string | undefined, unread: number, user: string): string | undefined {
  const end = messages.findIndex(m => m.id === last) + 1;
  return messages.slice(0, end).findLast(m => m.user !== user && !m.deletedAt && !m.blocked && --unread === 0)?.id;
}
