// The browser tests find faults: with one of faults.mjs in the page, the test that is named there
// fails, for the reason that is named there. A few faults are a share; NIGHTLY tries them all.
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "@playwright/test";
import { bundle, root, write } from "../build.mjs";
import { faults } from "./faults.mjs";
import { exactly } from "./fixtures.mjs";
import { withoutArchives } from "./server.mjs";

/** The faults of the share. Their pages are built, and their tests end, within seconds. */
const SHARE = ["lets the banned write", "lays Hebrew out from the left", "forgets what was typed in a document"];
/** A test of a faulty page waits this long for what never shows. A sound page is checked with the same patience. */
const SHORT_MS = 10_000;
/** On a busy machine another step fails in that time. The test is then as patient as in its suite. */
const LONG_MS = 60_000;

const chosen = process.env.NIGHTLY ? faults : faults.filter(f => SHARE.includes(f.name));
const missing = withoutArchives();
const skips = suite => test.skip(suite === "archive" && !!missing, missing || "");

test.describe.configure({ mode: "parallel" });

test("each fault has its place in the sources, and its test", async () => {
  for (const f of faults) {
    const [source, suite] = await Promise.all([f.file, `test/${f.suite}.test.mjs`].map(name => readFile(join(root, name), "utf8")));
    expect(source.split(f.from), `${f.file} must have this once: ${f.from}`).toHaveLength(2);
    const names = [...suite.matchAll(/\btest\((["`])(.*?)\1,/g)].map(([, , name]) => new RegExp(exactly(name).source.replace(/\\\$\\\{.*?\\\}/g, ".*")));
    expect(names.filter(name => name.test(f.test)), `${f.suite} has no test "${f.test}"`).not.toEqual([]);
  }
  expect(new Set(faults.map(f => f.name)).size, "two faults have one name").toBe(faults.length);
  expect(chosen.length, "the share names no fault").toBeGreaterThanOrEqual(SHARE.length);
});

// The share needs no sound page: the whole suite has one.
for (const suite of process.env.NIGHTLY ? new Set(faults.map(f => f.suite)) : []) {
  test(`the tests of ${suite} pass without a fault`, async ({}, info) => {
    skips(suite);
    const names = new Set(chosen.filter(f => f.suite === suite).map(f => f.test));
    const { passed, messages } = await run(suite, [...names], await build(info), info.outputPath("results"), SHORT_MS);
    expect(messages).toEqual([]);
    expect(passed, "a test has another name").toBe(names.size);
  });
}

for (const fault of chosen) {
  test(`a test finds a page that ${fault.name}`, async ({}, info) => {
    skips(fault.suite);
    const page = await build(info, fault);
    const attempted = patience => run(fault.suite, [fault.test], page, info.outputPath("results"), patience);
    let { passed, messages } = await attempted(SHORT_MS);
    if (!passed && !messages.some(text => fault.says.test(text))) ({ passed, messages } = await attempted(LONG_MS));
    expect(passed, `"${fault.test}" passes`).toBe(0);
    expect(messages.join("\n"), "the test fails for another reason").toMatch(fault.says);
  });
}

/** Writes the page, with a fault if there is one, to a folder, and returns that. */
async function build(info, fault) {
  let changed = 0; // twice for a source that both modules of the client have
  const edit = (name, text) => {
    if (name !== fault?.file) return text;
    changed++;
    return text.split(fault.from).join(fault.to);
  };
  const { files } = await bundle(edit);
  if (fault) expect(changed, `${fault.file} is no part of the page`).toBeGreaterThan(0);
  const page = info.outputPath("page");
  await write(files, page);
  return page;
}

/** Runs the named tests of a suite against a page. Returns how many have passed, and the messages of failures. */
async function run(suite, names, page, results, patience) {
  const pattern = names.map(name => exactly(name).source.slice(1)).join("|");
  const child = spawn(process.execPath, [
    join(root, "node_modules/@playwright/test/cli.js"), "test", "--project=browser", "--reporter=json", "--trace=off", "--retries=0", "--workers=1",
    `--output=${results}`, "--grep", pattern, `/${suite}\\.test`,
  ], { cwd: root, env: { ...process.env, NIGHTLY: "", PAGE_FOLDER: page, PATIENCE_MS: String(patience), PLAYWRIGHT_JSON_OUTPUT_NAME: "" }, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", text => { output += text; });
  await new Promise(done => child.once("close", done));
  const { suites, errors, stats } = JSON.parse(output);
  const specs = s => [...s.specs, ...(s.suites ?? []).flatMap(specs)];
  const failures = suites.flatMap(specs).flatMap(s => s.tests).flatMap(t => t.results).flatMap(r => r.errors);
  const words = ({ message }) => stripVTControlCharacters(message).split(/\n +>? *\d+ \|/)[0]; // the source below may have the words of other assertions
  return { passed: stats.expected, messages: [...errors, ...failures].map(words) };
}
