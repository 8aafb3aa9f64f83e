import assert from "node:assert/strict";
import { test } from "node:test";
import { nearNewer, nearOlder } from "../src/timeline/scroll.js";
import { below, endMargin, firstIndex, firstTop, isAtEnd, middleTop, scrolledBy } from "../src/timeline/scroll.js";

const at = (top: number, content = 5000, height = 800) => ({ top, height, content });

test("isAtEnd: near the end counts, and so does a log without a scroll bar", () => {
  assert.equal(below(at(4200)), 0);
  assert.ok(isAtEnd(at(4200 - endMargin)));
  assert.ok(!isAtEnd(at(4200 - endMargin - 1)));
  assert.ok(isAtEnd(at(0, 800)));
});

test("nearOlder and nearNewer: pages load well before their edge, and never both in a full window", () => {
  assert.ok(nearOlder(at(0, 20_000)) && !nearNewer(at(0, 20_000)));
  assert.ok(nearNewer(at(19_200, 20_000)) && !nearOlder(at(19_200, 20_000)));
  // 300 rows of one line, on a screen of 2,160 px.
  for (let top = 0; top <= 300 * 26 - 2160; top += 10) {
    const m = at(top, 300 * 26, 2160);
    assert.ok(!(nearOlder(m) && nearNewer(m)), `top ${top}`);
  }
});

test("firstIndex: the first that satisfies the test", () => {
  for (let n = 0; n < 9; n++) {
    for (let want = 0; want <= n; want++) assert.equal(firstIndex(n, i => i >= want), want);
  }
});

test("firstTop: the end if the unread messages fit, or else the line", () => {
  assert.equal(firstTop(at(0), undefined, 8), 4200);
  assert.equal(firstTop(at(0), 4500, 8), 4200);
  assert.equal(firstTop(at(0), 3000, 8), 2992);
  assert.equal(firstTop(at(0), 4, 8), 0);
  assert.equal(firstTop(at(0, 300), 4, 8), 0);
});

test("middleTop: the middle, the beginning of what is too high, and never beyond the ends", () => {
  assert.equal(middleTop(at(0), { top: 2000, height: 100 }), 1650);
  assert.equal(middleTop(at(0), { top: 2000, height: 2000 }), 2000);
  assert.equal(middleTop(at(0), { top: 10, height: 100 }), 0);
  assert.equal(middleTop(at(0), { top: 4900, height: 100 }), 4200);
});

test("scrolledBy: what the browser does when content becomes shorter is no scrolling", () => {
  assert.equal(scrolledBy(at(1000), 1000), 0);
  assert.equal(scrolledBy(at(900), 1000), -100);
  assert.equal(scrolledBy(at(1100), 1000), 100);
  assert.equal(scrolledBy(at(4200), 4300), 0);
  assert.equal(scrolledBy(at(4200), 4100), 100);
});
