// The bundle shortens names that the parts of the client call each other. A name that the server, a
// caller or the browser uses as well must keep its length.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { internal, root } from "../../bundle.mjs";

/**
 * Returns the names of the properties that sources in TypeScript declare. Of the generated types, only
 * the components exist in a running program.
 */
async function declared(...files) {
  const names = new Set();
  for (const file of files) {
    const text = await readFile(join(root, "client/src", file), "utf8");
    const from = Math.max(0, text.indexOf("export interface components"));
    for (const [, name] of text.slice(from).matchAll(/^\s*(?:readonly )?"?(\w+)"?\??(?:\(|:)/gm)) names.add(name);
  }
  return names;
}

/** Returns the names of the properties of every message over the socket. */
async function sent() {
  const names = new Set();
  const visit = node => {
    if (typeof node !== "object" || !node) return;
    for (const name of Object.keys(node.properties ?? {})) names.add(name);
    Object.values(node).forEach(visit);
  };
  visit(JSON.parse(await readFile(join(root, "../api/asyncapi.json"), "utf8")));
  return names;
}

test("no shortened name is public", async () => {
  const names = new Set([...(await declared("types.ts", "errors.ts", "api.gen.ts")), ...(await sent())]);
  for (const name of ["messages", "markRead", "receivedAt", "getToken", "head", "unread"]) assert(names.has(name), `${name} is not found`);
  assert.deepEqual(internal.filter(name => names.has(name)), []);
});
