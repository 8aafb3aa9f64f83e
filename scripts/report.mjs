// Reads what the stages of a run left behind (scripts/stages).
//   node scripts/report.mjs failures LOG    prints what failed in a stage
//   node scripts/report.mjs tests FOLDER    prints which vulnerabilities were looked for, and the
//                                           slowest, the skipped and the flaky tests. It exits with 1
//                                           if the flaky ones refuse the change
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** A change lands with so many flaky tests at most: with more of them the suite proves nothing. */
const MAX_FLAKY = 2;
/**
 * Words in the names of tests that never fail by chance: about lost, doubled or disordered messages,
 * leaks and rights.
 */
const NEVER_FLAKY = new RegExp([
  "race", "los[est]", "miss", "once", "twice", "doubl", "repeat", "order", "kill", "resume", "continues", "keepsitsdata", "owner", "orphan", "leak", "grows",
  "right", "polic", "role", "refus", "suspen", "banned", "hidden", "blocked", "private", "foreign", "origin", "authorizer", "checkstokens", "mayconnect", "deletedtext",
].join("|"), "i");
/** A line that a Go test printed: by t.Error or t.Log, with its place. */
const SAID = /^ +\w+_test\.go:\d+: /;
const RACE_OR_LEAK = /WARNING: DATA RACE|found unexpected goroutines/;
const SLOWEST = 10;
/** Enough of a log without a summary to see its end, and enough of a summary to see every failure. */
const TAIL_LINES = 60;
const SUMMARY_LINES = 300;
/** Where Playwright's description of a page begins and ends, and enough of it for a room with its list. */
const SNAPSHOT = "# Page snapshot";
const SOURCE = "# Test source";
const PAGE_LINES = 150;
/** Enough of an error to see what was expected, and where. */
const ERROR_LINES = 12;

const [command, path] = process.argv.slice(2);
if (command === "failures") failures(path);
else process.exitCode = tests(path) ? 0 : 1;

/** Prints the summary of failed tests in a log, or else its end. */
function failures(log) {
  const lines = readFileSync(log, "utf8").trimEnd().split("\n");
  const summary = lines.findIndex(line => /^(=== (Failed|Errors)|  1\) \[|.*failing tests:)/.test(line));
  const shown = summary < 0 ? lines.slice(-TAIL_LINES) : lines.slice(summary, summary + SUMMARY_LINES);
  console.log(shown.join("\n"));
}

/** Prints the tests of a run, and reports whether the flaky ones may pass. */
function tests(folder) {
  const all = readdirSync(folder).flatMap(file => {
    const read = file.endsWith(".go.json") ? goTests : file.endsWith(".playwright.json") ? browserTests : () => [];
    return read(readFileSync(join(folder, file), "utf8"));
  });
  for (const line of vulnerabilities(folder)) console.log(line);
  const ran = all.filter(t => !t.skipped);
  const slowest = [...ran].sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  if (slowest.length) console.log("\n== slowest tests");
  for (const t of slowest) console.log(`${t.seconds.toFixed(1).padStart(7)} s  ${t.name}`);
  for (const t of all.filter(t => t.skipped)) console.log(`skipped: ${t.name}`);
  const flaky = ran.filter(t => t.flaky);
  for (const t of flaky) if (t.failure) console.log(`\n== first failure of ${t.name}\n${t.failure}`);
  for (const t of flaky) console.log(`flaky: ${t.name}${t.grave ? ", which may never fail by chance" : ""}`);
  if (flaky.length > MAX_FLAKY) console.log(`${flaky.length} tests are flaky, more than ${MAX_FLAKY}`);
  console.log(`\n${ran.filter(t => t.passed).length} passed, ${ran.filter(t => !t.passed).length} failed, ${all.length - ran.length} skipped`);
  return flaky.length <= MAX_FLAKY && !flaky.some(t => t.grave);
}

/** Returns why a test of the browser failed first, and what the page showed then, as Playwright describes them. */
function failureOf(results) {
  const error = results.flatMap(r => r.errors ?? [])[0]?.message ?? "";
  const context = results.flatMap(r => r.attachments).find(a => a.name === "error-context");
  const [text] = context ? readFileSync(context.path, "utf8").split(SOURCE) : [""];
  const page = text.includes(SNAPSHOT) ? text.slice(text.indexOf(SNAPSHOT)).split("\n").slice(0, PAGE_LINES) : [];
  return [...error.split("\n").slice(0, ERROR_LINES), ...page].join("\n").trim();
}

/** Returns the summaries of scripts/vulnerabilities in the stages' logs. */
function vulnerabilities(folder) {
  const logs = readdirSync(folder).filter(file => file.endsWith(".log"));
  return logs.flatMap(log => readFileSync(join(folder, log), "utf8").split("\n").filter(line => line.startsWith("vulnerabilities: ")));
}

/** Reads the events of go test -json, of one run and of reruns: top-level tests. */
function goTests(events) {
  const found = new Map();
  for (const line of events.split("\n").filter(Boolean)) {
    const { Action: action, Package: pkg, Test: test = "", Elapsed: seconds = 0, Output: output = "" } = JSON.parse(line);
    const [root] = test.split("/");
    if (!root) continue;
    const name = `${pkg} ${root}`;
    const t = found.get(name) ?? { name, seconds: 0, failures: 0, said: [], passed: true, skipped: false, grave: NEVER_FLAKY.test(name) };
    found.set(name, t);
    if (RACE_OR_LEAK.test(output)) t.grave = true;
    if (t.failures === 0 && t.said.length < ERROR_LINES && SAID.test(output)) t.said.push(output.trimEnd());
    if (action === "fail" && NEVER_FLAKY.test(test)) t.grave = true;
    if (test !== root) continue; // a subtest
    if (action === "fail") t.failures++;
    if (["pass", "fail", "skip"].includes(action)) Object.assign(t, { passed: action === "pass", skipped: action === "skip", seconds });
  }
  return [...found.values()].map(t => ({ ...t, flaky: t.passed && t.failures > 0, failure: t.said.join("\n") }));
}

/** Reads the report of Playwright. */
function browserTests(report) {
  const of = suite => [
    ...(suite.suites ?? []).flatMap(of),
    ...(suite.specs ?? []).flatMap(spec => spec.tests.map(t => ({
      name: `${spec.file} ${spec.title}`,
      seconds: Math.max(0, ...t.results.map(r => r.duration)) / 1000,
      passed: ["expected", "flaky"].includes(t.status),
      flaky: t.status === "flaky",
      failure: t.status === "flaky" ? failureOf(t.results) : "",
      skipped: t.status === "skipped",
      grave: NEVER_FLAKY.test(spec.title),
    }))),
  ];
  return of(JSON.parse(report));
}
