// Bundles the client and the app. The output depends on the sources alone, not on where they are.
import { build } from "esbuild";
import { minify } from "terser";
import { readFile, readdir } from "node:fs/promises";
import { dirname, extname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the sources. */
export const root = dirname(fileURLToPath(import.meta.url));

// Paths in the output are relative to this folder, which is never written.
const out = join(root, "dist");

const common = {
  absWorkingDir: root, bundle: true, format: "esm", minify: true, target: ["es2022"], write: false,
  legalComments: "none", tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } }, charset: "utf8", logLevel: "warning", outdir: out, metafile: true,
  preserveSymlinks: true, // the names of chunks must not depend on where node_modules is
};

// What only the parts of the client call each other, and no public type, frame or object of the browser
// has. A name that is missing here costs a few bytes.
export const internal = [
  "armed", "behind", "cast", "changed", "chat", "closed", "doubt", "each", "end", "ended", "ensure", "feed", "finish", "follow", "followed", "follower",
  "forget", "gone", "http", "live", "load", "loading", "mark", "marked", "meet", "moved", "need", "newId", "offline", "once", "opened", "patch",
  "personal", "position", "presence", "queue", "reachable", "received", "refresh", "remark", "ring", "show", "soon", "span", "start", "stop", "stops",
  "stored", "swap", "swapped", "take", "taken", "tell", "time", "tokens", "types", "unfollow", "unsent", "waiting", "wake", "wanted",
];

// The app uses the files of the client that teams use, too.
const external = {
  name: "client",
  setup: b => b.onResolve({ filter: /^@parley\/client(\/more)?$/ }, ({ path }) => ({ path: path.endsWith("more") ? "/more.js" : "/client.js", external: true })),
};

// The client's first module loads the second, which has a copy of the little that both need.
const second = {
  name: "more",
  setup: b => b.onResolve({ filter: /^\.\/more\.js$/ }, ({ path, kind }) => kind === "dynamic-import" ? { path, external: true } : undefined),
};

const page = join(root, "app/src/main.tsx");

/** Returns the sources that others import dynamically, without their extensions. */
async function lateParts() {
  const folder = join(root, "app/src");
  const names = (await readdir(folder, { recursive: true })).filter(name => /\.tsx?$/.test(name));
  const found = await Promise.all(names.map(async name => {
    const text = await readFile(join(folder, name), "utf8");
    return [...text.matchAll(/\bimport\("(\.[^"]*)\.js"\)/g)].map(([, path]) => join(folder, dirname(name), path));
  }));
  return new Set(found.flat());
}

// Every part of the app that is loaded later imports the whole page, which has loaded it. So esbuild puts all
// code of the first paint into one chunk, which compresses better than one for each set of parts that
// share it. A part may be imported statically, too, by another of them.
const sources = edit => ({
  name: "sources",
  setup(b) {
    const parts = lateParts();
    b.onLoad({ filter: /\.(tsx?|css)$/ }, async ({ path }) => {
      const text = edit(relative(root, path), await readFile(path, "utf8"));
      const back = (await parts).has(path.slice(0, -extname(path).length)) ? `import ${JSON.stringify(`./${relative(dirname(path), page)}`)};\n` : "";
      return { contents: back + text, loader: extname(path).slice(1) };
    });
  },
});

const module = (source, out) => (edit, mangleCache) => ({
  ...common, entryPoints: [{ in: `client/src/${source}.ts`, out }],
  mangleProps: new RegExp(`^(${internal.join("|")})$`), mangleCache, plugins: [second, sources(edit)],
});

const app = edit => ({
  ...common, splitting: true, chunkNames: "chunks/[name]-[hash]",
  jsx: "transform", jsxFactory: "h", jsxFragment: "Fragment", inject: ["app/src/jsx.ts"], plugins: [sources(edit), external],
  entryPoints: [{ in: "app/src/main.tsx", out: "app" }, { in: "app/src/styles/index.css", out: "app" }],
});

// Copied as they are.
const copied = ["index.html", "favicon.svg"];

/**
 * Returns the contents of all files by name, and the scripts that the first paint loads: the client
 * and the app, which imports nothing else statically. Edit may change the text of a source, which it
 * is told with its name below the root. Rough scripts have 3 % more bytes, and are there in a tenth
 * of the time.
 */
export async function bundle({ edit = (name, text) => text, rough = false } = {}) {
  const files = new Map();
  const [outputs, inputs] = [{}, {}];
  let shortened = {}; // alike in both modules of the client: each uses the objects of the other
  for (const part of [module("index", "client"), module("more", "more"), app]) {
    const built = await build(part(edit, shortened));
    shortened = built.mangleCache;
    for (const f of built.outputFiles) files.set(relative(out, f.path), Buffer.from(f.contents));
    Object.assign(outputs, built.metafile.outputs);
    Object.assign(inputs, built.metafile.inputs);
  }
  merge(files, outputs["dist/app.js"].imports[0].path.replace(/^dist\//, ""));
  for (const name of copied) files.set(name, Buffer.from(edit(`app/${name}`, await readFile(join(root, "app", name), "utf8"))));
  for (const [name, text] of files) if (name.endsWith(".js") && !rough) files.set(name, await shorter(text));
  files.set("licenses.txt", await licenses(Object.keys(inputs)));
  return { files, scripts: ["client.js", "app.js"] };
}

/**
 * Puts the chunk of the first paint in the place of app.js, which has nothing else than its import:
 * one request less. Names of chunks are hashes, so their text is nowhere else.
 */
function merge(files, chunk) {
  if (!/^import"[^"]*";\s*$/.test(files.get("app.js"))) throw new Error(`app.js has more than an import: ${files.get("app.js")}`);
  const local = name => `"./${name.replace(/^chunks\//, "")}"`;
  const chunks = [...files.keys()].filter(name => name.startsWith("chunks/"));
  let text = files.get(chunk).toString();
  for (const name of chunks) text = text.replaceAll(local(name), `"./${name}"`);
  files.set("app.js", Buffer.from(text));
  files.delete(chunk);
  for (const name of chunks.filter(name => name !== chunk)) {
    files.set(name, Buffer.from(files.get(name).toString().replaceAll(local(chunk), '"../app.js"')));
  }
}

/** Returns a script in fewer bytes: terser finds 3 % that esbuild leaves. */
async function shorter(text) {
  return Buffer.from((await minify(text.toString(), { module: true, ecma: 2022, compress: { passes: 3, unsafe_arrows: true } })).code);
}

/** Returns the licences of the packages that the bundle contains: they ask for it. */
async function licenses(inputs) {
  const names = inputs.map(path => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]).filter(Boolean);
  const texts = [...new Set(names)].sort()
    .map(async name => `${name}\n\n${(await readFile(join(root, "node_modules", name, "LICENSE"), "utf8")).trim()}\n`);
  return Buffer.from((await Promise.all(texts)).join("\n\n"));
}
