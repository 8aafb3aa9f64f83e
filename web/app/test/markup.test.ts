import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
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
  ["an address without a scheme", "see www.a.example/b, now", "see [link www.a.example/b -> https://www.a.example/b], now"],
  ["a host without a scheme that reads as another is shown as the browser writes it", "www.\u0430\u0440\u0440\u04cf\u0435.com", "[link https://www.xn--80ak6aa92e.com/]"],
  ["no user before a host without a scheme", "www.bank.example@evil.example", "www.bank.example@evil.example"],
  ["a large letter in the scheme", "Https://a.example/b [x](HTTP://a.example/)", "[link Https://a.example/b -> https://a.example/b] [link x -> http://a.example/]"],
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
  ["a label that is another address is followed by the real one", "[https://bank.example/](https://evil.example/x) [bank.example](https://evil.example/) [Log in at https://bank.example](https://evil.example/)", "[link https://bank.example/ (https://evil.example/x) -> https://evil.example/x] [link bank.example (https://evil.example/) -> https://evil.example/] [link Log in at https://bank.example (https://evil.example/) -> https://evil.example/]"],
  ["a label that turns its direction is the real address", "[\u202eelpmaxe.knab](https://evil.example/)", "[link https://evil.example/]"],
  ["a label that is the address stays", "[bank.example](https://www.bank.example/) [https://a.example/b](https://a.example/b)", "[link bank.example -> https://www.bank.example/] [link https://a.example/b]"],
  ["a label that is the name of a file stays", "[index.html](https://a.example/) [log.txt](https://a.example/) [setup.sh](https://a.example/)", "[link index.html -> https://a.example/] [link log.txt -> https://a.example/] [link setup.sh (https://a.example/) -> https://a.example/]"],
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
  ["a block in a quote", "> quote\n> ```\n> code\n> ```\nafter", "[quote quote[block code]]after"],
  ["a block that begins a quote", "> ```go\n>   x := 1\n>\n> ```\n> and *more*", "[quote [block:go   x := 1\n]and [em more]]"],
  ["a quote within a block is code", "```\n> a\n```\n> b", "[block > a][quote b]"],
  ["a block that begins in a quote does not end outside", "> ```\n> a\nb\n```", "[quote ```\na]b\n```"],
  ["a block in an item", "- a\n  ```\n  x\n    y\n  ```\n- b", "[list - a[block x\n  y] - b]"],
  ["a block that begins an item", "1. ```sh\n   make\n   ```\n2. b", "[1 - [block:sh make] - b]"],
  ["a block after a blank line in an item", "- a\n\n  ```\n  x\n  ```\nb", "[list - a[block x]]b"],
  ["a block in a nested item", "- a\n  - b\n    ```\n    x\n    ```\n- c", "[list - a[list - b[block x]] - c]"],
  ["a block in the line of an item", "- run ```x``` or ```y``` now\n- b", "[list - run [block x] or [block y] now - b]"],
  ["a block in a list in a quote", "> - a\n>   ```\n>   x\n>   ```\nb", "[quote [list - a[block x]]]b"],
  ["a block after a list", "- a\n```\nx\n```\n- b", "[list - a][block x][list - b]"],
  ["a block with an indent, outside of a list", "a\n  ```\n  x\n   y\n  ```", "a[block x\n y]"],
  ["more backticks hold fewer", "````\n```\ninner\n```\n````", "[block ```\ninner\n```]"],
  ["more backticks that do not end", "````\n```\na\n```", "````[block a]"],
  ["code with backticks", "`` a`b `` ``c`` ` `d", "[code a`b] [code c] [code  ]d"],
  ["escapes", "\\*not bold\\* \\_a\\_ \\~~b~~ \\`c\\` \\[d](https://a.example/)", "*not bold* _a_ ~~b~~ `c` [d]([link https://a.example/])"],
  ["an escape of an escape", "\\\\*a* \\\\\\*b*", "\\[em a] \\*b*"],
  ["an escape of a quote and of items", "\\> a\n\\- b\n1\\. c", "> a\n- b\n1. c"],
  ["backslashes that escape nothing", "C:\\dir \\\\host\\share \\d+ \\.env a \\- b `\\*` ```\\_```", "C:\\dir \\\\host\\share \\d+ \\.env a \\- b [code \\*] [block \\_]"],
  ["marks in names and sums", "snake_case_name and __init__ and _it_, 2*3*4 = 24 and f(*args, **kwargs)", "snake_case_name and __init__ and [em it], 2*3*4 = 24 and f(*args, **kwargs)"],
  ["lone surrogates stay", "a\ud800*b*", "a\ud800[em b]"],
];

