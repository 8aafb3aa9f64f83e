import type { Client } from "./client.js";
import { choose } from "./echoes.js";
import { encode } from "./ids.js";
import { alter, readAgain } from "./shown.js";
import { voted } from "./timeline.js";
import type { Chat, Message } from "./types.js";

/** The caller's votes in one poll. */
interface Ballot {
  /** The vote that the server has, while requests run. */
  stored?: readonly number[];
  /** The request of the last vote. */
  last?: Promise<unknown>;
}

const ballots = new WeakMap<Chat, Map<string, Ballot>>();

function ballotOf(chat: Chat, id: string): Ballot {
  const all = ballots.get(chat) ?? new Map<string, Ballot>();
  const ballot = all.get(id) ?? {};
  ballots.set(chat, all.set(id, ballot));
  return ballot;
}

/**
 * Votes for options of a message's poll, in place of an earlier vote. Without options it removes
 * the vote. The change shows immediately, and is undone if the server refuses it (RequestError). The
 * message is then read again: a change that came meanwhile may have had other counts. Votes are sent in order.
 */
export async function vote(
  chat: Chat, message: Pick<Message, "room" | "id" | "poll">, positions: readonly number[],
): Promise<void> {
  const { room, id } = message;
  const client = chat as Client;
  const ballot = ballotOf(chat, id);
  const choices = [...positions].sort();
  let before = message;
  const show = (choices: readonly number[]) => alter(client, room, id, m => voted((before = m), choices, true));
  show(choices);
  ballot.stored ??= (before.poll?.options ?? []).flatMap(({ me }, i) => (me ? [i] : []));
  choose(chat, id, choices);
  const path = `/rooms/${encode(room)}/messages/${encode(id)}/vote` as const;
  const send = () => (choices.length ? client.request("PUT", path, { choices }) : client.request("DELETE", path));
  const request = (ballot.last = Promise.resolve(ballot.last).then(send, send));
  try {
    await request;
    ballot.stored = choices;
  } catch (e) {
    if (ballot.last !== request) throw e;
    show(ballot.stored);
    readAgain(client, room, id, (m, { poll }) => (ballot.last === request && poll ? { ...m, poll } : m));
    throw e;
  } finally {
    if (ballot.last === request) delete ballot.stored;
  }
}
