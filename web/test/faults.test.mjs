// The tests of the page find faults: with one of faults.mjs in the page, the test that is named there
// fails, for the reason that is named there. `make test-browser` tries a few of them, which change with
// the page. `make mutate-web` tries those whose names match FAULTS, and the same tests without a fault.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { bundle, root } from "../bundle.mjs";
import { faults } from "./faults.mjs";
import { share } from "./harness.mjs";
import { withoutArchives } from "./server.mjs";

/** The faults of a sample: they take 20 s on two cores. */
const SAMPLE = 3;
/** A sound page shows what a test waits for in this time, if the machine is free. */
const SHORT_MS = 6000;
/** On a busy machine another step fails in that time. The test is then given as long as in its suite. */
const LONG_MS = 30_000;
/** A test that hangs ends here. */
const LIMIT_MS = 300_000;
/** Tests of faulty pages mostly wait. */
const AT_ONCE = 3;

const skip = withoutArchives();

const wanted = process.env.FAULTS;
const chosen = wanted ? faults.filter(f => new RegExp(wanted).test(f.name)) : await sample();

let browser, folder;
before(async () => { [browser, folder] = await Promise.all([share(), mkdtemp(join(tmpdir(), "parley-faults-"))]); });
after(async () => { await browser?.close(); await rm(folder, { recursive: true, force: true }); });

test("each fault has its place in the sources, and its test", async () => {
  for (const f of faults) {
    const [source, suite] = await Promise.all([f.file, `test/${f.suite}.test.mjs`].map(name => readFile(join(root, name), "utf8")));
    assert.equal(source.split(f.from).length, 2, `${f.file} must have this once: ${f.from}`);
    const names = [...suite.matchAll(/\btest\((["`])(.*?)\1,/g)].map(([, , name]) => new RegExp(`^${name.split(/\$\{.*?\}/).map(escaped).join(".*")}$`));
    assert.ok(names.some(name => name.test(f.test)), `${f.suite} has no test "${f.test}"`);
  }
  assert.equal(new Set(faults.map(f => f.name)).size, faults.length, "two faults have one name");
});

describe("without a fault", { concurrency: AT_ONCE }, () => {
  for (const suite of wanted ? new Set(chosen.map(f => f.suite)) : []) {
    test(`the tests of ${suite} pass`, { skip: suite === "archive" && skip }, async () => {
      const names = new Set(chosen.filter(f => f.suite === suite).map(f => f.test));
      const { code, output } = await run(suite, [...names], await build(suite), LONG_MS);
      assert.equal(code, 0, output);
      assert.match(output, new RegExp(`^# pass ${names.size}$`, "m"), "a test has another name");
    });
  }
});

describe("a test finds a page that", { concurrency: AT_ONCE }, () => {
  for (const fault of chosen) {
    test(fault.name, { skip: fault.suite === "archive" && skip }, async () => {
      const page = await build(fault.suite, fault);
      let found = await run(fault.suite, [fault.test], page, SHORT_MS);
      if (found.code !== 0 && !fault.says.test(found.output)) found = await run(fault.suite, [fault.test], page, LONG_MS);
      assert.notEqual(found.code, 0, `"${fault.test}" passes:\n${found.output}`);
      assert.match(found.output, /^# fail 1$/m, found.output);
      assert.match(found.output, fault.says, "the test fails for another reason");
    });
  }
});

/** Returns some faults. Another page gives others, and the same page the same ones. */
async function sample() {
  const page = await readFile(join(root, "dist/app.js"));
  const rank = new Map(faults.map(f => [f, createHash("sha256").update(page).update(f.name).digest("hex")]));
  return faults.filter(f => f.suite !== "archive" || !skip).sort((a, b) => (rank.get(a) < rank.get(b) ? -1 : 1)).slice(0, SAMPLE);
}

/** Writes the page, with a fault if there is one, to a folder, and returns that. */
async function build(suite, fault) {
  let changed = 0; // twice for a source that both modules of the client have
  const edit = (name, text) => {
    if (name !== fault?.file) return text;
    changed++;
    return text.split(fault.from).join(fault.to);
  };
  const { files } = await bundle({ edit, rough: suite !== "measure" }); // which counts bytes
  if (fault) assert.ok(changed, `${fault.file} is no part of the page`);
  const page = await mkdtemp(join(folder, "page-"));
  for (const [name, content] of files) {
    await mkdir(dirname(join(page, name)), { recursive: true });
    await writeFile(join(page, name), content);
  }
  return page;
}

/** Returns a pattern of a text. */
const escaped = text => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Runs the named tests of a suite against a page. Returns the exit code and the output. */
function run(suite, names, page, patience) {
  const env = { ...process.env, PAGE_FOLDER: page, PATIENCE_MS: String(patience), SHARED_BROWSER: browser.wsEndpoint() };
  delete env.NODE_TEST_CONTEXT; // a run of its own, not a part of this one
  const pattern = names.map(escaped).join("|");
  const child = spawn(process.execPath, [
    "--test", "--test-reporter=tap", `--test-timeout=${LIMIT_MS}`, `--test-name-pattern=${pattern}`, join(root, "test", `${suite}.test.mjs`),
  ], { env });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", text => { output += text; });
  return new Promise(done => child.on("close", code => done({ code, output })));
}