/** Labels that read as bank.example, and a host to which each may lead instead. */
const lures: readonly (readonly [name: string, label: string, host?: string])[] = [
  ["an arrow", "→ bank.example"], ["an arrow without a space", "→bank.example"], ["an emoji", "🔒bank.example"], ["quotes", "“bank.example”"],
  ["words", "Sign in at bank.example now"], ["capitals", "BANK.Example"], ["a path", "bank.example/login"], ["a port", "bank.example:443"],
  ["www", "www.bank.example"], ["a scheme", "ftp://bank.example"], ["a user", "https://bank.example@evil.example"], ["no host but a scheme", "https://intranet/x"],
  ["a number", "93.184.216.34"], ["a subdomain", "bank.example", "bank.example.evil.example"], ["a parent", "bank.example", "my.bank.example"],
  ["a longer name", "bank.example-login"], ["an end of it", "bank.example", "evilbank.example"], ["the real host after it", "bank.example evil.example"],
  ["the real host before it", "evil.example→bank.example"], ["the real host as a user", "evil.example@bank.example"],
  ["an invisible letter", "b\u00adank.example"], ["a joiner", "bank\u200b.example"], ["a grapheme joiner", "bank.exam\u034fple"], ["a tag", "bank.\u{e0061}example"],
  ["a selector", "bank\ufe0f.example"], ["a filler", "bank\u3164.example"], ["wide letters", "ｂａｎｋ．ｅｘａｍｐｌｅ"], ["bold letters", "𝐛𝐚𝐧𝐤.𝐞𝐱𝐚𝐦𝐩𝐥𝐞"],
  ["other dots", "bank\u3002example"], ["a leader", "bank\u2024example"], ["a letter like a dot", "bank\ua4f8example"], ["a digit like a dot", "bank\u0660example"],
  ["other slashes", "https:\u2044\u2044bank.example\u2215login"], ["other colons", "https\ua789//intranet"], ["backslashes", "https:\\\\bank.example"],
  ["spaces", "b a n k . e x a m p l e"], ["a space before the dot", "bank .example"], ["a space after the dot", "bank. example"], ["no-break spaces", "bank\u00a0.\u00a0example"],
  ["Cyrillic", "bаnk.example"], ["Cyrillic that is the host", "bаnk.example", "bаnk.example"], ["small capitals that are the host", "ʙank.example", "ʙank.example"],
  ["a slash within the host", "bank.example⁄login.evil.example", "bank.example⁄login.evil.example"],
];
for (const [name, label, host = "evil.example"] of lures) {
  test(`parse: a label in disguise keeps its address: ${name}`, () => {
    const { href } = new URL(`https://${host}/`);
    assert.equal(wordsOf(parse(`[${label}](https://${host}/)`)), `${label} (${href})`);
    assert.match(href, /^https:\/\/[\x20-\x7e]+$/);
  });
}

/** Labels of links to docs.example, which keep no address. */
const honest = [
  "the plan", "docs.example", "www.docs.example", "https://docs.example/a/v1.html#top.section", "see docs.example/a.b, please", "(docs.example)", "Docs.Example:443",
  "index.html", "main.go and style.css", "v1.2.3", "3.14", "wait...", "Loading... done", "A. Then B. Then C.", "U.S. law", "e.g. this", "10:30", "a/b", "👍🏽", "❤️", "计划", "Ünïcödé", "שלום", "$1.50", "1. First", "no. 5", "@ann", "#general",
];
test("parse: an honest label keeps no address", () => {
  for (const label of honest) assert.equal(wordsOf(parse(`[${label}](https://docs.example/x)`)), label);
});

test("parse: a host in one script stays as it is written, and one that may read as another shows its letters", () => {
  const hosts = ["bücher.example", "straße.example", "żółw.example", "việt.example", "россия.рф", "пример.укр", "例え.テスト", "中国.中国", "한국.한국", "مثال.example", "דוגמה.example", "उदाहरण.भारत", "ไทย.ไทย", "παράδειγμα.ελ", "a_b.example"];
  for (const host of hosts) assert.equal(wordsOf(parse(`https://${host}/x`)), `https://${host}/x`);
  const lookalikes = ["bаnk.example", "раураӏ.example", "аррӏе.com", "ʙank.example", "exampleノlogin.example", "bank⁄login.example", "bankｏ中.example", "bıt.example", "///bаnk.example", "νοτα.example", "xn--bcher-kva.аррӏе"];
  for (const host of lookalikes) {
    const { href } = new URL(`https://${host}/x`);
    assert.equal(wordsOf(parse(`https://${host}/x`)), href);
    assert.match(href, /xn--/);
  }
});

