// The part of a text that shows what was found.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import type { Mark } from "@parley/client";
import { excerptOf, shown } from "../src/search/excerpt.js";

/** Returns the marks of a word in a text. */
const marksOf = (text: string, word: string): Mark[] => [...text.matchAll(new RegExp(word, "g"))].map(m => ({ from: m.index, to: m.index + word.length }));

/** Returns the marked parts of a text. */
const marked = (s: { readonly text: string; readonly marks: readonly Mark[] }): string[] => s.marks.map(m => s.text.slice(m.from, m.to));

test("marks are moved with the signs of a markup left out", () => {
  assert.deepEqual(marked(shown("see *lunch* and\n- lunch\n- tea", marksOf("see *lunch* and\n- lunch\n- tea", "lunch"))), ["lunch", "lunch"]);
  assert.deepEqual(marked(shown("*a b* c", [{ from: 1, to: 7 }])), ["a b", " c"], "a mark over two pieces");
  assert.deepEqual(shown("\\*a\\* b", [{ from: 2, to: 3 }, { from: 6, to: 7 }]), { text: "*a* b", marks: [{ from: 1, to: 2 }, { from: 4, to: 5 }] }, "marks around escapes");
  assert.deepEqual(marked(shown("*a* b *c*", [{ from: 1, to: 2 }, { from: 4, to: 5 }, { from: 7, to: 8 }])), ["a", "b", "c"]);
});

test("each mark is looked at some times, however many lines and marks there are", () => {
  const text = "a\n".repeat(8000);
  let reads = 0;
  const marks = new Proxy(marksOf(text, "a"), { get: (all, name) => { reads++; return Reflect.get(all, name); } });
  const s = shown(text, marks);
  assert.equal(s.marks.length, 8000);
  assert.ok(reads < 10 * 8000, `${reads} reads of 8000 marks`);
  assert.equal(excerptOf(s.text, s.marks, 40).filter(p => p.marked).length, 200, "an excerpt has 400 code units");
});
