// The commands of /?dev are run by a real shell, with programs that print their arguments.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { curl, tokenCommand } from "../src/developer/curl.js";

/** Ids as the API accepts them, and texts that a shell would run, split or expand. */
const words = ["ann", "auth0|6630f0", "ann@example.org", "urn:x:1", "-x", "it's", "a b", "$(touch run)", "`touch run`", "a; touch run", "a\ntouch run", "\\", "\"", "*", "~", "!x", "$HOME", "' ; touch run ; '"];

/** Runs a script in a folder in which bin/chat and curl print their arguments, and returns these. */
function ran(script: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "parley-dev-"));
  try {
    mkdirSync(join(folder, "bin"));
    for (const name of ["chat", "curl"]) {
      writeFileSync(join(folder, "bin", name), `#!/bin/sh\nprintf '%s\\0' "$@" >> printed\n`);
      chmodSync(join(folder, "bin", name), 0o755);
    }
    const printed = execFileSync("/bin/sh", ["-c", `PATH=$PWD/bin:$PATH\n${script}\ncat printed`], { cwd: folder, encoding: "utf8" });
    assert.deepEqual(readdirSync(folder).sort(), ["bin", "printed"], `${script} ran something else`);
    return printed.split("\0").slice(0, -1);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("tokenCommand: a shell passes the id of a user on as it is", () => {
  for (const user of words) assert.deepEqual(ran(tokenCommand(user)), ["token", "--user", user]);
});

test("curl: a shell passes the path and the body on as they are", () => {
  for (const word of words) {
    const printed = ran(`TOKEN=t\n${curl("http://127.0.0.1:8080", { method: "PUT", path: `/people/${word}`, body: JSON.stringify({ name: word }) })}`);
    const want = ["-sS", "-X", "PUT", `http://127.0.0.1:8080/people/${word}`, "-H", "Authorization: Bearer t", "-H", "Content-Type: application/json", "--data-raw", JSON.stringify({ name: word })];
    assert.deepEqual(printed, want);
  }
});