for (const [name, text, want] of cases) {
  test(`parse: ${name}`, () => assert.equal(shown(parse(text)), want));
}

test("parse: no text is lost", () => {
  const words = ["*", "**", "`", "```", "````", "\\", "  ", "\n", " ", "a", "https://a.example", "(", ")", "é", "😀", "http://[", "\u202e", "_", "~~", "- ", "> ", "1. ", "[", "]", "](", "[x]"];
  let seed = 1;
  const next = () => (seed = (seed * 48271) % 2147483647);
  const bare = (s: string) => s.replace(/[-*_~`>•\s\\]|\d\./g, "");
  for (let i = 0; i < 2000; i++) {
    const text = Array.from({ length: 1 + next() % 12 }, () => words[next() % words.length]).join("");
    // The word after the beginning of a block may be left out as a language.
    if (/```[\w+#.-]+ *\n/.test(text)) continue;
    if (text.includes("](https:")) continue; // the address behind a label is not among its words
    if (/https:\S*😀/.test(text)) continue; // a host that no script has is shown in ASCII
    assert.equal(bare(wordsOf(parse(text))), bare(text), JSON.stringify(text));
  }
});

test("parse: takes linear time", () => {
  const longest = 32 << 10;
  const han = String.fromCodePoint(...Array.from({ length: 20_000 }, (_, i) => 0x4e00 + i));
  const nasty = ["*", "**a ", "*a **b", "`", "` ", "`\n", "```", "``` ", "http://[", "https://a.example/(", "(", "https://", "https://a)", "h", "\n", "a*", "*a*", "\u202e", "https://.", "😀", "``` \n", "[", "](", "[](http://", "[a](https://a.example/)", "[https://a](https://a", "[*a](https://a)", "]", "_", "~~a ", "- a\n", "- ", " - ", "1. a\n", "  - a\n", "> a\n", ">\n", "> ", "> - a\n", "- a\n  - b\n", "[a.", "](#/a", "\\", "\\*", "\\\\*", "`` ", "``a", "````\n", "- ```\n", "- ```a```", "> ```\n", "  ```\n", "- a\n\n", "- a\n  ```\nx\n  ```\n", "> a\n```\n", "www.a", "www.a.b"];
  const fewer = (mark: string) => Array.from({ length: 240 }, (_, i) => mark.repeat(240 - i)).join(" ");
  const labels = ["a.", "a.b ", " .", ". ", "a ", "-", ".", "a", "\u00e9", "https://", "https:", "a.b/", "a.b@", "\u200b", "\u202f", "1.1.1.1", "a.example ", "a.example."];
  const texts = [
    ...nasty.map(n => n.repeat(longest / n.length)), ...labels.map(n => `[${n.repeat(longest / n.length)}](https://a.example/)`),
    fewer("`"), `- ${fewer("`")}`, fewer("\\"), `https://${han}`, `[${han}.example](https://a.example/)`, `[a](https://${han})`,
  ];
  for (const text of texts) {
    const begin = process.cpuUsage(); // a busy machine does not count
    parse(text);
    isEmoji(text);
    isFewEmoji(text);
    plain(text);
    const ms = process.cpuUsage(begin).user / 1000;
    // The worst takes 10 ms; quadratic time would take seconds.
    assert.ok(ms < 250, `${JSON.stringify(text.slice(0, 40))} took ${ms} ms`);
  }
});

test("isEmoji: exactly one emoji", () => {
  for (const s of ["🙌", " 👍🏽\n", "👩‍👩‍👧‍👦", "🇩🇪", "❤️", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏳️‍🌈", "☝🏽", "❤️‍🔥"]) assert.ok(isEmoji(s), s);
  for (const s of ["", " ", "1", "#", "a", "🙌🙌", "🙌 ok", "©", "🇩", "‍", "🏽a", "™"]) assert.ok(!isEmoji(s), s);
});

test("isFewEmoji: only one to three emoji", () => {
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

test("parse: links what the search for messages calls a link", () => {
  const cases = JSON.parse(readFileSync(join(process.env["PARLEY_REPOSITORY"] ?? ".", "internal/search/testdata/links.json"), "utf8")) as [string, boolean][];
  for (const [text, linked] of cases) assert.equal(parse(text).some(p => typeof p !== "string" && p.kind === "link"), linked, text);
});
