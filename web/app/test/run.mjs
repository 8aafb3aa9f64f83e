// Runs the tests of the app's pure parts: esbuild translates them, and node --test runs them.
import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = mkdtempSync(join(tmpdir(), "parley-app-"));
try {
  const tests = readdirSync(here).filter(f => /\.test\.tsx?$/.test(f));
  await build({
    entryPoints: tests.map(f => join(here, f)), outdir: out, outExtension: { ".js": ".mjs" }, bundle: true,
    format: "esm", platform: "node", target: "node20", jsx: "automatic", jsxImportSource: "preact", logLevel: "warning",
  });
  const files = tests.map(f => join(out, f.replace(/\.tsx?$/, ".mjs")));
  const { status } = spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit", env: { ...process.env, PARLEY_REPOSITORY: join(here, "../../..") } });
  process.exitCode = status ?? 1;
} finally {
  rmSync(out, { recursive: true });
}
