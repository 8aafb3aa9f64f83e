// Faults in copies of the client, each of which a test of the suite must find. A fault that no test
// finds, or that has no place in the sources any more, fails.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { bundle } from "./bundle.mjs";

/** The number of mutants that each run tries, the first. An assertion finds each immediately. */
const share = 4;
/** Ends a mutant that hangs. */
const limit = 600_000;

// name: what is broken. file, from, to: how. suite, pattern: the tests that must fail.
const mutants = [
  {
    name: "does not look for gaps", suite: "gaps", pattern: "some are lost",
    file: "follower.ts", from: "else if (!this.#alarm.armed)", to: "else if (wait < 0)",
  },
  {
    name: "orders messages of one millisecond otherwise", suite: "pure", pattern: "orders by the time",
    file: "timeline.ts", from: "order(a.user, b.user)", to: "order(b.user, a.user)",
  },
  {
    name: "ignores Retry-After", suite: "sends", pattern: "by Retry-After",
    file: "http.ts", from: "(e as RequestError).retryAfter * 1000 || ", to: "",
  },
  {
    name: "shows tokens in traces", suite: "tokens", pattern: "are renewed in place",
    file: "link.ts", from: "if (!renews) this.options.trace", to: "this.options.trace",
  },
  {
    name: "does not read what frames leave out", suite: "gaps", pattern: "without a long message",
    file: "feed.ts", from: "if (!c.omitted) this.#held.set(c.seq, c)", to: "this.#held.set(c.seq, c)",
  },
  {
    name: "says no since when it resumes", suite: "gaps", pattern: "of which the last is lost",
    file: "live.ts", from: "(since ? { id, since } : { id })", to: "({ id, ...(since && {}) })",
  },
  {
    name: "does not begin again after a reset", suite: "reset", pattern: "by polling",
    file: "follower.ts", from: "if (page.reset) return void room.reload();", to: "if (page.reset) return;",
  },
  {
    name: "closes a room for all who opened it", suite: "opens", pattern: "a room is followed",
    file: "room.ts", from: "this.#opens && !--this.#opens", to: "this.#opens--",
  },
  {
    name: "moves a marker to where it was to go first", suite: "markers", pattern: "the newest marker wins",
    file: "doing.ts", from: "isLater(before.message, place.message) ? before", to: "!isLater(before.message, place.message) ? before",
  },
  {
    name: "leaves a marker where the feed ended", suite: "markers", pattern: "before it is in the feed",
    file: "room.ts", from: "if (missing)", to: "if (missing === null)",
  },
  {
    name: "tries again with another id", suite: "sends", pattern: "the answer is lost",
    file: "deliver.ts", from: "      if (pause) return;",
    to: "      if (pause && (!statusOf(e) || statusOf(e) >= 500)) this.#rename(act, { ...act, id: chat.newId() }); if (pause) return;",
  },
  {
    name: "takes a new id after a doubtful reply", suite: "clock", pattern: "no new id",
    file: "kinds.ts", from: "if (m.tried || m.renewed)", to: "if (m.renewed)",
  },
  {
    name: "ignores the server's time", suite: "clock", pattern: "an hour ahead",
    file: "chat.ts", from: "return Date.now() + this.#offset;", to: "return Date.now();",
  },
  {
    name: "appends messages without order", suite: "gaps", pattern: "in the server's order",
    file: "timeline.ts", from: "messages.toSpliced(i, 0, m)", to: "[...messages, m]",
  },
  {
    name: "shows what lies beyond the window", suite: "windows", pattern: "goes back",
    file: "timeline.ts", from: " || (i === messages.length && hasNewer)", to: "",
  },
  {
    name: "asks for no other token", suite: "tokens", pattern: "refused once",
    file: "http.ts", from: "if (statusOf(e) !== 401) throw e;", to: "throw e;",
  },
  {
    name: "does not notice that a renewal was refused", suite: "tokens", pattern: "refuses to renew",
    file: "session.ts", from: 'if (request === "renew" && frame.problem) return this.#connect();', to: "",
  },
  {
    name: "lets a reply vanish until the feed has it", suite: "threads", pattern: "through replies",
    file: "shown.ts", from: ", ...threadsOf(chat, room)", to: "",
  },
  {
    name: "does not hear of a thread that another device follows", suite: "threads", pattern: "on all devices",
    file: "thread.ts", from: 'type === "thread.changed"', to: 'type === "never"',
  },
  {
    name: "counts what a muted room has unread", suite: "rooms", pattern: "only mentions count",
    file: "rooms.ts", from: "r.muted ? r.mentions : r.unread", to: "r.unread",
  },
  {
    name: "takes an edit back by a list that is behind", suite: "threads", pattern: "that is behind",
    file: "thread.ts", from: "revision > m.revision", to: "revision < m.revision",
  },
  {
    name: "forgets a vote when others vote", suite: "polls", pattern: "each device",
    file: "timeline.ts", from: "options: withOwn(m.poll.options, poll?.options)", to: "options: m.poll.options",
  },
  {
    name: "misses what a room is loaded with", suite: "threads", pattern: "loaded anew",
    file: "thread.ts", from: "follower !== this.#follower", to: "!follower",
  },
  {
    name: "forgets what waits when the page is closed", suite: "offline", pattern: "sends what waited",
    file: "shelf.ts", from: "await storage?.put(act).then(() => this.#kept.add(act.id), () => {});", to: "void storage;",
  },
  {
    name: "uploads a file again after a reload", suite: "files", pattern: "the page is reloaded",
    file: "uploader.ts", from: "!file.stored && ", to: "",
  },
  {
    name: "holds up a room while files are uploaded", suite: "files", pattern: "texts overtake",
    file: "deliver.ts", from: '?? all.find(a => a.kind !== "deletion" && isReady(a))\n      ?? all.find(isReady)', to: "?? all.slice(0, 1).find(isReady)",
  },
  {
    name: "asks for links again each time", suite: "files", pattern: "requested together",
    file: "kept-links.ts", from: "known.until > this.now() + MARGIN", to: "known.until === Infinity",
  },
  {
    name: "keeps expired links", suite: "profile-pictures", pattern: "kept until they expire",
    file: "kept-links.ts", from: "known.until > this.now() + MARGIN", to: "known.until > 0",
  },
  {
    name: "asks for each person's picture separately", suite: "profile-pictures", pattern: "requested together",
    file: "profile-pictures.ts", from: "const MOST = 50;", to: "const MOST = 1;",
  },
  {
    name: "keeps the failure of a link", suite: "profile-pictures", pattern: "failure is not kept",
    file: "kept-links.ts", from: "() => { kept.until = 0; }", to: "() => {}",
  },
  {
    name: "hides that the storage refused a picture", suite: "profile-pictures", pattern: "says why",
    file: "profile-pictures.ts", from: "if (refused) throw", to: "if (refused < 0) throw",
  },
  {
    name: "waits for a late answer", suite: "wake", pattern: "gets the focus",
    file: "session.ts", from: "void this.#dial(true);", to: "",
  },
  {
    name: "keeps a new connection when the late answer came first", suite: "wake", pattern: "stays online while a late answer",
    file: "session.ts", from: "if (isNew || isFalseAlarm)", to: "if (isNew)",
  },
  {
    name: "leaves requests on dead connections", suite: "wake", pattern: "are repeated after the next hello",
    file: "session.ts", from: "    this.#repeat();", to: "",
  },
  {
    name: "does not look out in silence", suite: "wake", pattern: "after 45 s of silence",
    file: "lookout.ts", from: "if (visibilityState && received.length)", to: "if (received.length < 0)",
  },
  {
    name: "does not notice that the machine slept", suite: "wake", pattern: "a machine that slept",
    file: "lookout.ts", from: "if (slept)", to: "if (slept && before < 0)",
  },
  {
    name: "asks for what a hidden page shows", suite: "wake", pattern: "looks at a hidden page",
    file: "lookout.ts", from: "if (hidden) return;", to: "",
  },
  {
    name: "does not expect the change of an own message", suite: "wake", pattern: "behind an own message",
    file: "deliver.ts", from: 'if (act.kind === "message") this.#expect(act);', to: "",
  },
  {
    name: "forgets what the person chose elsewhere", suite: "wake", pattern: "shows own reactions and votes",
    file: "room.ts", from: "void this.#checkChoices();", to: "return;",
  },
  {
    name: "takes the numbers of a restored room for old ones", suite: "reset", pattern: "by socket",
    file: "room.ts", from: "this.#seen = 0;\n    return super", to: "return super",
  },
  {
    name: "takes what every object has for people", suite: "names", pattern: "have their ids",
    file: "people.ts", from: "this.value = { __proto__: null as never, ...this.value, ...people };", to: "this.value = { ...this.value, ...people };",
  },
  {
    name: "keeps quotes of a text that was deleted", suite: "cache", pattern: "no quote of a deleted",
    file: "timeline.ts", from: "change && next.messages.some", to: "change && !m.deletedAt && next.messages.some",
  },
  {
    name: "keeps a room that has left the list", suite: "cache", pattern: "while the page was closed",
    file: "cache.ts", from: "const left = list\n", to: "const left = list && !chat\n",
  },
  {
    name: "writes what it has read after a sign-out", suite: "cache", pattern: "who signed out",
    file: "records.ts", from: "index?.epoch === this.epoch ? change(index) : {}", to: "change(index ?? { rooms: new Map() } as never)",
  },
  {
    name: "overwrites what another page has read since", suite: "cache", pattern: "read less",
    file: "cache.ts", from: "if (seq < (next.get(id)?.seq ?? 0)) continue;", to: "",
  },
  {
    name: "keeps what the server has lost", suite: "cache", pattern: "after a restore",
    file: "pages.ts", from: "this.chat.kept.drop(this.id);", to: "",
  },
  {
    name: "shows what is kept in another form", suite: "cache", pattern: "of another version",
    file: "kept.ts", from: "if (index?.version !== VERSION) return undefined;", to: "if (!index) return undefined;",
  },
  {
    name: "forgets which choices were not checked", suite: "cache", pattern: "of the person on another device once",
    file: "catch-up.ts", from: "among(messages, [...kept.unchecked, ...counted])", to: "[]",
  },
  {
    name: "keeps what is around an older message", suite: "cache", pattern: "around an older",
    file: "pages.ts", from: "seq !== undefined && !hasNewer", to: "seq !== undefined",
  },
  {
    name: "leaves rooms as they were that are not open", suite: "cache", pattern: "are brought up to date",
    file: "catch-up.ts", from: ": head !== seq);", to: ": head < 0);",
  },
  {
    name: "leaves rooms as they were that are too many", suite: "cache", pattern: "too many are behind",
    file: "catch-up.ts", from: "await records.drop(id);\n    const lane", to: "void id;\n    const lane",
  },
  {
    name: "does not apply what frames bring for rooms that are not open", suite: "cache", pattern: "up to date by frames",
    file: "catch-up.ts", from: "if (frames.length < MOST_FRAMES)", to: "if (frames.length < 0)",
  },
  {
    name: "takes what was kept for what is", suite: "cache", pattern: "was cut off",
    file: "chat.ts", from: "else if (room.value.cachedAt) this.#background(room.compare());", to: "",
  },
  {
    name: "shows the names that were kept", suite: "cache", pattern: "new names",
    file: "people.ts", from: "for (const user of this.#old) this.#request(user);", to: "",
  },
  {
    name: "keeps more than there is space for", suite: "cache", pattern: "has a bound",
    file: "cache.ts", from: "(bytes += room.bytes) > MOST_BYTES || ", to: "",
  },
  {
    name: "compares no heads of a long list", suite: "many", pattern: "131 rooms",
    file: "lookout.ts", from: "rooms.all.size > WHOLE &&", to: "rooms.all.size < 0 &&",
  },
  {
    name: "keeps entries whose heads have changed", suite: "many", pattern: "131 rooms",
    file: "rooms.ts", from: "known < head || shown.read", to: "shown.read",
  },
  {
    name: "loads all rooms with something new together", suite: "many", pattern: "131 rooms",
    file: "rooms.ts", from: "if (this.#stale.size < most) this.#stale.add(id);", to: "this.#stale.add(id);",
  },
  {
    name: "does not read open rooms that it does not follow", suite: "many", pattern: "131 rooms",
    file: "lookout.ts", from: "room.refresh().catch(() => {});", to: "",
  },
  {
    name: "does not list a room for a direct message", suite: "many", pattern: "a direct message",
    file: "chat.ts", from: "if (/added|pref/.test(type)) this.rooms.reloadSoon(room);", to: "",
  },
  {
    name: "leaves a room gone when the person is added again", suite: "rooms", pattern: "comes back",
    file: "room.ts", from: "void this.latest();", to: "{}",
  },
  {
    name: "cannot read a room without messages", suite: "rooms", pattern: "in all windows",
    file: "room.ts", from: "!chat.rooms.entry(this.id)?.addedBy", to: "chat.rooms.entry(this.id)?.name !== undefined",
  },
  {
    name: "tells people what they have muted", suite: "notify", pattern: "the same messages",
    file: "notify.ts", from: "const level = room ?? person;", to: "const level = person;",
  },
  {
    name: "takes yesterday's night for today's", suite: "notify", pattern: "hours are quiet",
    file: "notify.ts", from: "time < to && days.includes(yesterday)", to: "time < to && days.includes(today)",
  },
  {
    name: "keeps notices that were read", suite: "notices", pattern: "mentions, direct messages",
    file: "notices.ts", from: "|| this.#isRead(n) ||", to: "||",
  },
  {
    name: "does not hear the first reply to an own message", suite: "notices", pattern: "mentions, direct messages",
    file: "notices.ts", from: "if (following) this.#consider([m], { seq });", to: "",
  },
  {
    name: "does not hear a mention that an edit adds", suite: "notices", pattern: "an edit that mentions",
    file: "notices.ts", from: 'if (type === "mention.added")', to: 'if (type === "mention")',
  },
  {
    name: "tells a message again whose edit mentions the person", suite: "notices", pattern: "an edit that mentions",
    file: "notices.ts", from: "this.#known.set(m.id, true);", to: "",
  },
  {
    name: "keeps a notice of a deleted message", suite: "notices", pattern: "an edit that mentions",
    file: "notices.ts", from: "if (message?.deletedAt)", to: "if (!message)",
  },
  {
    name: "reads nothing that was missed", suite: "notices", pattern: "no connection",
    file: "notices.ts", from: "pages.push({ path: `/rooms/${encode(id)}/messages`, head });", to: "{}",
  },
  {
    name: "tells while it is paused", suite: "notices", pattern: "levels and a pause",
    file: "notices.ts", from: "(!!settings && holdBack(settings, now))", to: "false",
  },
  {
    name: "sends a reaction that was taken back", suite: "acts", pattern: "a reaction and its end",
    file: "doing.ts", from: "if (!before || before.tried || before.on === act.on) return add", to: "return add",
  },
  {
    name: "replaces what another device has edited", suite: "acts", pattern: "is dropped when",
    file: "doing.ts", from: "revision: earlier ? earlier.revision : loaded(chat, room, of)?.revision,", to: "",
  },
  {
    name: "does not report what was refused after a reload", suite: "acts", pattern: "vanishes with an event",
    file: "deliver.ts", from: 'if (isOver) this.chat.emit("refused", { act, error });', to: "",
  },
  {
    name: "deletes before the time to take it back is over", suite: "acts", pattern: "when it is due",
    file: "deliver.ts", from: 'act.kind === "deletion" ? act.due : 0)', to: "0)",
  },
  {
    name: "loses acts when their message gets another id", suite: "acts", pattern: "another id",
    file: "deliver.ts", from: "renamed(this.chat, old.id, by.id);", to: "",
  },
  {
    name: "shows a choice that was taken back when its event comes", suite: "reactions", pattern: "does not come back",
    file: "doing.ts", from: "if (!client.acts.delivery?.heard(act)) alter(", to: "client.acts.delivery?.heard(act);\n  alter(",
  },
  {
    name: "sends everything together when it is back", suite: "shelf", pattern: "at most four",
    file: "deliver.ts", from: "this.#tries >= MOST_TRIES", to: "this.#tries >= 300",
  },
  {
    name: "tries other acts when the server refuses the rate", suite: "shelf", pattern: "as long as it says",
    file: "deliver.ts", from: "Math.max(lane.next, this.#calm,", to: "Math.max(lane.next,",
  },
  {
    name: "sends an act in each window", suite: "shelf", pattern: "hears late",
    file: "shelf.ts", from: "async () => work(await isOver())", to: "async () => work(false)",
  },
  {
    name: "keeps acts of somebody who signed out", suite: "shelf", pattern: "after a sign-out",
    file: "deliver.ts", from: "if (chat.acts.closed) return; //", to: "//",
  },
  {
    name: "loses acts when a token is refused", suite: "shelf", pattern: "refuses the token",
    file: "storage.ts", from: "delete(IDBKeyRange.lowerBound(AFTER_ACTS))", to: 'delete(IDBKeyRange.lowerBound(""))',
  },
];

describe("the suite finds a client that", { concurrency: 2 }, () => {
  for (const m of process.env.NIGHTLY ? mutants : mutants.slice(0, share)) test(m.name, async t => {
    const folder = await mkdtemp(join(process.env.SUITE_FOLDER, "mutant-"));
    t.after(() => rm(folder, { recursive: true, force: true }));
    await bundle([m.suite], folder, m);
    const { code, output } = await run(join(folder, `${m.suite}.test.cjs`), m.pattern);
    assert.notEqual(code, 0, `no test of ${m.suite} fails:\n${output}`);
    assert.match(output, /^# fail [1-9]/m, output);
    assert.match(output, /AssertionError|ERR_ASSERTION|never: |list of \S+ differs/, output);
  });
});

/** Runs the tests of a file whose names match, and returns the exit code and the output. */
function run(file, pattern) {
  const env = { ...process.env };
  delete env.NODE_TEST_CONTEXT; // a run of its own, not a part of this one
  const child = spawn(process.execPath, ["--test", "--test-reporter=tap", `--test-name-pattern=${pattern}`, file], { env, timeout: limit });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", b => { output += b; });
  return new Promise(done => child.on("close", code => done({ code, output })));
}
