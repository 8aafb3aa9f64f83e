// What a read marker must cover. It is pure.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Reading } from "../src/reading.js";

/** Returns a reading of a room that shows some messages, in their order. */
const showing = (...ids: string[]) => new Reading(id => ids.indexOf(id));

/** Moves a marker to a message, whose number the server answers. */
function moved(r: Reading, message: string, seq: number): void {
  r.mark(message);
  r.moved(seq);
}

describe("a marker moves again", () => {
  test("if the feed brings an earlier message after the marked one", () => {
    const r = showing("theirs", "own");
    r.created("own", 10);
    moved(r, "own", 10);
    assert.equal(r.missing, undefined);
    r.created("theirs", 11);
    assert.equal(r.missing, "theirs");
    moved(r, "theirs", 11);
    assert.equal(r.missing, undefined);
  });

  test("if the feed had an earlier message after the marked one", () => {
    const r = showing("theirs", "own");
    r.created("own", 10);
    r.created("theirs", 11);
    r.mark("own");
    assert.equal(r.missing, undefined, "the server has not answered");
    r.moved(10);
    assert.equal(r.missing, "theirs");
  });

  test("once the marked message is in the feed", () => {
    const r = showing("own");
    r.mark("own");
    r.created("own", 10);
    assert.equal(r.missing, undefined, "the server has not answered");
    r.moved(9);
    assert.equal(r.missing, "own");
  });

  test("for the last of several", () => {
    const r = showing("one", "two", "own");
    moved(r, "own", 9);
    r.created("two", 10);
    r.created("own", 11);
    r.created("one", 12);
    assert.equal(r.missing, "one");
  });
});

describe("a marker stays", () => {
  test("if a later message comes", () => {
    const r = showing("own", "theirs");
    moved(r, "own", 10);
    r.created("theirs", 11);
    assert.equal(r.missing, undefined);
  });

  test("if a message comes that is not shown", () => {
    const r = showing("own");
    moved(r, "own", 10);
    r.created("elsewhere", 11);
    assert.equal(r.missing, undefined);
  });

  test("if the server covers what was missing", () => {
    const r = showing("theirs", "own");
    r.created("own", 10);
    r.created("theirs", 11);
    moved(r, "own", 11);
    assert.equal(r.missing, undefined);
  });

  test("if it was moved back meanwhile", () => {
    const r = showing("theirs", "own");
    moved(r, "own", 10);
    r.mark("");
    r.created("theirs", 11);
    assert.equal(r.missing, undefined);
  });
});
