import assert from "node:assert/strict";
import { test } from "node:test";
import { excerptOf, shown as unsigned } from "../src/search/excerpt.js";
import { completed, faultOf, filtersOf, fromPeople, toggled, withoutFilters, wordsIn } from "../src/search/query.js";

const shown = (query: string) => filtersOf(query).map(f => `${f.name}=${f.value}@${query.slice(f.from, f.to)}`).join(" ");

test("fromPeople: names among the words become the sender", () => {
  const people = [{ user: "kofi", name: "Kofi Mensah" }, { user: "olena", name: "Олена Коваль" }, { user: "kim", name: "Kim Ko" }];
  const offered = (query: string) => fromPeople(query, people, 2).map(o => o.query);
  assert.deepEqual(offered("migration kofi"), ["migration from:kofi"]);
  assert.deepEqual(offered("Kofi Mensah migration"), ["migration from:kofi"], "all parts of a name");
  assert.deepEqual(offered("олена план"), ["план from:olena"], "in any case");
  assert.deepEqual(offered("ko in:kitchen plan"), ["in:kitchen plan from:kofi", "in:kitchen plan from:kim"], "filters stay");
  assert.deepEqual(offered("kofi"), ["from:kofi"]);
  assert.deepEqual(offered("from Kofi migration from home"), ["migration from home from:kofi"], "the word before a name");
  assert.deepEqual(offered("k"), [], "one letter is no name");
  assert.deepEqual(offered("kofi from:kim"), [], "there is a sender");
  assert.deepEqual(offered("-kofi plan"), [], "what is excluded");
});

test("filtersOf: as the server reads them", () => {
  assert.equal(shown("ham from:me From:bob in: a:b"), "from=me@from:me from=bob@From:bob in=@in:");
  assert.equal(shown('"from:me in:x" -"has:file" -from:me'), "", "phrases and excluded words are no filters");
  assert.equal(shown('"open phrase from:me'), "", "a phrase that is still typed");
  assert.equal(shown("“from:me in:x” «has:file» „is:thread“ -“has:link\" from:me"), "from=me@from:me", "quotes of other forms");
  assert.equal(shown('ham"a phrase"from:me'), "from=me@from:me", "a phrase ends a word");
});

test("wordsIn: without filters, what is excluded, and quotes", () => {
  assert.deepEqual(wordsIn('Ham “two eggs" -rain -"light rain" from:me a:b'), ["Ham", "two", "eggs", "a:b"]);
});

test("toggled: adds a filter, and takes it away with the space around it", () => {
  assert.equal(toggled("", "has", "file"), "has:file");
  assert.equal(toggled("ham ", "has", "file"), "ham has:file");
  assert.equal(toggled("ham has:file  eggs", "has", "file"), "ham eggs");
  assert.equal(toggled("has:file has:file", "has", "file"), "");
  assert.equal(toggled("has:link", "has", "file"), "has:link has:file");
});

test("withoutFilters: keeps words and phrases as they are typed", () => {
  assert.equal(withoutFilters('on:2026-01-31 "two  spaces"  after:2026-01-01', f => f.name !== "in"), '"two  spaces"');
});

test("completed: the value of a filter, and the cursor behind it", () => {
  const [filter] = filtersOf("ham from:b eggs");
  assert.deepEqual(completed("ham from:b eggs", filter!, "bob"), { text: "ham from:bob eggs", at: 13 });
});

test("faultOf: a sentence, and the part of the query at fault", () => {
  const rule = "must have link, file or reaction after has:, at character 4";
  assert.deepEqual(faultOf(rule, "🍖a has:wings x"), { text: "The query must have link, file or reaction after has:", from: 4, to: 13 });
  assert.deepEqual(faultOf('must have another " after a phrase, at character 1', '"a phrase'), { text: 'The query must have another " after a phrase.', from: 0, to: 9 });
  assert.deepEqual(faultOf("must have at most 20 words and phrases", "a b"), { text: "The query must have at most 20 words and phrases." });
});

const marked = (text: string, ...marks: [number, number][]) =>
  excerptOf(text, marks.map(([from, to]) => ({ from, to })), 60).map(p => (p.marked ? `[${p.text}]` : p.text)).join("");

test("excerptOf: marks parts, and begins shortly before the first", () => {
  assert.equal(marked("ham and eggs", [0, 3], [8, 12]), "[ham] and [eggs]");
  assert.equal(marked("no mark"), "no mark");
  const long = `${"word ".repeat(40)}ham`;
  assert.equal(marked(long, [200, 203]), `…${"word ".repeat(11)}[ham]`);
  assert.equal(marked("火腿".repeat(100), [100, 102]), `…${"火腿".repeat(30)}[火腿]${"火腿".repeat(49)}`, "no spaces");
});

test("excerptOf: is as long as its lines, and cuts no character", () => {
  const all = excerptOf("ham ".repeat(1000), Array.from({ length: 1000 }, (_, i) => ({ from: 4 * i, to: 4 * i + 3 })), 60);
  assert.equal(all.map(p => p.text).join("").length, 400);
  assert.ok(marked("🍖".repeat(100), [121, 122]).startsWith("…🍖"));
});

test("shown: a text without the signs of its markup, with the marks where they are then", () => {
  const marked = (text: string, word: string) => {
    const from = text.indexOf(word);
    const { text: out, marks } = unsigned(text, [{ from, to: from + word.length }]);
    return marks.map(m => `${m.from} ${out.slice(m.from, m.to)}`).join(", ") + ` in ${JSON.stringify(out)}`;
  };
  assert.equal(marked("a **ham** and *eggs*", "eggs"), '10 eggs in "a ham and eggs"');
  assert.equal(marked("a **ham** x", "ham** x"), '2 ham, 5  x in "a ham x"');
  assert.equal(marked("> one\n> two\nthree", "two"), '5 two in "\\none\\ntwo\\nthree"');
  assert.equal(marked("- one\n- two", "two"), '5 two in "\\none\\ntwo\\n"');
  assert.equal(marked("[the plan](https://plan.example) now", "now"), '9 now in "the plan now"');
  assert.equal(marked("[the map](https://plan.example)", "plan"), '18 plan in "[the map](https://plan.example)"', "in an address");
});
