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
    file: "room.ts", from: 'if (c.type === "counts.changed" && c.id) this.unchecked.add(c.id);', to: "", says: /reactions\/.* own/,
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
