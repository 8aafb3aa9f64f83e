// Checks that functions of the app, the client and its hooks stay within 60 lines, as Go's do. Tests
// and generated types are not read.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const MOST = 60; // lines, as funlen's limit in .golangci.yml
const FEWEST = 200; // files: fewer were not read

/** Returns the functions of a source that are too long, as the number of the first line and the length. */
function longFunctions(name, text) {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest);
  const found = [];
  const lineOf = at => source.getLineAndCharacterOfPosition(at).line;
  const visit = node => {
    if (ts.isFunctionLike(node) && node.body) {
      const first = lineOf(node.getStart(source));
      const lines = lineOf(node.end) - first + 1;
      if (lines > MOST) found.push({ line: first + 1, lines });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Checks that the check finds what is too long by a line, and nothing else. */
function testItself() {
  const lengths = lines => longFunctions("a.tsx", `const a = <A b={() => {${"\n".repeat(lines - 1)}}} />;`).map(f => f.lines);
  assert.deepEqual([MOST, MOST + 1].map(lengths), [[], [MOST + 1]]);
}

function main() {
  testItself();
  const read = folder => readdirSync(join(import.meta.dirname, folder), { recursive: true });
  const names = ["app", "client", "react"].flatMap(folder => read(folder)
    .map(name => join(folder, name))
    .filter(name => /\.tsx?$/.test(name) && !/\.gen\.ts$|[\\/](test|node_modules)[\\/]/.test(name)));
  const faults = names.flatMap(name => longFunctions(name, readFileSync(join(import.meta.dirname, name), "utf8"))
    .map(({ line, lines }) => `web/${name}:${line}: a function of ${lines} lines, over ${MOST}: divide it`));
  if (names.length < FEWEST) faults.push(`${names.length} files were read`);
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length ? 1 : 0;
}

main();
