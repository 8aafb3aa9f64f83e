import assert from "node:assert/strict";
import { test } from "node:test";
import { wordsOf } from "../src/ui/inline.js";
import { isEmoji, isFewEmoji, parse, plain, type Piece } from "../src/ui/markup.js";

/** Writes pieces in brackets, so that a test shows them on one line. */
const shown = (pieces: readonly Piece[]): string => pieces.map(p => {
  if (typeof p === "string") return p;
  switch (p.kind) {
    case "code": return `[code ${p.text}]`;
    case "block": return `[${["block", p.language].filter(Boolean).join(":")} ${p.text}]`;
    case "list": return `[${p.start ?? "list"}${p.items.map(item => ` - ${shown(item)}`).join("")}]`;
    case "link": return shown(p.pieces) === p.href ? `[link ${p.href}]` : `[link ${shown(p.pieces)} -> ${p.href}]`;
    default: return `[${p.kind} ${shown(p.pieces)}]`;
  }
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
  ["the other marks", "_a_ ~~b~~ _*c*_ ~~**d** _e_~~", "[em a] [del b] [em [em c]] [del [strong d] [em e]]"],
  ["names of code are no emphasis", "snake_case_name __init__ _a 2_000_000 a~~b ~c~", "snake_case_name __init__ _a 2_000_000 a~~b ~c~"],
  ["a link with a text", "see [the **plan** `v2`](https://a.example/b_(c)).", "see [link the [strong plan] [code v2] -> https://a.example/b_(c)]."],
  ["emphasis around a link with a text", "**[a](https://a.example/)**", "[strong [link a -> https://a.example/]]"],
  ["emphasis does not cross a label", "*a [b* c](https://a.example/)", "[em a [b] c]([link https://a.example/])"],
  ["brackets in a label", "[[RFC] title](https://a.example/) [x] [y](z) [](https://a.example/)", "[link [RFC] title -> https://a.example/] [x] [y](z) []([link https://a.example/])"],
  ["a label has no link of its own", "[see https://a.example/b now](https://a.example/c)", "[link see https://a.example/b now -> https://a.example/c]"],
  ["a label ends on its line", "[a\nb](https://a.example/)", "[a\nb]([link https://a.example/])"],
  ["a label for the web only", "[a](javascript:alert(1)) [b](data:x) [c](//a.example) [d](https://u@a.example)", "[a](javascript:alert(1)) [b](data:x) [c](//a.example) [d](https://u@a.example)"],
  ["a label that is another address shows the real one", "[https://bank.example/](https://evil.example/x) [bank.example](https://evil.example/) [Log in at https://bank.example](https://evil.example/)", "[link https://evil.example/x] [link https://evil.example/] [link https://evil.example/]"],
  ["a disguise with invisible letters, a user, other dots or a turn", "[b\u00adank.example](https://evil.example/) [https://bank.example@x](https://evil.example/) [bank\u3002example](https://evil.example/) [\u202eelpmaxe.knab](https://evil.example/)", "[link https://evil.example/] [link https://evil.example/] [link https://evil.example/] [link https://evil.example/]"],
  ["a label that is the address stays", "[bank.example](https://www.bank.example/) [https://a.example/b](https://a.example/b)", "[link bank.example -> https://www.bank.example/] [link https://a.example/b]"],
  ["a label that is the name of a file stays", "[index.html](https://a.example/) [log.txt](https://a.example/) [setup.sh](https://a.example/)", "[link index.html -> https://a.example/] [link log.txt -> https://a.example/] [link https://a.example/]"],
  ["a label without a visible letter is none", "[\u200b](https://a.example/)", "[\u200b]([link https://a.example/])"],
  ["a room", "[#plans](#/plans-x1) [a](#/b/c) [d](#/e/f/g) [f](#g)", "[link #plans -> #/plans-x1] [link a -> #/b/c] [d](#/e/f/g) [f](#g)"],
  ["a list", "a\n* one\n* *two*\n\nb", "a[list - one - [em two]]\nb"],
  ["a list with numbers", "2. two\n3. three\n- x", "[2 - two - three][list - x]"],
  ["a list in a list", "- a\n  1. b\n  2. c\n- d\n\t- e", "[list - a[1 - b - c] - d[list - e]]"],
  ["what is no list", "-a\n- \n1.5 x\n2024. was good\n-- x", "-a\n- \n1.5 x\n2024. was good\n-- x"],
  ["a quote", "> a *b*\n>\n> - c\nd", "[quote a [em b]\n[list - c]]d"],
  ["what is no quote", ">_< >a\n>\n> \n>b", ">_< >a\n>\n> \n>b"],
  ["emphasis ends on its line", "*a\nb*", "*a\nb*"],
  ["the nearest opener counts", "*a *b*", "*a [em b]"],
  ["crossed emphasis closes the first that ends", "*a **b* c**", "[em a **b] c**"],
  ["longer runs are text", "***a*** ****", "***a*** ****"],
  ["emphasis in Chinese", "这是*强调*文字", "这是[em 强调]文字"],
  ["a block", "a\n```\nx *y*\n  z\n```\nb", "a[block x *y*\n  z]b"],
  ["a block within a line", "a ```x``` b", "a [block x] b"],
  ["the name of a language", "```go\nfunc f() {}\n```", "[block:go func f() {}]"],
  ["a first line of code stays", "```x = 1\ny = 2```", "[block x = 1\ny = 2]"],
  ["a block without an end is text", "``` a\n`b`", "``` a\n[code b]"],
  ["an empty block is text", "``````", "``````"],
  ["lone surrogates stay", "a\ud800*b*", "a\ud800[em b]"],
];

for (const [name, text, want] of cases) {
  test(`parse: ${name}`, () => assert.equal(shown(parse(text)), want));
}

test("parse: no text is lost", () => {
  const words = ["*", "**", "`", "```", "\n", " ", "a", "https://a.example", "(", ")", "é", "😀", "http://[", "\u202e", "_", "~~", "- ", "> ", "1. ", "[", "]", "](", "[x]"];
  let seed = 1;
  const next = () => (seed = (seed * 48271) % 2147483647);
  const bare = (s: string) => s.replace(/[-*_~`>•\s]|\d\./g, "");
  for (let i = 0; i < 2000; i++) {
    const text = Array.from({ length: 1 + next() % 12 }, () => words[next() % words.length]).join("");
    // The word after the beginning of a block may be left out as a language.
    if (/```[\w+#.-]+ *\n/.test(text)) continue;
    if (text.includes("](https:")) continue; // the address behind a label is not among its words
    assert.equal(bare(wordsOf(parse(text))), bare(text), JSON.stringify(text));
  }
});

test("parse: takes linear time", () => {
  const longest = 32 << 10;
  const nasty = ["*", "**a ", "*a **b", "`", "` ", "`\n", "```", "``` ", "http://[", "https://a.example/(", "(", "https://", "https://a)", "h", "\n", "a*", "*a*", "\u202e", "https://.", "😀", "``` \n", "[", "](", "[](http://", "[a](https://a.example/)", "[https://a](https://a", "[*a](https://a)", "]", "_", "~~a ", "- a\n", "- ", " - ", "1. a\n", "  - a\n", "> a\n", ">\n", "> ", "> - a\n", "- a\n  - b\n", "[a.", "](#/a"];
  for (const n of nasty) {
    const text = n.repeat(longest / n.length);
    const begin = process.cpuUsage(); // a busy machine does not count
    parse(text);
    isEmoji(text);
    isFewEmoji(text);
    plain(text);
    const ms = process.cpuUsage(begin).user / 1000;
    // The worst takes 10 ms; quadratic time would take seconds.
    assert.ok(ms < 250, `${JSON.stringify(n)} took ${ms} ms`);
  }
});

test("isEmoji: one emoji alone", () => {
  for (const s of ["🙌", " 👍🏽\n", "👩‍👩‍👧‍👦", "🇩🇪", "❤️", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏳️‍🌈", "☝🏽", "❤️‍🔥"]) assert.ok(isEmoji(s), s);
  for (const s of ["", " ", "1", "#", "a", "🙌🙌", "🙌 ok", "©", "🇩", "‍", "🏽a", "™"]) assert.ok(!isEmoji(s), s);
});

test("isFewEmoji: one to three emoji alone", () => {
  for (const s of ["🙌", "🙌🙌", "👍🏽 👩‍👩‍👧‍👦\n🇩🇪", "🎉🎉🎉", "🇩🇪🇫🇷"]) assert.ok(isFewEmoji(s), s);
  for (const s of ["", "🎉🎉🎉🎉", "🙌 ok", "1 2", "🎉".repeat(60)]) assert.ok(!isFewEmoji(s), s);
});

test("a text without its marks", () => {
  assert.equal(plain("see *the **new** one* `code`, https://a.example/b, 2*3"), "see the new one code, https://a.example/b, 2*3");
  assert.equal(plain("run\n```sh\nmake run\n```\nnow"), "run make run now");
  assert.equal(plain("to do:\n- ~~tea~~\n- [milk](https://a.example/)\n> _why_"), "to do: • tea • milk  why ");
  assert.equal(plain("1. a\n2. b"), " 1. a 2. b ");
  assert.equal(plain("cut off **in the"), "cut off **in the");
});
