// Builds the client and the app into dist, which chat embeds. With --check it writes nothing, and
// fails if dist differs from the output of the sources, or if a size is over its budget. With
// --out=DIR it writes elsewhere.
import { build } from "esbuild";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { basename, extname, join, parse, relative } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";

/** The folder of the sources. */
export const root = import.meta.dirname;

const KB = 1024; // as in the limits of the API
// Sizes with gzip: of the client's seven modules, of all scripts of the first paint, of these with
// document, styles and icon, and of the hooks for React, which no page of the server has.
const budgets = { client: 13 * KB, more: 10 * KB, files: 8 * KB, search: KB, notices: 3 * KB, cache: 5 * KB, scrub: 3 * KB, scripts: 55 * KB, page: 90 * KB, react: 2 * KB };

const common = {
  absWorkingDir: root, outdir: "dist", write: false, metafile: true, bundle: true, format: "esm", minify: true, target: ["es2022"],
  charset: "utf8", legalComments: "none", logLevel: "warning", tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
  preserveSymlinks: true, // packages are below the root, wherever node_modules is
};

/** The client's modules by the names of their files. */
const modules = {
  client: { source: "client/src/page.ts", name: "@parley/client" },
  more: { source: "client/src/more.ts", name: "@parley/client/more" },
  files: { source: "client/src/files.ts", name: "@parley/client/files" },
  search: { source: "client/src/search.ts", name: "@parley/client/search" },
  notices: { source: "client/src/notices.ts", name: "@parley/client/notices" },
  cache: { source: "client/src/cache.ts", name: "@parley/client/cache" },
  scrub: { source: "client/src/scrub.ts", name: "@parley/client/scrub" },
};

/** Keeps the client's modules apart. The page imports the files that other pages import, too. */
const separate = {
  name: "separate",
  setup: b => b.onResolve({ filter: /^@parley\/client|^\.\/(more|files|search|notices|cache|scrub)\.js$/ }, ({ path, importer }) => {
    const file = Object.keys(modules).find(file => modules[file].name === path || (importer.includes("client/src") && path === `./${file}.js`));
    return file && { path: `./${file}.js`, external: true };
  }),
};

const changed = edit => ({
  name: "changed",
  setup: b => b.onLoad({ filter: /\/(src\/.*\.(tsx?|css)|sw\.ts)$/ }, async ({ path }) => ({
    contents: edit(relative(root, path), await readFile(path, "utf8")), loader: extname(path).slice(1),
  })),
});

/**
 * Returns the contents of all files by name, and the names of the first paint's scripts. Edit may
 * change the text of a source; it is called with the source's path below the root and the text.
 */
export async function bundle(edit = (name, text) => text) {
  const alone = await build({ // each with its own copy of the little that others need, too
    ...common, plugins: [changed(edit), separate],
    entryPoints: [
      ...Object.entries(modules).map(([out, { source }]) => ({ in: source, out })), { in: "app/src/appearance.ts", out: "appearance" },
      { in: "app/src/styles/index.css", out: "app" }, { in: "app/src/styles/late.css", out: "late" },
    ],
  });
  const app = await build({
    ...common, plugins: [changed(edit), separate], splitting: true, chunkNames: "[name]-[hash]",
    jsx: "automatic", jsxImportSource: "preact", entryPoints: [{ in: "app/src/main.tsx", out: "app" }],
  });
  const joined = await joinFirst(app);
  const files = new Map([...alone.outputFiles, ...joined.outputFiles].filter(f => f.text).map(f => [basename(f.path), f.text]));
  const scripts = [...imported(joined.metafile.outputs, "dist/app.js")].map(path => basename(path));
  const preloads = scripts.filter(name => name !== "app.js").map(name => `<link rel="modulepreload" href="/${name}">\n`);
  const source = (name, encoding = "utf8") => readFile(join(root, "app", name), encoding);
  files.set("index.html", edit("app/index.html", await source("index.html")).replace("<script", preloads.join("") + "<script"));
  files.set("missing.html", await source("missing.html"));
  files.set("favicon.svg", await source("favicon.svg"));
  files.set("manifest.webmanifest", await source("manifest.webmanifest"));
  files.set("icon.png", await source("icon.png", null));
  files.set("sw.js", await worker([...files.keys()].filter(name => !name.endsWith(".html")), edit));
  files.set("licenses.txt", await licenses(Object.keys(app.metafile.inputs)));
  return { files, scripts: ["appearance.js", ...scripts] };
}

/**
 * Joins the scripts of the first paint into app.js: few start sooner than many, and splitting makes one for
 * each set of late scripts that share code. Late ones import from app.js (ADR 77).
 */
async function joinFirst({ outputFiles, metafile: { outputs } }) {
  const names = namesOf(outputs);
  const texts = new Map(outputFiles.map(f => [basename(f.path), f.text]));
  const first = [...imported(outputs, "dist/app.js")].map(path => basename(path)).filter(script => texts.has(script));
  const entry = "first"; // it exports what each of them does, under a name of its own
  const exportsOf = (script, line) => outputs[`dist/${script}`].exports.map(name => line(name, `_${first.indexOf(script)}${name}`)).join();
  texts.set(entry, first.map(script => `export{${exportsOf(script, (name, as) => `${name} as ${as}`)}}from"./${script}";`).join(""));
  const joined = {
    name: "joined",
    setup: b => {
      b.onResolve({ filter: /^/ }, ({ path, importer, kind, namespace }) => {
        const script = basename(path);
        const isLate = importer && importer !== entry && !first.includes(importer);
        if (kind === "entry-point") return { path: script, namespace: "script" };
        if (kind === "import-statement" && namespace === "script" && first.includes(script)) return { path: script, namespace: isLate ? "first" : "script" };
        return { path: `./${names.get(script)}`, external: true };
      });
      b.onLoad({ filter: /^/, namespace: "script" }, ({ path }) => ({ contents: texts.get(path) }));
      b.onLoad({ filter: /^/, namespace: "first" }, ({ path }) => ({ contents: `export{${exportsOf(path, (name, as) => `${as} as ${name}`)}}from"./app.js"` }));
    },
  };
  const late = [...texts.keys()].filter(script => script !== entry && !first.includes(script));
  return build({ ...common, plugins: [joined], entryPoints: [{ in: entry, out: "app" }, ...late.map(script => ({ in: script, out: parse(names.get(script)).name }))] });
}

