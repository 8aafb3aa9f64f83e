import assert from "node:assert/strict";
import { test } from "node:test";
import { hasEnded } from "../src/polls/ended.js";
import { faultOf, pollOf } from "../src/polls/rules.js";

const draft = { options: [" Tuesday ", "", "Friday"], multiple: false, anonymous: false, seconds: 0 };

test("pollOf: the options that are not empty, and only what was chosen", () => {
  assert.deepEqual(pollOf(draft, 0), { options: ["Tuesday", "Friday"] });
  assert.deepEqual(pollOf({ ...draft, multiple: true, anonymous: true, seconds: 60 }, 0),
    { options: ["Tuesday", "Friday"], multiple: true, anonymous: true, endsAt: "1970-01-01T00:01:00.000Z" });
});

test("faultOf: options that are alike, or longer than the API takes", () => {
  assert.equal(faultOf(draft), "");
  assert.equal(faultOf({ ...draft, options: ["a", "b", " a"] }), "The options must differ.");
  assert.equal(faultOf({ ...draft, options: ["a", "é".repeat(100)] }), "");
  assert.equal(faultOf({ ...draft, options: ["a", "é".repeat(101)] }), "An option is too long.");
});

test("hasEnded: from its end on, and never without one", () => {
  const poll = { options: [], voters: 0 };
  assert.equal(hasEnded(poll, 1), false);
  assert.deepEqual([999, 1000].map(now => hasEnded({ ...poll, endsAt: "1970-01-01T00:00:01Z" }, now)), [false, true]);
});
