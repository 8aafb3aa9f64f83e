// Sending under each fault: a message is stored once, with the id that it had at first, and in the
// order of sending.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { firstTries, isPost } from "./harness/faults.js";
import { posted, type Fate, type Proxy } from "./harness/proxy.js";
import { until } from "./harness/until.js";
import { World, opened, sent } from "./harness/world.js";

const texts = ["one", "two", "three"];
/** Timers may fire this early. */
const early = 30;

/** Checks that all tries of a text had one id, and returns their number. */
function tries(network: Proxy, text: string, id: string): number {
  const posts = network.posts(text);
  for (const p of posts) assert.ok(id.startsWith(posted(p.body).id ?? "none"), `a try of ${text} has another id than ${id}: ${p.body}`);
  return posts.length;
}

describe("a message is stored once, with its first id, in order", { concurrency: 4 }, () => {
  const faults: [string, Fate, number][] = [
    ["if the request is lost", "lose-request", 1],
    ["if the answer is lost", "lose-answer", 2],
    ["if the network repeats it", "repeat", 1],
    ["if it arrives again after its answer", "echo", 1],
    ["if it is slow", { delay: 200 }, 1],
    ["if the store is unavailable", { status: 503, retryAfter: 1 }, 1],
    ["if the function is throttled", { status: 503 }, 1],
    ["if the function crashed", { status: 500 }, 1],
    ["if API Gateway refuses the rate", { status: 429, body: { message: "Too Many Requests" } }, 1],
  ];
  for (const [name, fate, faulty] of faults) test(name, async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    w.network.request = firstTries(faulty, fate);
    // A frame would tell the sender that the message is stored: no other try would come.
    if (fate === "lose-answer") w.network.frame = f => f.type === "changes" ? "drop" : "pass";
    const [amsg, bob] = await w.online("amsg", "bob");
    assert.ok(amsg && bob);
    const room = await opened(amsg, "seattle");
    const other = await opened(bob, "seattle");
    const ids = texts.map(text => room.send(text));
    assert.deepEqual(room.value.messages.map(m => [m.text, m.status]), texts.map(text => [text, "pending"]));
    await sent(room);
    w.network.heal();
    if (fate === "lose-answer") w.network.cut();
    const again = fate === "repeat" || fate === "echo" || typeof fate === "object" && "delay" in fate ? 0 : faulty;
    texts.forEach((text, n) => assert.equal(tries(w.network, text, ids[n] ?? ""), 1 + again, text));
    assert.deepEqual((await w.messages("amsg", "seattle")).map(m => m.id), ids);
    await w.agrees(amsg, "seattle");
    await w.agrees(bob, "seattle");
    assert.deepEqual(other.value.messages.map(m => m.text), texts);
  });
});

describe("the client waits as long as it is told", { concurrency: 3 }, () => {
  test("by Retry-After", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg");
    w.network.request = firstTries(1, { status: 429, retryAfter: 2 });
    const [amsg] = await w.online("amsg");
    assert.ok(amsg);
    const room = await opened(amsg, "seattle");
    room.send("patience");
    await sent(room);
    const [first, second] = w.network.posts("patience");
    assert.ok(first && second);
    const waited = second.at - first.end;
    assert.ok(waited >= 2000 - early && waited < 6000, `waited ${waited} ms`);
    await w.agrees(amsg, "seattle");
  });
  test("by the server's rate", async t => {
    const w = await World.open(t, "--send-rate", "1");
    await w.room("seattle", "amsg");
    const [amsg] = await w.online("amsg");
    assert.ok(amsg);
    const room = await opened(amsg, "seattle");
    const many = Array.from({ length: 16 }, (_, n) => `message ${n}`);
    many.forEach(text => room.send(text));
    await sent(room);
    const refused = w.network.posts().filter(p => p.status === 429);
    assert.ok(refused.length > 0, "the server refused nothing");
    assert.ok(refused.length <= many.length, `${refused.length} refusals: the client does not wait`);
    await w.stores("amsg", "seattle", many);
    await w.agrees(amsg, "seattle");
  });
  test("by a room's slow mode, without holding up another room", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    await w.room("tacoma", "amsg", "bob");
    await w.ask("amsg", "PUT", "/rooms/seattle", { slowModeSeconds: 2 });
    const [bob] = await w.online("bob");
    assert.ok(bob);
    const slow = await opened(bob, "seattle");
    const fast = await opened(bob, "tacoma");
    texts.slice(0, 2).forEach(text => slow.send(text));
    await until("the first is stored", () => slow.value.messages[0]?.status === undefined);
    texts.forEach(text => fast.send(text));
    await sent(fast);
    assert.equal(slow.value.messages[1]?.status, "pending", "the second came too early");
    await sent(slow);
    for (const r of ["seattle", "tacoma"]) await w.agrees(bob, r);
  });
});

describe("a message that the server refuses", { concurrency: 2 }, () => {
  test("fails with the reason, holds up nobody, and can be sent again", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    await w.ask("amsg", "PUT", "/rooms/seattle", { posting: "moderators" });
    const [bob] = await w.online("bob");
    assert.ok(bob);
    const room = await opened(bob, "seattle");
    const [first = "", second = ""] = ["refused", "refused too"].map(text => room.send(text));
    await until("both fail", () => room.value.messages.every(m => m.status === "failed"));
    for (const m of room.value.messages) assert.match(m.error ?? "", /\w+ \w+/);
    assert.equal(w.network.posts().length, 2, "a refusal is final");
    await w.ask("amsg", "PUT", "/rooms/seattle", { posting: "everyone" });
    room.discard(second);
    room.retry(first);
    await sent(room);
    assert.deepEqual((await w.messages("bob", "seattle")).map(m => m.id), [first]);
    await w.agrees(bob, "seattle");
  });
  test("is one that is too long, or for a room that is gone", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg");
    const [amsg] = await w.online("amsg");
    assert.ok(amsg);
    const room = await opened(amsg, "seattle");
    room.send("x".repeat(33 << 10));
    room.send("fits");
    await until("the second is stored", () => room.value.messages.some(m => m.text === "fits" && !m.status));
    assert.deepEqual(room.value.messages.map(m => m.status ?? "stored"), ["stored", "failed"]);
    room.discard(room.value.messages[1]?.id ?? "");
    await w.agrees(amsg, "seattle");
    const gone = amsg.chat.room("nowhere");
    await gone.open();
    assert.equal(gone.value.phase, "gone");
    gone.send("hello?");
    await until("it fails", () => gone.value.messages[0]?.status === "failed");
    assert.equal(w.network.posts("hello?").filter(p => isPost(p)).length, 1);
  });
});
