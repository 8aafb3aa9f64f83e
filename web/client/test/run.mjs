// Runs the client's tests in Node against real servers:
// node web/client/test/run.mjs [NAME…] [--name=PATTERN]
// SEED is the seed of random tests: a number, or random. NIGHTLY=1 takes a fresh seed and runs everything.
// It builds the server, unless CHAT_BIN names one, and bundles each test with the client's sources.
import { execFileSync, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundle, here } from "./bundle.mjs";

const repository = join(here, "../../..");
/** More concurrent files than cores: tests mostly wait. */
const filesAtOnce = 4;
/** Ends what hangs. Each wait of a test has a bound of its own. */
const testTimeout = 1_200_000;

const { values: flags, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { name: { type: "string" } },
});
const { SEED: given = process.env.NIGHTLY ? "random" : "1" } = process.env;
const seed = given === "random" ? randomInt(2 ** 31) : Number(given);
if (!Number.isFinite(seed)) throw new Error(`SEED is a number or random, not ${given}`);
if (given === "random") console.log(`repeat with SEED=${seed}`);
const chosen = name => !wanted.length || wanted.includes(name);

// A folder from which packages resolve.
const work = await mkdtemp(join(here, "../../node_modules/.suite-"));
let status = 1;
try {
  const found = await readdir(here);
  const bundled = found.filter(f => f.endsWith(".test.ts")).map(f => f.replace(".test.ts", "")).filter(chosen);
  const plain = found.filter(f => f.endsWith(".test.mjs") && chosen(f.replace(".test.mjs", "")));
  if (!bundled.length && !plain.length) throw new Error(`no tests: ${wanted}`);
  const chat = process.env.CHAT_BIN ?? join(work, "chat");
  if (!process.env.CHAT_BIN) execFileSync("go", ["build", "-o", chat, "./cmd/chat"], { cwd: repository, stdio: "inherit" });
  execFileSync(chat, ["token", "--data", join(work, "key"), "--as", "nobody"], { stdio: ["ignore", "ignore", "ignore"] });
  await bundle(bundled, work);
  const env = {
    ...process.env, CHAT_BIN: chat, CHAT_KEY: join(work, "key/issuer-key.pem"), CHAT_REPOSITORY: repository, SUITE_FOLDER: work, SEED: seed,
  };
  const child = spawn(process.execPath, [
    "--enable-source-maps", "--test", "--test-reporter=spec", `--test-concurrency=${filesAtOnce}`, `--test-timeout=${testTimeout}`,
    ...(flags.name ? [`--test-name-pattern=${flags.name}`] : []),
    ...bundled.map(name => join(work, `${name}.test.cjs`)), ...plain.map(f => join(here, f)),
  ], { stdio: "inherit", env });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  status = await new Promise(done => child.on("exit", code => done(code ?? 1)));
} finally {
  await rm(work, { recursive: true, force: true });
}
process.exit(status);
