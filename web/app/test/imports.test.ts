// No source and no folder may import itself through others, not even only for types, or dynamically.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { describe, test } from "node:test";

const web = join(process.env.PARLEY_REPOSITORY ?? "", "web");
const roots = ["app/src", "client/src"];

/** The sources that each source imports or exports from, by path without extension. */
type Graph = ReadonlyMap<string, readonly string[]>;

/** Returns the paths of a source's local imports. */
function importsOf(text: string): string[] {
  return [...text.matchAll(/(?:^(?:import|export)\b(?:[^;"]*?\bfrom)?\s*|\bimport\()"(\.[^"]+)\.js"/gm)].map(([, path]) => path!);
}

function read(folder: string): Graph {
  const names = readdirSync(join(web, folder), { recursive: true, encoding: "utf8" }).map(name => join(folder, name));
  return new Map(names.filter(name => /\.tsx?$/.test(name)).map(name => {
    const paths = importsOf(readFileSync(join(web, name), "utf8"));
    return [name.replace(/\.tsx?$/, ""), paths.map(path => join(dirname(name), path))];
  }));
}

/** Returns a circle that a source leads to. Path leads to the source; no source in done leads to a circle. */
function circleOf(graph: Graph, name: string, path: string[] = [], done = new Set<string>()): string[] | undefined {
  if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
  for (const next of done.has(name) ? [] : graph.get(name) ?? []) {
    const circle = circleOf(graph, next, [...path, name], done);
    if (circle) return circle;
  }
  done.add(name);
  return undefined;
}

/** Returns the folders that the sources of each folder import from. */
function folders(graph: Graph): Graph {
  const all = new Map<string, string[]>();
  for (const [name, paths] of graph) {
    const folder = dirname(name);
    all.set(folder, [...all.get(folder) ?? [], ...paths.map(dirname).filter(other => other !== folder)]);
  }
  return all;
}

describe("imports", () => {
  test("of sources and of folders have no circle", () => {
    const sources = new Map(roots.flatMap(root => [...read(root)]));
    assert.ok(sources.size > 0, "the sources are not found");
    for (const name of [...sources.values()].flat()) assert.ok(sources.has(name), `${name} is no source`);
    for (const graph of [sources, folders(sources)]) {
      for (const name of graph.keys()) assert.equal(circleOf(graph, name)?.join(" → "), undefined);
    }
  });

  test("of each form are found", () => {
    const found = ['import a from "./a.js";', 'import type {\n  B\n} from "../b.js";', 'export * from "./c.js";', 'void import("./d.js");'];
    const others = ['import e from "e";', 'export const f = "./f.js";'];
    assert.deepEqual(importsOf([...others, ...found, ...others].join("\n")), ["./a", "../b", "./c", "./d"]);
  });

  test("in a circle are listed", () => {
    const graph = new Map([["a", ["b"]], ["b", ["c", "d"]], ["c", []], ["d", ["b"]]]);
    assert.deepEqual(circleOf(graph, "a"), ["b", "d", "b"]);
  });
});
