// Bundles tests with the client's sources, or with changed ones.
import { build } from "esbuild";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const here = dirname(fileURLToPath(import.meta.url));
const sources = join(here, "../src");
/** Gives a source of the client the clock of the harness. */
const clock = `import { Date, clearInterval, clearTimeout, setInterval, setTimeout } from "${join(here, "harness/clock.ts")}";`;

/**
 * Writes the tests NAME.test.ts as NAME.test.cjs to a folder. A mutant is a text of one source file
 * and what takes its place; the text must be there once.
 */
export async function bundle(names, folder, mutant) {
  await build({
    entryPoints: names.map(n => join(here, `${n}.test.ts`)), outdir: folder, outExtension: { ".js": ".cjs" }, absWorkingDir: here,
    bundle: true, platform: "node", format: "cjs", target: "node20", sourcemap: "inline", logLevel: "warning",
    external: ["bufferutil", "utf-8-validate", "esbuild", "playwright-core"],
    plugins: [client(mutant)],
  });
}

function client(mutant) {
  return {
    name: "client",
    setup(b) {
      b.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (dirname(path) !== sources) return undefined;
        const text = await readFile(path, "utf8");
        return { contents: clock + (path === join(sources, mutant?.file ?? "") ? mutated(text, mutant) : text), loader: "ts" };
      });
    },
  };
}

function mutated(text, { file, from, to }) {
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${from}`);
  return parts.join(to);
}
