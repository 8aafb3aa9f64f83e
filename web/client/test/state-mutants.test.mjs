// Rules of the client, each taken out of a copy: the state test must then fail, and say
// what is shown wrongly. It takes minutes, so only make mutate-state tries them.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { bundle } from "./bundle.mjs";

const run = promisify(execFile);
/** Ends a mutant that hangs. */
const limit = 600_000;
/** Runs that are shorter than the test's find each. */
const short = { STATE_MESSAGES: "8000", PATIENCE_MS: "30000" };
/** The most runs for a rule: in one run, its effect may also have another cause. */
const lives = 3;

// name: the rule that is missing. file, from, to: how. says: what the failure says.
const mutants = [
  {
    name: "ignores the head of an answer",
    file: "live.ts", from: "else room.follower?.position(head, request ? 0 : GAP_WAIT);", to: "", says: /\/messages\/.*shows undefined/,
  },
  {
    name: "reads no gaps",
    file: "follower.ts", from: "else if (!this.#alarm.armed)", to: "else if (wait < 0)", says: /\/messages\//,
  },
  {
    name: "does not read own reactions again after an absence",
    file: "room.ts", from: 'if (c.type === "counts.changed") this.unchecked.add(c.id!);', to: "", says: /reactions\/.* own/,
  },
  {
    name: "does not hear of a room's settings",
    file: "feed.ts", from: 'type === "room.changed" || member?.user === user', to: "member?.user === user", says: /name|topic/,
  },
  {
    name: "compares no revisions",
    file: "timeline.ts", from: "return there.revision > m.revision\n", to: "return there.revision < 0\n", says: /went back/,
  },
  {
    name: "takes no newer revision",
    file: "timeline.ts", from: "return there.revision > m.revision\n", to: "return change && there.revision !== m.revision\n", says: /\/messages\//,
  },
  {
    name: "keeps deleted messages",
    file: "pages.ts", from: "if (message) this.span = put(", to: "if (message && !message.deletedAt) this.span = put(", says: /\/messages\//,
  },
  {
    name: "applies no counts",
    file: "pages.ts", from: "for (const { message } of changes) if (message) this.span", to: 'for (const { message, type } of changes) if (message && type !== "counts.changed") this.span', says: /reactions|replies|votes/,
  },
  {
    name: "shows a message again that changes",
    file: "timeline.ts", from: "if (there?.id === m.id) {", to: "if (there?.id === m.id && !change) {", says: /\/messages\/|twice|order/,
  },
  {
    name: "forgets own reactions when a message is edited",
    file: "timeline.ts", from: "...(m.reactions && { reactions: withOwn(m.reactions, reactions) }),", to: "", says: /reactions\/.* own/,
  },
  {
    name: "compares no heads of a long list",
    file: "lookout.ts", from: "rooms.all.size > WHOLE &&", to: "rooms.all.size < 0 &&", says: /\/list\/quiet/,
  },
  {
    name: "keeps entries whose markers have moved",
    file: "rooms.ts", from: "shown.read !== read ||", to: "", says: /\/list\/quiet.*(read|unread)/,
  },
  {
    name: "stores no acts",
    file: "shelf.ts", from: "await storage?.put(act).then(() => this.#kept.add(act.id), () => {});", to: "", says: /is stored 0 times/,
  },
  {
    name: "forgets what an earlier page has stored",
    file: "deliver.ts", from: "acts.value = [...before, ...acts.value];", to: "", says: /is stored 0 times/,
  },
  {
    name: "sends messages without their ids",
    file: "kinds.ts", from: "const body = { id, text,", to: "const body = { text,", says: /is stored \d+ times|has the text/,
  },
  {
    name: "forgets an act whose request fails",
    file: "deliver.ts", from: "      if (pause) return;", to: "      if (pause) return chat.acts.put(act.id);", says: /is stored 0 times/,
  },
  {
    name: "counts a try for ever",
    file: "deliver.ts", from: "    this.#tries--;\n", to: "", says: /has not sent/,
  },
  {
    name: "sends nothing more in order after a failure",
    file: "deliver.ts", from: "    lane.isBusy = false;\n", to: "    lane.isBusy = lane.failures > 0;\n", says: /has not sent/,
  },
  {
    name: "removes what waits when the app is closed",
    file: "deliver.ts", from: "acts.value.forEach(act => settle(this.chat, act));", to: "acts.value.forEach(act => void this.#shelf.delete(act));", says: /is stored 0 times/,
  },
  {
    name: "takes a reaction for a change of another emoji",
    file: "doing.ts", from: "  const id = `reaction ${of} ${emoji}`;", to: "  const id = `reaction ${of}`;", says: /: is \w+, not|reactions\/.* own/,
  },
  {
    name: "sends no removal of a reaction that may have been stored",
    file: "doing.ts", from: "!before || before.tried || before.on === act.on", to: "!before || before.on === act.on", says: /: is \w+, not|reactions\/.* own/,
  },
];

describe("the state test finds a client that", { concurrency: 2 }, () => {
  for (const m of mutants) test(m.name, { skip: !process.env.MUTATE_STATE && "a part of make mutate-state" }, async t => {
    const folder = await mkdtemp(join(process.env.SUITE_FOLDER, "state-mutant-"));
    t.after(() => rm(folder, { recursive: true, force: true }));
    await bundle(["state"], folder, m);
    const env = { ...process.env, ...short, STATE_LOG: join(folder, "log") };
    delete env.NODE_TEST_CONTEXT; // a run of its own, not a part of this one
    const live = seed => run(process.execPath, ["--test", "--test-reporter=tap", join(folder, "state.test.cjs")],
      { env: { ...env, SEED: `${seed}` }, timeout: limit, maxBuffer: 1e9 }).catch(e => e);
    let code, stdout;
    for (let n = 0; n < lives && !code; n++) ({ code, stdout } = await live(+env.SEED + n));
    assert.ok(code, "the state test passes");
    const log = await readFile(join(folder, "log"), "utf8").catch(() => "");
    assert.match(stdout + log, m.says);
  });
});
