// The rule of each kind of act. docs/web.md has the rules as a table.
import { applied, type Deed } from "./applied.js";
import type { Client } from "./client.js";
import type { RequestError } from "./errors.js";
import { serverTimeOf } from "./http.js";
import { UUID, encode, restamp, timeOf } from "./ids.js";
import { alter, readAgain, threadsOf } from "./shown.js";
import { reacted } from "./timeline.js";
import type { Act, Deletion, Edit, Marking, Reacting, Read, StoredMessage, Unsent, UnsentFile, Vote } from "./types.js";

const DAY = 86_400_000;
const WEEK = 7 * DAY;
const CLOCK = "Not sent, or sent before: the clock of this device is wrong.";
/** An upload waits 47 hours for its message. */
const UPLOAD_LIFE = 47 * 3_600_000;

interface Rule<A extends Act> {
  /** How long after it was done it is sent at most, in milliseconds. */
  readonly life: number;
  /** What is said when it is older. */
  readonly tooOld: string;
  /** Changes the loaded messages before the first try, so that counts that come meanwhile have it. */
  begin?(chat: Client, act: A): void;
  /** Sends it, and returns the message that the server answers with, if it does. A repetition does no harm. */
  send(chat: Client, act: A, signal: AbortSignal): Promise<StoredMessage | undefined>;
  /** Returns what takes the place of a refused act, or that the server has it. Without either, it is over. */
  refused(chat: Client, act: A, e: RequestError): Promise<Act | undefined | "done"> | Act | undefined | "done";
}

const pathOf = ({ room, of }: Deed) => `/rooms/${encode(room)}/messages/${encode(of)}` as const;

