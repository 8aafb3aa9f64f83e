import assert from "node:assert/strict";
import { test } from "node:test";
import { isEmoji, parse, plain, type Piece } from "../src/ui/markup.js";

/** Writes pieces in brackets, so that a test shows them on one line. */
const shown = (pieces: readonly Piece[]): string => pieces.map(p => {
  if (typeof p === "string") return p;
  if (p.kind === "em" || p.kind === "strong") return `[${p.kind} ${shown(p.pieces)}]`;
  return p.kind === "link" && p.href !== p.text ? `[link ${p.text} -> ${p.href}]` : `[${p.kind} ${p.text}]`;
}).join("");

const cases: readonly (readonly [name: string, text: string, want: string])[] = [
  ["plain text stays", "1 < 2 && \"x\" <b>no</b>", "1 < 2 && \"x\" <b>no</b>"],
  ["a link", "see https://a.example/b?c=d#e now", "see [link https://a.example/b?c=d#e] now"],
  ["a link without a path has one in its address", "http://a.example", "[link http://a.example -> http://a.example/]"],
  ["a link ends before the sentence does", "(https://a.example/b). Or https://a.example/c, yes", "([link https://a.example/b]). Or [link https://a.example/c], yes"],
  ["brackets of the address belong to it", "https://a.example/b_(c) (https://a.example/d_(e))", "[link https://a.example/b_(c)] ([link https://a.example/d_(e)])"],
  ["a link ends at quotes and angle brackets", "<https://a.example/b>\"https://a.example/c\"", "<[link https://a.example/b]>\"[link https://a.example/c]\""],
  ["no link within a word", "xhttps://a.example/", "xhttps://a.example/"],
  ["a link after Chinese", "看https://a.example/b。好", "看[link https://a.example/b]。好"],
  ["no other schemes", "javascript:alert(1) data:text/html,x file:///etc ftp://a.example vbscript:x JAVASCRIPT://a", "javascript:alert(1) data:text/html,x file:///etc ftp://a.example vbscript:x JAVASCRIPT://a"],
  ["an address that is none stays text", "http:// https://. http://[ https://a:b:c http://*x*", "http:// https://. http://[ https://a:b:c http://*x*"],
  ["no user before the host", "https://bank.example@evil.example/ https://u:p@a.example", "https://bank.example@evil.example/ https://u:p@a.example"],
  ["a link ends at a change of direction", "https://a.example/\u202egnp.exe", "[link https://a.example/]\u202egnp.exe"],
  ["code", "run `chat *serve* https://a.example` now", "run [code chat *serve* https://a.example] now"],
  ["code ends on its line", "a ` b\nc ` d", "a ` b\nc ` d"],
  ["empty code is text", "a `` b", "a `` b"],
  ["emphasis", "*a* **b** *c **d** e* **f *g* h**", "[em a] [strong b] [em c [strong d] e] [strong f [em g] h]"],
  ["emphasis across a link", "*see https://a.example/b*", "[em see [link https://a.example/b]]"],
  ["arithmetic is no emphasis", "2*3*4 = 24, a * b * c, x**2 + y**2", "2*3*4 = 24, a * b * c, x**2 + y**2"],
  ["a list is no emphasis", "* one\n* two", "* one\n* two"],
  ["emphasis ends on its line", "*a\nb*", "*a\nb*"],
  ["the nearest opener counts", "*a *b*", "*a [em b]"],
  ["crossed emphasis closes the first that ends", "*a **b* c**", "[em a **b] c**"],
  ["longer runs are text", "***a*** ****", "***a*** ****"],
  ["emphasis in Chinese", "这是*强调*文字", "这是[em 强调]文字"],
  ["a block", "a\n```\nx *y*\n  z\n```\nb", "a[block x *y*\n  z]b"],
  ["a block within a line", "a ```x``` b", "a [block x] b"],
  ["the name of a language is left out", "```go\nfunc f() {}\n```", "[block func f() {}]"],
  ["a first line of code stays", "```x = 1\ny = 2```", "[block x = 1\ny = 2]"],
  ["a block without an end is text", "``` a\n`b`", "``` a\n[code b]"],
  ["an empty block is text", "``````", "``````"],
  ["lone surrogates stay", "a\ud800*b*", "a\ud800[em b]"],
];

for (const [name, text, want] of cases) {
  test(`parse: ${name}`, () => assert.equal(shown(parse(text)), want));
}

test("parse: no text is lost", () => {
  const words = ["*", "**", "`", "```", "\n", " ", "a", "https://a.example", "(", ")", "é", "😀", "http://[", "\u202e"];
  let seed = 1;
  const next = () => (seed = (seed * 48271) % 2147483647);
  const bare = (s: string) => s.replace(/[*`\n]/g, "");
  const flat = (ps: readonly Piece[]): string => ps.map(p => typeof p === "string" ? p : "pieces" in p ? flat(p.pieces) : p.text).join("");
  for (let i = 0; i < 2000; i++) {
    const text = Array.from({ length: 1 + next() % 12 }, () => words[next() % words.length]).join("");
    // The word after the beginning of a block may be left out as a language.
    if (/```[\w+#.-]+ *\n/.test(text)) continue;
    assert.equal(bare(flat(parse(text))), bare(text), JSON.stringify(text));
  }
});

test("parse: takes linear time", () => {
  const longest = 32 << 10;
  const nasty = ["*", "**a ", "*a **b", "`", "` ", "`\n", "```", "``` ", "http://[", "https://a.example/(", "(", "https://", "https://a)", "h", "\n", "a*", "*a*", "\u202e", "https://.", "😀", "``` \n"];
  for (const n of nasty) {
    const text = n.repeat(longest / n.length);
    const begin = process.cpuUsage(); // a busy machine does not count
    parse(text);
    isEmoji(text);
    const ms = process.cpuUsage(begin).user / 1000;
    // The worst takes 10 ms; quadratic time would take seconds.
    assert.ok(ms < 250, `${JSON.stringify(n)} took ${ms} ms`);
  }
});

test("isEmoji: one emoji alone", () => {
  for (const s of ["🙌", " 👍🏽\n", "👩‍👩‍👧‍👦", "🇩🇪", "❤️", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏳️‍🌈", "☝🏽", "❤️‍🔥"]) assert.ok(isEmoji(s), s);
  for (const s of ["", " ", "1", "#", "a", "🙌🙌", "🙌 ok", "©", "🇩", "‍", "🏽a", "™"]) assert.ok(!isEmoji(s), s);
});

test("a text without its marks", () => {
  assert.equal(plain("see *the **new** one* `code`, https://a.example/b, 2*3"), "see the new one code, https://a.example/b, 2*3");
  assert.equal(plain("run\n```sh\nmake run\n```\nnow"), "run make run now");
  assert.equal(plain("cut off **in the"), "cut off **in the");
});
