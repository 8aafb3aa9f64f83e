// The loaded part of a room's messages: a list without gaps, oldest first. All functions are pure.
import type { Reaction, StoredMessage } from "./types.js";

/** The loaded messages, and whether older and newer ones exist. */
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

/** Returns a negative number if a is before b, and a positive one if it is after b. */
export function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A reaction, or an option of a poll. */
interface Choice {
  readonly emoji?: string;
  readonly text?: string;
  readonly me?: boolean;
}

/** Returns the choices of a change, in which the caller's are marked as before. */
const withOwn = <T extends Choice>(choices: readonly T[], before?: readonly Choice[]): T[] =>
  choices.map(c => (before?.some(b => b.me && b.emoji === c.emoji && b.text === c.text) ? { ...c, me: true } : c));

/** Returns a message of a change with the caller's choices and the quoted text that it lacks. */
function completed(m: StoredMessage, { reactions, poll, quote }: StoredMessage): StoredMessage {
  return {
    ...m,
    ...(m.reactions && { reactions: withOwn(m.reactions, reactions) }),
    ...(m.poll && { poll: { ...m.poll, options: withOwn(m.poll.options, poll?.options) } }),
    ...(m.quote && { quote: { ...quote, ...m.quote } }),
  };
}

/** Is place for the messages of a room. A message that is only in a thread changes nothing but quotes of it. */
export function put(span: Span, m: StoredMessage, change = false): Span {
  const next = m.thread && !m.showInRoom ? span : place(span, m, change);
  return change && next.messages.some(other => other.quote?.id === m.id)
    ? { ...next, messages: next.messages.map(other => requoted(other, m)) }
    : next;
}

/** The characters of a quoted text. */
const QUOTED = 200;

/** Returns a message with the current text of the one that it quotes. */
function requoted(m: StoredMessage, { id, text }: StoredMessage): StoredMessage {
  return m.quote?.id === id ? { ...m, quote: { ...m.quote, text: [...text].slice(0, QUOTED).join("") } } : m;
}

/**
 * Puts a message of a page, or of a change, in its place. An older revision than the loaded one
 * changes nothing. Neither does a message beyond the loaded ones.
 */
export function place(span: Span, m: StoredMessage, change = false): Span {
  const { messages, hasOlder, hasNewer } = span;
  // Most messages belong near the end.
  const i = messages.findLastIndex(other => compare(other, m) < 0) + 1;
  const there = messages[i];
  if (there?.id === m.id) {
    return there.revision > m.revision
      ? span
      : { ...span, messages: messages.with(i, change ? completed(m, there) : m) };
  }
  if ((i === 0 && hasOlder) || (i === messages.length && hasNewer)) return span;
  return { ...span, messages: messages.toSpliced(i, 0, m) };
}

/** Returns a count after a choice of the caller. Counted says that it lacks the choice. */
const sum = (count: number, counted: boolean, after: unknown, before: unknown) =>
  counted ? Math.max(0, count + Number(!!after) - Number(!!before)) : count;

/** Returns a message with the caller's reaction, or without it. */
export function reacted(m: StoredMessage, emoji: string, me: boolean, counted: boolean): StoredMessage {
  const { reactions = [] } = m;
  const there = reactions.some(r => r.emoji === emoji);
  const all: readonly Reaction[] = there || !me ? reactions : [...reactions, { emoji, count: counted ? 0 : 1 }];
  return {
    ...m,
    reactions: all.map(r => (r.emoji === emoji ? { ...r, me, count: sum(r.count, counted, me, r.me) } : r))
      .filter(r => r.count),
  };
}

/** Returns a message with the caller's vote in its poll. */
export function voted(m: StoredMessage, choices: readonly number[], counted: boolean): StoredMessage {
  const { poll } = m;
  if (!poll) return m;
  const options = poll.options.map(({ me, ...o }, i) => {
    const chosen = choices.includes(i);
    return { ...o, votes: sum(o.votes, counted, chosen, me), ...(chosen && { me: true }) };
  });
  return {
    ...m,
    poll: { ...poll, options, voters: sum(poll.voters, counted, choices.length, poll.options.some(o => o.me)) },
  };
}

/** The ends of the loaded messages, with the fields that say whether more messages exist. */
export const ENDS = { older: "hasOlder", newer: "hasNewer" } as const;
export type End = keyof typeof ENDS;

/** Adds a page at one end. More says whether more messages exist beyond the page. */
export function extend(span: Span, page: readonly StoredMessage[], end: End, more: boolean): Span {
  return { ...page.reduce((all, m) => put(all, m), { ...span, [ENDS[end]]: false } as Span), [ENDS[end]]: more };
}

/** Drops messages at one end, and keeps as many as keep says. */
export function trim(span: Span, end: End, keep: number): Span {
  const { messages } = span;
  const beyond = messages.length - keep;
  if (beyond <= 0) return span;
  return { ...span, messages: end === "older" ? messages.slice(beyond) : messages.slice(0, keep), [ENDS[end]]: true };
}

/** Returns the id of the first of so many unread messages up to last, if it is loaded. */
export function firstUnread(
  messages: readonly StoredMessage[], last: string | undefined, unread: number, user: string,
): string | undefined {
  const end = messages.findIndex(m => m.id === last) + 1;
  return messages.slice(0, end)
    .findLast(m => m.user !== user && !(m.kind || m.deletedAt || m.blocked) && --unread === 0)?.id;
}
