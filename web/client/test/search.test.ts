// The search: results in pages, as they are needed, with each fault of the network.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RequestError, type SearchResult } from "../src/index.js";
import { searchPage } from "../src/search.js";
import { Gate } from "./harness/faults.js";
import type { Seen } from "./harness/proxy.js";
import { until } from "./harness/until.js";
import { inSeattle } from "./harness/world.js";

const isSearch = (r: Seen) => /\/search\?/.test(r.path);
const texts = async (found: AsyncIterable<SearchResult>) => {
  const all: string[] = [];
  for await (const { message } of found) all.push(message.text);
  return all;
};

describe("a search", { concurrency: 3 }, () => {
  test("finds messages, newest first, with their rooms and marks", async t => {
    const { w, amsg } = await inSeattle(t);
    await w.room("tacoma", "amsg");
    await w.post("amsg", "seattle", "the harbor at dawn", "nothing");
    await w.post("amsg", "tacoma", "Harbors");
    const all: SearchResult[] = [];
    for await (const r of amsg.chat.search("harbor", { around: true })) all.push(r);
    assert.deepEqual(all.map(r => r.message.text), ["Harbors", "the harbor at dawn"]);
    assert.deepEqual(all.map(r => r.marks), [[{ from: 0, to: 6 }], [{ from: 4, to: 10 }]]);
    assert.deepEqual(all.map(r => r.message.room), ["tacoma", "seattle"]);
    assert.equal(all[1]?.after?.text, "nothing");
    assert.deepEqual(await texts(amsg.chat.search("harbor", { room: "seattle" })), ["the harbor at dawn"]);
  });

  test("requests a page when it is needed, and again when it is lost", async t => {
    const { w, amsg } = await inSeattle(t);
    await w.post("amsg", "seattle", ...Array.from({ length: 7 }, (_, n) => `plan ${n}`));
    const seen = new Set<string>();
    w.network.request = r => !isSearch(r) || seen.has(r.path) ? "pass" : (seen.add(r.path), "lose-answer");
    const found = amsg.chat.search("plan", { limit: 3 })[Symbol.asyncIterator]();
    for (const n of [6, 5, 4]) assert.equal((await found.next()).value.message.text, `plan ${n}`);
    assert.equal(w.network.log.filter(isSearch).length, 2, "the second page was not needed yet");
    const rest: string[] = [];
    for (let r = await found.next(); !r.done; r = await found.next()) rest.push(r.value.message.text);
    assert.deepEqual(rest, ["plan 3", "plan 2", "plan 1", "plan 0"]);
  });

  test("reports the mistake in a query", async t => {
    const { amsg } = await inSeattle(t);
    await assert.rejects(texts(amsg.chat.search("ham has:wings")), (e: unknown) => {
      assert.ok(e instanceof RequestError);
      assert.equal(e.status, 422);
      assert.deepEqual(e.problem?.errors, [{ location: "q", message: "must have link, file or reaction after has:, at character 5" }]);
      return true;
    });
  });

  test("ends when it is aborted, without another request", async t => {
    const { w, amsg } = await inSeattle(t);
    await w.post("amsg", "seattle", "ham");
    const gate = new Gate();
    w.network.request = r => isSearch(r) ? gate.passed : "pass";
    const control = new AbortController();
    const page = searchPage(amsg.chat, "ham", { signal: control.signal });
    await until("it is sent", () => w.network.log.some(isSearch));
    control.abort(new Error("typed on"));
    await assert.rejects(page, /typed on/);
    await assert.rejects(texts(amsg.chat.search("ham", { signal: control.signal })), /typed on/);
    gate.open();
    assert.equal(w.network.log.filter(isSearch).length, 1);
  });
});