const message: Rule<Unsent> = {
  life: DAY, // the server refuses older ids
  tooOld: "Not sent for a day.",
  send: ({ http }, { id, room, text, metadata, extras, files }, signal) => {
    const attached = files?.length && { attachments: files.map(f => f.id) };
    const body = { id, text, ...attached, ...(metadata && { metadata }), ...extras };
    return http.once("POST", `/rooms/${encode(room)}/messages`, body, undefined, signal);
  },
  // This try has stored nothing, but an earlier one may have.
  refused: (chat, m, e) => {
    const { status, problem, message } = e;
    const serverTime = serverTimeOf(e);
    if (status === 404) chat.rooms.reloadSoon(m.room); // nothing else reports that a room was deleted
    const wrong = problem?.errors
      ?.flatMap(({ location }) => /^attachments\[(\d+)/.exec(location)?.[1] ?? [])
      .map(Number);
    if (wrong?.length) return uploadedAgain(chat, m, wrong, message);
    if (!serverTime) return { ...m, error: message };
    if (m.tried || m.renewed) return { ...m, error: CLOCK };
    chat.setTime(serverTime);
    return { ...m, id: restamp(m.id, Date.parse(serverTime)), renewed: true };
  },
};

/**
 * Returns a message with some files that are uploaded again, under new ids: immediately if the
 * uploads have expired, and otherwise when the person retries.
 */
function uploadedAgain(chat: Client, m: Unsent, wrong: readonly number[], error: string): Unsent {
  const again = ({ stored: _, ...f }: UnsentFile): UnsentFile => ({
    ...f,
    id: chat.newId().slice(0, UUID),
    sent: 0,
    ...(timeOf(f.id) + UPLOAD_LIFE > chat.now() && { error }),
  });
  return { ...m, files: m.files!.map((f, i) => (wrong.includes(i) ? again(f) : f)) };
}

const LATE = "Not done for a week.";
const ELSEWHERE = "The message was edited elsewhere since.";

const edit: Rule<Edit> = {
  life: WEEK,
  tooOld: LATE,
  send: ({ http }, act, signal) =>
    http.once(
      "PATCH", pathOf(act), { text: act.text }, act.revision ? { "If-Match": `"${act.revision}"` } : undefined, signal,
    ),
  // An earlier try may have stored the text, and so may an edit that this one replaces.
  refused: async (chat, act, e) => {
    if (e.status !== 412) return { ...act, error: e.message };
    const now = await chat.request("GET", pathOf(act)).catch(() => undefined);
    if (!now) return act;
    alter(chat, act.room, act.of, () => now);
    if (now.text === act.text) return "done";
    if (now.text === act.former) return { ...act, revision: now.revision, former: undefined };
    return { ...act, error: ELSEWHERE, elsewhere: now.revision };
  },
};

const deletion: Rule<Deletion> = {
  life: WEEK,
  tooOld: LATE,
  send: ({ http }, act, signal) => http.once("DELETE", pathOf(act), undefined, undefined, signal),
  refused: (_, act, e) => (e.status === 404 ? "done" : { ...act, error: e.message }),
};

/** Returns the rule of something that is turned on and off. */
const toggled = <A extends Reacting | Marking>(path: (act: A) => string): Rule<A> => ({
  life: WEEK,
  tooOld: LATE,
  send: async ({ http }, act, signal) => {
    const to = path(act) as `/rooms/${string}/messages/${string}/pin`; // of all paths, this one has both methods, too
    if (act.on) await http.once("PUT", to, undefined, undefined, signal);
    else await http.once("DELETE", to, undefined, undefined, signal);
    return undefined;
  },
  refused: () => undefined,
});

const reaction: Rule<Reacting> = {
  ...toggled(act => `${pathOf(act)}/reactions/${encode(act.emoji)}`),
  begin: (chat, act) => alter(chat, act.room, act.of, m => applied(m, act)),
  refused: (chat, act) => {
    const { room, of, emoji, on } = act;
    alter(chat, room, of, m => applied(m, { ...act, on: !on }, true));
    readAgain(chat, room, of, (m, { reactions = [] }) => reacted({ ...m, reactions }, emoji, !on, false));
    return undefined;
  },
};

const pin = toggled<Marking>(act => `${pathOf(act)}/pin`);
const save = toggled<Marking>(({ room, of }) => `/people/me/saved/${encode(room)}/${encode(of)}`);
const follow = toggled<Marking>(act => `${pathOf(act)}/follow`);

// The server's marker never moves back.
const read: Rule<Read> = {
  life: WEEK,
  tooOld: LATE,
  send: async (chat, { room, thread, message, seq }, signal) => {
    const path = `/rooms/${encode(room)}` as const;
    if (thread) {
      const { following } = await chat.http.once(
        "PUT", `${path}/messages/${encode(thread)}/read`, { seq: seq! }, undefined, signal);
      for (const t of threadsOf(chat, room)) if (t.root === thread) t.show({ following });
      return undefined;
    }
    const open = chat.opened.get(room);
    if (message) open?.reading.mark(message);
    const place = message ? { message } : { seq: seq! };
    const { seq: read, unread, mentions } = await chat.http.once("PUT", `${path}/read`, place, undefined, signal);
    chat.rooms.setMarker(room, { read, unread, mentions });
    if (message) open?.marked(read);
    return undefined;
  },
  refused: () => undefined,
};

const vote: Rule<Vote> = {
  life: WEEK,
  tooOld: LATE,
  begin: (chat, act) => alter(chat, act.room, act.of, m => applied(m, act)),
  send: async ({ http }, act, signal) => {
    const { choices } = act;
    const path = `${pathOf(act)}/vote` as const;
    if (choices.length) await http.once("PUT", path, { choices }, undefined, signal);
    else await http.once("DELETE", path, undefined, undefined, signal);
    return undefined;
  },
  refused: (chat, act) => {
    const { room, of, before } = act;
    alter(chat, room, of, m => applied(m, { ...act, choices: before }, true));
    readAgain(chat, room, of, (m, { poll }) => (chat.acts.find(act.id) || !poll ? m : { ...m, poll }));
    return undefined;
  },
};

export const RULES: { readonly [K in Act["kind"]]: Rule<Extract<Act, { kind: K }>> } =
  { message, edit, deletion, reaction, pin, save, follow, vote, read };
