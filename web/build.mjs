// Builds the client and the app into dist, which chat embeds. With --check it writes nothing, and
// fails if dist differs from what the sources give. With --out=DIR it writes elsewhere.
import { build } from "esbuild";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";

const root = dirname(fileURLToPath(import.meta.url));
const { values: flags } = parseArgs({ options: { check: { type: "boolean" }, out: { type: "string" } } });
const dist = flags.out ?? join(root, "dist");

const common = {
  absWorkingDir: root, bundle: true, format: "esm", minify: true, target: ["es2022"], write: false,
  legalComments: "none", charset: "utf8", logLevel: "warning", outdir: dist, metafile: true,
};
const client = { ...common, entryPoints: [{ in: "client/src/index.ts", out: "client" }] };
const app = {
  ...common, splitting: true, chunkNames: "chunks/[name]-[hash]",
  jsx: "automatic", jsxImportSource: "preact",
  entryPoints: [{ in: "app/src/main.tsx", out: "app" }, { in: "app/src/styles/index.css", out: "app" }],
  // The app uses the file that teams use, too.
  plugins: [{ name: "client", setup: b => b.onResolve({ filter: /^@parley\/client$/ }, () => ({ path: "/client.js", external: true })) }],
};

const files = new Map();
for (const options of [client, app]) {
  for (const f of (await build(options)).outputFiles) files.set(relative(dist, f.path), Buffer.from(f.contents));
}
for (const name of ["index.html", "favicon.svg"]) files.set(name, await readFile(join(root, "app", name)));

if (flags.check) {
  const stored = (await readdir(dist, { recursive: true, withFileTypes: true })).filter(e => e.isFile())
    .map(e => relative(dist, join(e.parentPath, e.name)));
  const differing = [...new Set([...stored, ...files.keys()])].filter(name => !stored.includes(name) || !files.has(name));
  for (const [name, content] of files) {
    if (stored.includes(name) && !content.equals(await readFile(join(dist, name)))) differing.push(name);
  }
  if (differing.length) {
    console.error(`web/dist differs from its sources (${differing.sort().join(", ")}): run make web`);
    process.exit(1);
  }
} else {
  await rm(dist, { recursive: true, force: true });
  for (const [name, content] of files) {
    await mkdir(dirname(join(dist, name)), { recursive: true });
    await writeFile(join(dist, name), content);
  }
}
const sizes = [...files].map(([name, content]) => [name, gzipSync(content, { level: 9 }).length]);
for (const [name, size] of sizes.sort()) console.log(`${String(size).padStart(7)} B gzip  ${name}`);
