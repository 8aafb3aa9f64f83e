// Tests of scripts/vulnerabilities, with a network and a govulncheck that are scripts.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("vulnerabilities", import.meta.url));
const network = `while [ "$1" != -o ]; do shift; done; echo '{"modified":"2026-11-01T02:03:04Z"}' >"$2"`;
const noNetwork = "exit 6";
const nothing = "echo No vulnerabilities found.";
const something = "echo 'Vulnerability #1: GO-2026-5970'; exit 3";

/** Each case has curl, what the snapshot states (null without one), govulncheck, the exit code, the last line, and the database that is used. */
const cases = {
  "the network": [network, null, nothing, 0, "vulnerabilities: none, by the database https://vuln.go.dev of 2026-11-01", "https://vuln.go.dev"],
  "the network, with a snapshot": [network, '{"modified":"2026-08-20T00:00:00Z"}', nothing, 0, "vulnerabilities: none, by the database https://vuln.go.dev of 2026-11-01", "https://vuln.go.dev"],
  "a snapshot": [noNetwork, '{"modified": "2026-08-20T00:00:00Z"}', nothing, 0, "vulnerabilities: none, by the snapshot DATA/vulndb/db.tgz of 2026-08-20", "file://"],
  "a vulnerability": [network, null, something, 3, "vulnerabilities: FOUND, by the database https://vuln.go.dev of 2026-11-01", "https://vuln.go.dev"],
  "a vulnerability in a snapshot": [noNetwork, '{"modified": "2026-08-20T00:00:00Z"}', something, 3, "vulnerabilities: FOUND, by the snapshot DATA/vulndb/db.tgz of 2026-08-20", "file://"],
  "a govulncheck that fails": [network, null, "exit 1", 1, "vulnerabilities: NOT CHECKED: govulncheck failed, by the database https://vuln.go.dev of 2026-11-01", "https://vuln.go.dev"],
  "a snapshot without a date": [noNetwork, "{}", nothing, 1, "vulnerabilities: the snapshot DATA/vulndb/db.tgz has no date", null],
  "neither": [noNetwork, null, nothing, 0, "vulnerabilities: NOT CHECKED: https://vuln.go.dev cannot be reached, and there is no $CHAT_DATA/vulndb/db.tgz", null],
};

for (const [name, [curl, snapshot, govulncheck, code, last, database]] of Object.entries(cases)) test(name, t => {
  const folder = mkdtempSync(join(tmpdir(), "parley-vulnerabilities-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const program = (file, text) => writeFileSync(join(folder, file), `#!/bin/bash\n${text}\n`, { mode: 0o700 });
  for (const sub of ["scripts", "tools", "path", "bin", "data/vulndb", "db/index"]) mkdirSync(join(folder, sub), { recursive: true });
  copyFileSync(script, join(folder, "scripts/vulnerabilities"));
  program("path/curl", curl);
  program("path/go", "exit 0");
  program("bin/govulncheck", `echo "asked $2"\n${govulncheck}`);
  if (snapshot !== null) {
    writeFileSync(join(folder, "db/index/db.json"), snapshot);
    assert.equal(spawnSync("tar", ["-czf", "data/vulndb/db.tgz", "db"], { cwd: folder }).status, 0);
  }
  const { status, stdout, stderr } = spawnSync("scripts/vulnerabilities", {
    cwd: folder, encoding: "utf8", env: { PATH: `${join(folder, "path")}:${process.env.PATH}`, CHAT_DATA: join(folder, "data") },
  });
  const lines = (stdout + stderr).trim().replaceAll(join(folder, "data"), "DATA").split("\n");
  assert.equal(status, code, stdout + stderr);
  assert.equal(lines.at(-1), last);
  const asked = lines.filter(line => line.startsWith("asked "));
  assert.equal(asked.length, database === null ? 0 : 2); // the code, and a tool
  for (const line of asked) assert.ok(line.startsWith(`asked ${database}`), line);
});

test("no folder of data", () => {
  const { status, stderr } = spawnSync(script, {
    encoding: "utf8", env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, GOVULNDB: "http://127.0.0.1:1" },
  });
  assert.equal(status, 0, stderr);
  assert.match(stderr, /^vulnerabilities: NOT CHECKED: http:\/\/127\.0\.0\.1:1 cannot be reached/m);
});
