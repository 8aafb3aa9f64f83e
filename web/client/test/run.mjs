// Runs the client's tests in Node against real servers: node web/client/test/run.mjs [NAME…] [--name=PATTERN] [--seed=N].
// It builds the server, unless CHAT_BIN names one, and bundles each test with the client's sources.
import { build } from "esbuild";
import { execFileSync, spawn } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const here = dirname(fileURLToPath(import.meta.url));
const repository = join(here, "../../..");
/** More files at once than cores: tests mostly wait. */
const filesAtOnce = 3;
/** A test that hangs ends the run here. */
const testTimeout = 90_000;

const { values: flags, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { name: { type: "string" }, seed: { type: "string" } },
});

const work = await mkdtemp(join(tmpdir(), "parley-suite-"));
let status = 1;
try {
  const files = (await readdir(here)).filter(f => f.endsWith(".test.ts")).map(f => basename(f, ".test.ts"))
    .filter(f => !wanted.length || wanted.includes(f));
  if (!files.length) throw new Error(`no tests: ${wanted}`);
  const chat = process.env.CHAT_BIN ?? join(work, "chat");
  if (!process.env.CHAT_BIN) execFileSync("go", ["build", "-o", chat, "./cmd/chat"], { cwd: repository, stdio: "inherit" });
  await build({
    entryPoints: files.map(f => join(here, `${f}.test.ts`)), outdir: work, outExtension: { ".js": ".cjs" }, absWorkingDir: here,
    bundle: true, platform: "node", format: "cjs", target: "node20", sourcemap: "inline", logLevel: "warning",
    external: ["bufferutil", "utf-8-validate", "esbuild"],
  });
  const child = spawn(process.execPath, [
    "--enable-source-maps", "--test", "--test-reporter=spec", `--test-concurrency=${filesAtOnce}`, `--test-timeout=${testTimeout}`,
    ...(flags.name ? [`--test-name-pattern=${flags.name}`] : []),
    ...files.map(f => join(work, `${f}.test.cjs`)),
  ], { stdio: "inherit", env: { ...process.env, CHAT_BIN: chat, CHAT_REPOSITORY: repository, SUITE_FOLDER: here, ...(flags.seed ? { SEED: flags.seed } : {}) } });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  status = await new Promise(done => child.on("exit", code => done(code ?? 1)));
} finally {
  await rm(work, { recursive: true, force: true });
}
process.exit(status);
