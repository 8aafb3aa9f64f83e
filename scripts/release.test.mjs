// Tests of scripts/release in a small repository, with a Go that builds scripts.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const script = name => fileURLToPath(new URL(name, import.meta.url));

// The program that go builds installs an engine for Linux only, or for nothing.
const program = has => `#!/bin/sh
case "$1 $5" in "engine ${has}"*) echo engine >"$3/dynoxide";; *) echo "no engine for $5" >&2; exit 1;; esac
`;
const go = has => `#!/bin/bash
case $1 in
build) while [ "$1" != -o ]; do shift; done; cat >"$2" <<'PROGRAM'
${program(has)}PROGRAM
chmod +x "$2";;
env) echo "$PWD";;
esac
`;
const dated = "## [Unreleased]\n\n## [0.3.0] - 2026-01-31\n";

/**
 * Each case has a tag, the changelog, whether a file is changed, the platforms with engines, and the expected result.
 */
const cases = {
  "a tag": [["v0.3.0"], dated, false, "linux", "", "parley-0.3.0"],
  "no tag": [[], "## [Unreleased]\n", true, "linux", "becomes the snapshot", "parley-0.3.0-[0-9a-f]{12}"],
  "a tag of something else": [["before-the-move"], dated, false, "linux", "becomes the snapshot", "parley-0.3.0-[0-9a-f]{12}"],
  "a tag of another version": [["v0.4.0"], dated, false, "linux", "The tag is v0.4.0, and internal/config/version.go states 0.3.0", null],
  "no section": [["v0.3.0"], "## [Unreleased]\n", false, "linux", "no section [0.3.0]", null],
  "a change that is not committed": [["v0.3.0"], dated, true, "linux", "changes that the tag v0.3.0 does not have", null],
  "no engine for Linux": [["v0.3.0"], dated, false, "nothing", "There is no engine for linux-x64", null],
};

for (const [name, [tags, changelog, changed, has, said, wanted]] of Object.entries(cases)) test(name, t => {
  const folder = mkdtempSync(join(tmpdir(), "parley-release-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const write = (file, text, mode) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text, { mode });
  };
  for (const name of ["release", "packages"]) {
    write(`scripts/${name}`, "", 0o755);
    copyFileSync(script(name), join(folder, "scripts", name));
  }
  write("web/compile.mjs", "");
  for (const name of ["client", "react"]) write(`web/${name}/package.json`, `{"name": "@parley/${name}", "version": "0.3.0"}`);
  write("internal/config/version.go", 'package config\n\nconst Version = "0.3.0"\n');
  write("CHANGELOG.md", changelog);
  for (const file of ["LICENSE", "web/dist/licenses.txt", "packaging/parley.service"]) write(file, `${file}\n`);
  write("tools/sbom.mjs", 'import { writeFileSync } from "node:fs"; writeFileSync(process.argv[2], process.argv[3]);');
  write(".gitignore", "/dist/\n/.tools/\n/web/*/LICENSE\n");
  write(".tools/go", go(has), 0o755);
  const git = (...args) => execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd: folder, stdio: "pipe" });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "first");
  for (const tag of tags) git("tag", "-a", "-m", tag, tag);
  if (changed) write("LICENSE", "changed\n");

  const env = { ...process.env, PATH: `${join(folder, ".tools")}:${process.env.PATH}` };
  const run = spawnSync(join(folder, "scripts/release"), { env, encoding: "utf8" });
  assert.ok((run.stdout + run.stderr).includes(said), run.stdout + run.stderr);
  assert.equal(run.status, wanted ? 0 : 1, run.stderr);
  if (!wanted) return;
  const files = readdirSync(join(folder, "dist"));
  const of = platform => new RegExp(`^${wanted}-${platform}\\.tar\\.gz$`);
  for (const platform of ["linux-x64", "linux-arm64", "darwin-arm64", "darwin-x64"]) {
    const archive = files.find(file => of(platform).test(file));
    assert.ok(archive, `${files} have none for ${platform}`);
    const inside = execFileSync("tar", ["-tzf", join(folder, "dist", archive)], { encoding: "utf8" });
    assert.equal(inside.includes("/dynoxide\n"), platform.startsWith("linux"), inside);
    for (const file of ["chat", "LICENSE", "LICENSES.txt", "parley.service", ".cdx.json"]) assert.ok(inside.includes(`${file}\n`), inside);
  }
  for (const name of ["client", "react"]) {
    const packed = files.find(file => new RegExp(`^${wanted.replace("parley", `parley-${name}`)}\\.tgz$`).test(file));
    assert.ok(packed, `${files} have no package ${name}`);
    assert.match(execFileSync("tar", ["-tzf", join(folder, "dist", packed)], { encoding: "utf8" }), /^package\/LICENSE$/m);
    assert.match(readFileSync(join(folder, "dist/SHA256SUMS"), "utf8"), new RegExp(`  ${packed}$`, "m"));
  }
  execFileSync("sha256sum", ["--check", "--strict", "--quiet", "SHA256SUMS"], { cwd: join(folder, "dist") });
  assert.equal(files.length, 8);
});
