// Tests of scripts/prerequisites, with tools that are missing or old.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("prerequisites", import.meta.url));
const go = (version, toolchain = "local") => `case $2 in GOVERSION) echo go${version};; *) echo ${toolchain};; esac`;
const node = version => `echo ${version}`;

/** Each case has the scripts of go and node, the exit code, what the one line contains, and whether npm is missing. */
const cases = {
  "both are there": [go("1.99.0"), node("99.1.0"), 0, ""],
  "no Go": [null, node("99.1.0"), 1, "install it from https://go.dev/dl"],
  "an old Go": [go("1.9.7"), node("99.1.0"), 1, "this is Go 1.9.7: install a newer one"],
  "a Go before downloads": [go("1.19.8", ""), node("99.1.0"), 1, "this is Go 1.19.8: install a newer one"],
  "an old Go that gets a newer one": [go("1.21.0", "auto"), node("99.1.0"), 0, ""],
  "no npm": [go("1.99.0"), node("99.1.0"), 1, "Parley needs npm", true],
  "no Node": [go("1.99.0"), null, 1, "install it from https://nodejs.org"],
  "an old Node": [go("1.99.0"), node("9.11.2"), 1, "this is Node 9.11.2: install a newer one"],
  "a Node that works no more": [go("1.99.0"), node("18.20.8"), 1, "this is Node 18.20.8: install a newer one"],
  "a Node that has ended": [go("1.99.0"), node("20.20.2"), 0, "Node 20.20.2 has reached its end: install Node 22 or 24"],
  "a Node that is supported": [go("1.99.0"), node("22.0.0"), 0, ""],
};

for (const [name, [goScript, nodeScript, code, said, noNpm]] of Object.entries(cases)) test(name, t => {
  const folder = mkdtempSync(join(tmpdir(), "parley-prerequisites-"));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const tool of ["bash", "dirname", "sed", "sort", "head"]) { // all that the script runs
    symlinkSync(spawnSync("bash", ["-c", `type -P ${tool}`], { encoding: "utf8" }).stdout.trim(), join(folder, tool));
  }
  for (const [tool, text] of Object.entries({ go: goScript, node: nodeScript, npm: noNpm ? null : "exit 1" })) {
    if (text) writeFileSync(join(folder, tool), `#!/bin/bash\n${text}\n`, { mode: 0o700 });
  }
  const { status, stdout, stderr } = spawnSync("/bin/bash", [script], { env: { PATH: folder }, encoding: "utf8" });
  assert.equal(status, code, stderr);
  assert.match(stdout + stderr, said ? /^[^\n]+\n$/ : /^$/);
  assert.ok(stderr.includes(said), stderr);
});
