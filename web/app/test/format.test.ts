import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrackets, prefixed } from "../src/composer/edits.js";
import { type Change, continued, linked, marked } from "../src/ui/format.js";

/** Returns a text after a change, with brackets around the selection. */
function after(text: string, change: Change | null): string | null {
  if (!change) return null;
  const out = text.slice(0, change.from) + change.text + text.slice(change.to);
  return `${out.slice(0, change.start)}<${out.slice(change.start, change.end)}>${out.slice(change.end)}`;
}

/** Calls a function with a text whose selection is in brackets. */
function at(shown: string, fn: (text: string, start: number, end: number) => Change | null): string | null {
  const start = shown.indexOf("<"), end = shown.indexOf(">") - 1;
  const text = shown.replace("<", "").replace(">", "");
  return after(text, fn(text, start, end));
}

const bold = (shown: string) => at(shown, (text, start, end) => marked(text, start, end, "**"));

test("marked: puts marks around words, and takes them away", () => {
  assert.equal(bold("a <b c >d"), "a **<b c>** d");
  assert.equal(bold("a **<b>** c"), "a <b> c");
  assert.equal(bold("a <**b**> c"), "a <b> c");
  assert.equal(bold("a <>"), "a **<>**");
  assert.equal(bold("a **<>**"), "a <>");
  assert.equal(bold("<- a\n\n1. b>"), "<- **a**\n\n1. **b**>");
  assert.equal(at("<a\nb>", (text, start, end) => marked(text, start, end, "`")), "<```\na\nb\n```>");
});

test("linked: a link that is pasted over words", () => {
  const paste = (shown: string, pasted: string) => at(shown, (text, start, end) => linked(text, start, end, pasted));
  assert.equal(paste("see <the plan> now", " https://a.example/b_(c)\n"), "see [the plan](https://a.example/b_%28c%29)<> now");
  for (const [shown, pasted] of [["a<>", "https://a.example"], ["<a>", "not a link"], ["<a>", "https://a.example b"], ["<https://b.example>", "https://a.example"], ["<a\nb>", "https://a.example"]] as const) {
    assert.equal(paste(shown, pasted), null, `${shown} ${pasted}`);
  }
});

test("continued: the next item of a list", () => {
  const enter = (text: string) => after(text, continued(text, text.length));
  assert.equal(enter("- a"), "- a\n- <>");
  assert.equal(enter("x\n  9. b"), "x\n  9. b\n  10. <>");
  assert.equal(enter("> q"), "> q\n> <>");
  assert.equal(enter("- a\n- "), "- a\n<>");
  assert.equal(enter("a"), null);
});

test("prefixed: lines get a mark, and lose it if each has it", () => {
  const listed = (shown: string) => at(shown, (text, start, end) => prefixed(text, start, end, "- "));
  assert.equal(listed("on<>e"), "- one<>");
  assert.equal(listed("a\nb<b\nc>c\nd"), "a\n<- bb\n- cc>\nd");
  assert.equal(listed("a\n<- bb\n- cc>\nd"), "a\n<bb\ncc>\nd");
});

test("inBrackets: words become the text of a link, whose address is selected", () => {
  const link = (shown: string) => at(shown, inBrackets);
  assert.equal(link("see <the plan>."), "see [the plan](<https://>).");
  assert.equal(link("<>"), "[text](<https://>)");
});
