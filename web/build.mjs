// Builds the client and the app into dist, which chat embeds. With --check it writes nothing, and
// fails if dist differs from what the sources give, or if a file is over its budget. With --out=DIR
// it writes elsewhere.
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { bundle, root } from "./bundle.mjs";

// A KB has 1,024 bytes, as in the limits of the API.
const KB = 1024;
// Sizes on the wire, in bytes with gzip. A slow line of 400 kbit/s takes a second for the first paint.
const budgets = { client: 8 * KB, more: 4 * KB, scripts: 25 * KB, page: 45 * KB };

const { values: flags } = parseArgs({ options: { check: { type: "boolean" }, out: { type: "string" } } });
const dist = flags.out ?? join(root, "dist");

const { files, scripts } = await bundle();
const faults = flags.check ? [...(await differences()), ...excesses()] : [];
if (!flags.check) await write();
report();
for (const fault of faults) console.error(fault);
if (faults.length) process.exitCode = 1;

/** Returns a sentence that names the files that are missing, changed or too many in dist. */
async function differences() {
  const stored = (await readdir(dist, { recursive: true, withFileTypes: true })).filter(e => e.isFile())
    .map(e => relative(dist, join(e.parentPath, e.name)));
  const differing = [];
  for (const name of new Set([...stored, ...files.keys()])) {
    const same = stored.includes(name) && files.get(name)?.equals(await readFile(join(dist, name)));
    if (!same) differing.push(name);
  }
  return differing.length ? [`web/dist differs from its sources (${differing.sort().join(", ")}): run make web`] : [];
}

function size(name) {
  return gzipSync(files.get(name), { level: 9 }).length;
}

/** Returns what the first paint transfers, by budget. */
function totals() {
  const sum = names => names.reduce((all, name) => all + size(name), 0);
  return {
    client: size("client.js"), more: size("more.js"), scripts: sum(scripts),
    page: sum([...scripts, "index.html", "app.css", "favicon.svg"]),
  };
}

function excesses() {
  return Object.entries(totals()).filter(([what, bytes]) => bytes > budgets[what])
    .map(([what, bytes]) => `${what}: ${bytes} B with gzip, over the budget of ${budgets[what]}`);
}

async function write() {
  await rm(dist, { recursive: true, force: true });
  for (const [name, content] of files) {
    await mkdir(dirname(join(dist, name)), { recursive: true });
    await writeFile(join(dist, name), content);
  }
}

function report() {
  for (const name of [...files.keys()].sort()) {
    console.log(`${String(size(name)).padStart(7)} B gzip  ${name}${scripts.includes(name) ? "  (first paint)" : ""}`);
  }
  for (const [what, bytes] of Object.entries(totals())) console.log(`${String(bytes).padStart(7)} B of ${budgets[what]}  ${what}`);
}