/** Returns the service worker, which keeps the files with the given names. */
async function worker(names, edit) {
  const FILES = JSON.stringify(names.sort().map(name => `/${name}`));
  const { outputFiles } = await build({ ...common, plugins: [changed(edit)], define: { FILES }, entryPoints: ["app/sw.ts"] });
  return outputFiles[0].text;
}

/** Returns the hooks for React as one module. */
async function hooks() {
  const { outputFiles } = await build({ ...common, entryPoints: ["react/src/index.ts"], external: ["react", "@parley/*"] });
  return outputFiles[0].contents;
}

/** Returns the stable names of the outputs by the names that esbuild gave them. */
function namesOf(outputs) {
  const names = new Map(["app.js", ...Object.keys(modules).map(name => `${name}.js`)].map(name => [name, name]));
  for (const [path, { entryPoint, inputs }] of Object.entries(outputs)) {
    if (names.has(basename(path))) continue;
    const source = entryPoint ?? largest(inputs);
    const { dir, name } = parse(source);
    const stable = `${entryPoint ? "" : "shared-"}${name === "index" ? basename(dir) : name}.js`;
    if ([...names.values()].includes(stable)) throw new Error(`two scripts would be named ${stable}: rename ${source}`);
    names.set(basename(path), stable);
  }
  return names;
}

/** Returns the path of the largest source in an output. One without sources has esbuild's own runtime. */
const largest = inputs => Object.entries(inputs).sort(([, a], [, b]) => b.bytesInOutput - a.bytesInOutput)[0]?.[0] ?? "runtime.js";

/** Returns the path of an output, and of all that it imports statically. */
function imported(outputs, path, found = new Set([path])) {
  for (const { kind, path: to, external } of outputs[path].imports) {
    if (kind !== "import-statement" || found.has(to)) continue;
    found.add(to);
    if (!external) imported(outputs, to, found);
  }
  return found;
}

/** Returns the licences of the packages among the sources, of the emoji's names and of ThumbHash: they ask for it. */
async function licenses(sources) {
  const packages = new Set(sources.map(path => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]).filter(Boolean));
  const text = async name => `${name}\n\n${(await readFile(join(root, "node_modules", name, "LICENSE"), "utf8")).trim()}\n`;
  const emoji = `emojibase-data, for the names of emoji\n\n${(await readFile(join(root, "app/emoji-license.txt"), "utf8")).trim()}\n`;
  const thumbhash = `ThumbHash, on whose code client/src/thumbhash.ts is based\n\n${(await readFile(join(root, "client/thumbhash-license.txt"), "utf8")).trim()}\n`;
  return [...await Promise.all([...packages].sort().map(text)), emoji, thumbhash].join("\n\n");
}

/** Writes files to a folder, in place of all that is in it. */
export async function write(files, folder) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [name, text] of files) await writeFile(join(folder, name), text);
}

/** Returns the names of the files that are missing, changed or too many in a folder. */
async function differences(files, folder) {
  const stored = await readdir(folder);
  const differing = stored.filter(name => !files.has(name));
  for (const [name, text] of files) if (!stored.includes(name) || !(await readFile(join(folder, name))).equals(Buffer.from(text))) differing.push(name);
  return differing.sort();
}

async function main() {
  const { values: { check, out = join(root, "dist") } } = parseArgs({ options: { check: { type: "boolean" }, out: { type: "string" } } });
  const { files, scripts } = await bundle();
  const size = name => gzipSync(files.get(name), { level: 9 }).length;
  const sum = names => names.reduce((all, name) => all + size(name), 0);
  const totals = { client: size("client.js"), more: size("more.js"), files: size("files.js"), search: size("search.js"), notices: size("notices.js"), cache: size("cache.js"), scrub: size("scrub.js"), scripts: sum(scripts), page: sum([...scripts, "index.html", "app.css", "favicon.svg"]) };
  totals.react = gzipSync(await hooks(), { level: 9 }).length;
  const line = (bytes, words) => console.log(`${String(bytes).padStart(7)} B ${words}`);
  for (const name of [...files.keys()].sort()) line(size(name), `gzip  ${name}${scripts.includes(name) ? "  (first paint)" : ""}`);
  for (const what in totals) line(totals[what], `of ${budgets[what]}  ${what}`);
  if (!check) return write(files, out);
  const faults = Object.keys(totals).filter(what => totals[what] > budgets[what]).map(what => `${what}: ${totals[what]} B with gzip, over the budget of ${budgets[what]}`);
  const differing = await differences(files, out);
  if (differing.length) faults.push(`web/dist differs from its sources (${differing.join(", ")}): run make web`);
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length ? 1 : 0;
}

if (process.argv[1] === import.meta.filename) await main();
