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

// Every part that is loaded later imports the whole page, which has loaded it. So esbuild puts all
// code of the first paint into one chunk, which compresses better than one for each set of parts that
// share it.
const page = join(root, "app/src/app.tsx");
const oneChunk = {
  name: "one chunk",
  setup(b) {
    b.onResolve({ filter: /^\./ }, async ({ kind, path, importer, resolveDir }) => {
      if (kind !== "dynamic-import") return undefined;
      const found = await b.resolve(path, { importer, resolveDir, kind: "import-statement" });
      return { ...found, pluginData: { later: true } };
    });
    b.onLoad({ filter: /\.tsx?$/ }, async ({ path, pluginData }) => {
      if (!pluginData?.later) return undefined;
      const back = `./${relative(dirname(path), page)}`;
      return { contents: `import ${JSON.stringify(back)};\n${await readFile(path, "utf8")}`, loader: path.endsWith("x") ? "tsx" : "ts" };
    });
  },
};

const app = {
  ...common, splitting: true, chunkNames: "chunks/[name]-[hash]",
  jsx: "automatic", jsxImportSource: "preact", plugins: [oneChunk, external],
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
  const [outputs, inputs] = [{}, {}];
  for (const options of [client, app]) {
    const built = await build(options);
    for (const f of built.outputFiles) files.set(relative(out, f.path), Buffer.from(f.contents));
    Object.assign(outputs, built.metafile.outputs);
    Object.assign(inputs, built.metafile.inputs);
  }
  for (const name of copied) files.set(name, await readFile(join(root, "app", name)));
  files.set("licenses.txt", await licenses(Object.keys(inputs)));
  const scripts = ["client.js", ...imported(outputs, "dist/app.js")].map(n => n.replace(/^dist\//, ""));
  files.set("index.html", preloading(files.get("index.html"), scripts.filter(name => name !== "app.js")));
  return { files, scripts };
}

/** Returns the page with links that load scripts before the app asks for them. */
function preloading(html, scripts) {
  const links = scripts.map(name => `<link rel="modulepreload" href="/${name}">`).join("\n");
  return Buffer.from(html.toString().replace("<!-- scripts -->", () => links));
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

/** Returns the licences of the packages that the bundle contains: they ask for it. */
async function licenses(inputs) {
  const names = inputs.map(path => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]).filter(Boolean);
  const texts = [...new Set(names)].sort()
    .map(async name => `${name}\n\n${(await readFile(join(root, "node_modules", name, "LICENSE"), "utf8")).trim()}\n`);
  return Buffer.from((await Promise.all(texts)).join("\n\n"));
}
