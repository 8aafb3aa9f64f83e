import assert from "node:assert/strict";
import { test } from "node:test";
import { mentionsIn, queryOf } from "../src/composer/mentions.js";

test("queryOf: what follows an @ that begins a word, with one space at most", () => {
  assert.equal(queryOf("ask @"), "");
  assert.equal(queryOf("@bo"), "bo");
  assert.equal(queryOf("(@Bob Ba"), "Bob Ba");
  assert.equal(queryOf("ask @Bob Baker when"), null);
  assert.equal(queryOf("ann@example"), null);
  assert.equal(queryOf("@bob "), null);
});

test("mentionsIn: each of the chosen once, if the name still stands in the text", () => {
  const [bob, cem, all] = [{ user: "bob", name: "Bob Baker" }, { user: "cem", name: "cem" }, { user: "", name: "room" }];
  assert.deepEqual(mentionsIn("@Bob Baker and @Bob Baker", [bob, bob, cem]), { mentions: ["bob"] });
  assert.deepEqual(mentionsIn("@room: lunch", [all, cem]), { mentionRoom: true });
  assert.deepEqual(mentionsIn("nobody", [bob, all]), {});
  const many = Array.from({ length: 30 }, (_, i) => ({ user: `u${i}`, name: `u${i}.` }));
  assert.equal(mentionsIn(many.map(m => `@${m.name}`).join(" "), many).mentions?.length, 20);
});
