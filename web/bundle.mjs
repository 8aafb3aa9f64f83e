// Bundles the client and the app. The output depends on the sources alone, not on where they are.
import { build } from "esbuild";
import { readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the sources. */
export const root = dirname(fileURLToPath(import.meta.url));

// Paths in the output are relative to this folder, which is never written.
const out = join(root, "dist");

const common = {
  absWorkingDir: root, bundle: true, format: "esm", minify: true, target: ["es2022"], write: false,
  legalComments: "none", charset: "utf8", logLevel: "warning", outdir: out, metafile: true,
  preserveSymlinks: true, // the names of chunks must not depend on where node_modules is
};

const client = { ...common, entryPoints: [{ in: "client/src/index.ts", out: "client" }] };

// The app uses the file of the client that teams use, too.
const external = {
  name: "client",
  setup: b => b.onResolve({ filter: /^@parley\/client$/ }, () => ({ path: "/client.js", external: true })),
};

const app = {
  ...common, splitting: true, chunkNames: "chunks/[name]-[hash]",
  jsx: "automatic", jsxImportSource: "preact", plugins: [external],
  entryPoints: [{ in: "app/src/main.tsx", out: "app" }, { in: "app/src/styles/index.css", out: "app" }],
};

// Copied as they are.
const copied = ["index.html", "favicon.svg"];

/**
 * Returns the contents of all files by name, and the scripts that the first paint loads: the client,
 * the app, and what the app imports statically.
 */
export async function bundle() {
  const files = new Map();
  const outputs = {};
  for (const options of [client, app]) {
    const built = await build(options);
    for (const f of built.outputFiles) files.set(relative(out, f.path), Buffer.from(f.contents));
    Object.assign(outputs, built.metafile.outputs);
  }
  for (const name of copied) files.set(name, await readFile(join(root, "app", name)));
  return { files, scripts: ["client.js", ...imported(outputs, "dist/app.js")].map(n => n.replace(/^dist\//, "")) };
}

/** Returns a script and those that it imports statically, each once. */
function imported(outputs, script, seen = new Set()) {
  if (seen.has(script)) return [...seen];
  seen.add(script);
  for (const { path, kind, external } of outputs[script].imports) {
    if (kind === "import-statement" && !external) imported(outputs, path, seen);
  }
  return [...seen];
}
