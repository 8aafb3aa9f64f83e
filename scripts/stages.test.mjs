// The gate's own tests: stages whose Go tests fail in every way that the gate tells apart. A copy of
// the scripts runs in a module of its own.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const scripts = dirname(fileURLToPath(import.meta.url));
const repository = dirname(scripts);

/** The body of a test that fails in its first run only. */
const failsOnce = name => `if _, err := os.Stat("${name}"); err != nil { os.WriteFile("${name}", nil, 0o600); t.Error("first") }`;

/**
 * Runs stages in a module whose tests have the given bodies, and returns the exit code and output.
 * landed has the seconds of an earlier run.
 */
function run(t, bodies, stages = "tests 5 RERUN=1 scripts/gotest tests ./...\n", landed) {
  const folder = mkdtempSync(join(tmpdir(), "parley-gate-"));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "bin"));
  symlinkSync(join(repository, "bin/gotestsum"), join(folder, "bin/gotestsum"));
  for (const script of ["stages", "gotest", "report.mjs"]) cpSync(join(scripts, script), join(folder, "scripts", script));
  writeFileSync(join(folder, "Makefile"), "bin/gotestsum:\n");
  writeFileSync(join(folder, "go.mod"), "module scratch\n\ngo 1.26\n");
  const tests = Object.entries(bodies).map(([name, body]) => `func ${name}(t *testing.T) { ${body} }`);
  writeFileSync(join(folder, "scratch_test.go"), `package scratch\nimport ("os"; "testing")\nvar _ = os.Stat\n${tests.join("\n")}\n`);
  if (landed) writeFileSync(join(folder, "landed"), landed);
  const env = { ...process.env, LANDED: landed ? "landed" : "" };
  const { status, stdout } = spawnSync("scripts/stages", { cwd: folder, env, input: stages, encoding: "utf8" });
  return { status, stdout };
}

test("two tests that fail once pass, and are listed", t => {
  const { status, stdout } = run(t, { TestA: failsOnce("TestA"), TestB: failsOnce("TestB"), TestC: "" });
  assert.equal(status, 0, stdout);
  assert.match(stdout, /^flaky: scratch TestA$/m);
  assert.match(stdout, /^flaky: scratch TestB$/m);
  assert.match(stdout, /^== first failure of scratch TestB\n +scratch_test\.go:\d+: /m);
  assert.match(stdout, /^3 passed, 0 failed, 0 skipped$/m);
});

test("what is skipped is said at the end", t => {
  const { status, stdout } = run(t, { TestA: "" }, "a 1 echo skipped: all of it\nb 1 echo later\n");
  assert.equal(status, 0, stdout);
  assert.match(stdout, /== stages[^]*^skipped: all of it$/m);
});

test("three tests that fail once refuse the change", t => {
  const { status, stdout } = run(t, Object.fromEntries(["TestA", "TestB", "TestC"].map(name => [name, failsOnce(name)])));
  assert.equal(status, 1, stdout);
  assert.match(stdout, /^3 tests are flaky, more than 2$/m);
});

for (const name of ["TestRights_StayWithTheRole", "TestServe_LosesNothing", "TestFeed_DeliversOnce"]) test(`one failure of ${name} refuses the change`, t => {
  const { status, stdout } = run(t, { [name]: failsOnce(name) });
  assert.equal(status, 1, stdout);
  assert.match(stdout, new RegExp(`^flaky: scratch ${name}, which may never fail by chance$`, "m"));
});

test("a test that always fails refuses the change, and later stages run", t => {
  const stages = "tests 5 RERUN=1 scripts/gotest tests ./...\nlater 1 echo later ran\n";
  const { status, stdout } = run(t, { TestA: 't.Error("wrong again")', TestB: failsOnce("TestB") }, stages);
  assert.equal(status, 1, stdout);
  assert.match(stdout, /^later ran$/m);
  assert.match(stdout, /== failure in tests\n[^]*wrong again[^]*^failed: tests$/m);
});

test("the summary repeats which vulnerabilities were looked for", t => {
  const stages = "checks 1 echo vulnerabilities: NOT CHECKED\nlater 1 echo later ran\n";
  const { status, stdout } = run(t, {}, stages);
  assert.equal(status, 0, stdout);
  assert.match(stdout, /== stages\n[^]*^vulnerabilities: NOT CHECKED$/m);
});

test("without RERUN nothing is run again", t => {
  const { status, stdout } = run(t, { TestA: failsOnce("TestA") }, "tests 5 scripts/gotest tests ./...\n");
  assert.equal(status, 1, stdout);
});

test("a stage that hangs is ended", t => {
  const { status, stdout } = run(t, {}, "hangs 0.01 sleep 600\nlater 1 echo later ran\n");
  assert.equal(status, 1, stdout);
  assert.match(stdout, /^hangs +\d+ s  failed: not over after 0.01 minutes$/m);
  assert.match(stdout, /^later +\d+ s  passed$/m);
});

test("the seconds of the last landed run stand next to those of this run", t => {
  const { status, stdout } = run(t, {}, "slow 1 sleep 2\nnew 1 true\n", "slow 1\nall 1\n");
  assert.equal(status, 0, stdout);
  assert.match(stdout, /^slow +\d+ s  was +1 s  passed\nnew +\d+ s  was +s  passed\nall +\d+ s  was +1 s  \n/m);
  assert.match(stdout, /^== landed, if .*\nslow \d+\nnew \d+\nall \d+\n/m);
});

test(".ci/seconds names the stages of the gate", () => {
  const names = (file, pattern) => [...readFileSync(join(repository, file), "utf8").matchAll(pattern)].map(match => match[1]);
  assert.deepEqual(names(".ci/seconds", /^(\w+) \d+$/gm), [...names(".ci/run", /^(\w+) +\d+  \S/gm), "all"]);
});
