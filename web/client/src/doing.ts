// What people do with messages: each function shows it, and resolves when the server has it.
import { applied } from "./applied.js";
import type { Client } from "./client.js";
import { deliveryOf } from "./deliver.js";
import { ending } from "./settle.js";
import { alter, viewsOf } from "./shown.js";
import { compare } from "./timeline.js";
import type { Act, Chat, Marking, Message, PersonalEvent, Reacting, Read, StoredMessage, Unsent } from "./types.js";

/** Does something in place of an earlier act with the same id. Who waits for that one waits for this one. */
function add(chat: Client, act: Act): Promise<Act> {
  if (chat.user) deliveryOf(chat); // it shows the act
  const ended = ending(chat, act);
  chat.acts.put(act.id, act);
  return ended;
}

/** Returns a message as the server has it, as far as it is loaded. */
function loaded(chat: Client, room: string, id: string): StoredMessage | undefined {
  return viewsOf(chat, room).map(v => v?.base(id)).find(m => m);
}

/** Returns a message that is not sent, and that the server cannot have. */
function unsent(chat: Client, id: string): Unsent | undefined {
  const m = chat.acts.find(id);
  return m?.kind === "message" && (m.error || !m.tried) ? m : undefined;
}

/** Replaces the text of a message. */
export async function edit(chat: Client, room: string, of: string, text: string): Promise<Act> {
  const waiting = unsent(chat, of);
  if (waiting) {
    const changed = { ...waiting, text, error: undefined, at: chat.acts.now() };
    chat.acts.put(of, changed);
    return changed;
  }
  const id = `edit ${of}`;
  const before = chat.acts.find(id);
  const earlier = before?.kind === "edit" && !before.error ? before : undefined;
  return add(chat, {
    kind: "edit", id, room, of, text, at: chat.acts.now(),
    revision: earlier ? earlier.revision : loaded(chat, room, of)?.revision,
    former: earlier?.tried ? earlier.text : earlier?.former,
  });
}

/** Deletes a message, after some milliseconds in which its deletion can be discarded. */
export async function remove(chat: Client, room: string, of: string, after = 0): Promise<Act> {
  const waiting = unsent(chat, of);
  if (waiting) {
    chat.room(room).discard(of);
    return waiting;
  }
  const at = chat.acts.now();
  return add(chat, { kind: "deletion", id: `deletion ${of}`, room, of, at, due: at + after });
}

/** Turns something on or off. Both together, before either was sent, are nothing. */
async function toggle(chat: Client, act: Reacting | Marking): Promise<Act> {
  const before = chat.acts.find(act.id) as typeof act | undefined;
  if (!before || before.tried || before.on === act.on) return add(chat, act);
  chat.acts.put(act.id);
  return act;
}

/** Reacts to a message with an emoji, or removes the reaction. */
export async function react(
  chat: Chat, { room, id: of, reactions }: Pick<Message, "room" | "id" | "reactions">, emoji: string, on: boolean,
): Promise<Act> {
  const client = chat as Client;
  const id = `reaction ${of} ${emoji}`;
  const act: Act = { kind: "reaction", id, room, of, emoji, on, at: client.acts.now() };
  const known = loaded(client, room, of)?.reactions ?? reactions;
  const same = !!known?.some(r => r.emoji === emoji && r.me) === on;
  return same && !client.acts.find(id) ? act : toggle(client, act);
}

const mark = (kind: Marking["kind"]) =>
  (chat: Chat, { room, id: of }: Pick<Message, "room" | "id">, on: boolean): Promise<Act> => {
    const client = chat as Client;
    return toggle(client, { kind, id: `${kind} ${of}`, room, of, on, at: client.acts.now() });
  };

/** Pins a message, or takes its pin away. */
export const pin = mark("pin");
/** Saves a message for the person, or no longer. */
export const save = mark("save");
/** Follows the thread of a message, or no longer. */
export const follow = mark("follow");

/** Marks a room or a thread as read, up to the newest place that waits to be marked. */
export async function markRead(
  chat: Client, room: string, place: Pick<Read, "thread" | "message" | "seq">,
): Promise<Act> {
  const { acts } = chat;
  const id = `read ${place.thread ?? room}`;
  const before = acts.find(id);
  const isLater = (a: string | undefined, b: string) => {
    const [then, now] = [loaded(chat, room, a ?? ""), loaded(chat, room, b)];
    return !!then && !!now && compare(then, now) > 0;
  };
  const further = before?.kind === "read" && place.message && isLater(before.message, place.message) ? before : place;
  const { thread, message, seq } = further;
  return add(chat, { kind: "read", id, room, thread, message, seq, at: acts.now() });
}

/** Votes for options of a message's poll, in place of an earlier vote. Without options it removes the vote. */
export async function vote(
  chat: Chat, { room, id: of, poll }: Pick<Message, "room" | "id" | "poll">, positions: readonly number[],
): Promise<Act> {
  const client = chat as Client;
  const id = `vote ${of}`;
  const earlier = client.acts.find(id);
  const stored = (loaded(client, room, of)?.poll ?? poll)?.options.flatMap(({ me }, i) => (me ? [i] : [])) ?? [];
  return add(client, {
    kind: "vote", id, room, of, choices: [...positions].sort(), at: client.acts.now(),
    before: earlier?.kind === "vote" ? earlier.before : stored,
  });
}

/** Sends a failed act again, with the files that failed, or with only the one whose id is given. */
export function retry({ acts }: Client, id: string, file?: string): void {
  const act = acts.find(id);
  if (!act) return;
  const again = { ...act, error: undefined, at: acts.now() };
  acts.put(id, again.kind === "edit"
    ? { ...again, revision: again.elsewhere ?? again.revision, elsewhere: undefined }
    : again.kind === "message"
      ? { ...again, files: again.files?.map(f => (file && f.id !== file ? f : { ...f, error: undefined })) }
      : again);
}

/** Shows a reaction or a vote of the caller, which another device may have sent. */
export function chosen(
  client: Client, { room = "", id: of = "", emoji = "", me: on = false, choices }: PersonalEvent,
): void {
  const act = choices
    ? { kind: "vote", id: `vote ${of}`, room, of, choices, before: [], at: 0 } as const
    : { kind: "reaction", id: `reaction ${of} ${emoji}`, room, of, emoji, on, at: 0 } as const;
  if (!client.acts.delivery?.heard(act)) alter(client, room, of, m => applied(m, act, false));
}
