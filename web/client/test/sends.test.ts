// Sending under each fault: a message is stored once, with the id that it had at first, and in the
// order of sending.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hold, release } from "./harness/clock.js";
import { Gate, firstTries, isPost } from "./harness/faults.js";
import { posted, type Fate, type Proxy } from "./harness/proxy.js";
import { until } from "./harness/until.js";
import { World, inSeattle, opened, sent } from "./harness/world.js";

const texts = ["one", "two", "three"];

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
    ["if the store is unavailable", { status: 503, retryAfter: 1 }, 1],
    ["if the function is throttled", { status: 503 }, 1],
    ["if the function crashed", { status: 500 }, 1],
    ["if API Gateway refuses the rate", { status: 429, body: { message: "Too Many Requests" } }, 1],
  ];
  for (const [name, fate, faulty] of faults) test(name, async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    const triesOf = firstTries(faulty, fate);
    w.network.request = triesOf;
    // A frame, or a read of changes, would tell the sender that the message is stored: no other try would come.
    if (fate === "lose-answer") {
      w.network.frame = f => f.type === "changes" ? "drop" : "pass";
      w.network.request = r => r.path.includes("/changes") ? { status: 503 } : triesOf(r);
    }
    const [amsg, bob] = await w.online("amsg", "bob");
    assert.ok(amsg && bob);
    const room = await opened(amsg, "seattle");
    const other = await opened(bob, "seattle");
    const ids = texts.map(text => room.send(text));
    assert.deepEqual(room.value.messages.map(m => [m.text, m.status]), texts.map(text => [text, "pending"]));
    await sent(room);
    w.network.heal();
    if (fate === "lose-answer") w.network.cut();
    await until("the echoes are over", () => w.network.log.every(d => d.ended));
    const again = fate === "repeat" || fate === "echo" ? 0 : faulty;
    texts.forEach((text, n) => assert.equal(tries(w.network, text, ids[n] ?? ""), 1 + again, text));
    assert.deepEqual((await w.messages("amsg", "seattle")).map(m => m.id), ids);
    await w.agrees(amsg, "seattle");
    await w.agrees(bob, "seattle");
    assert.deepEqual(other.value.messages.map(m => m.text), texts);
  });

  test("if it is slow", async t => {
    const { w, amsg, room } = await inSeattle(t);
    const [request, answer] = [new Gate(), new Gate()];
    w.network.request = r => isPost(r) ? request.passed : "pass";
    w.network.answer = r => isPost(r) ? answer.passed : "pass";
    w.network.frame = f => f.type === "changes" ? answer.passed : "pass";
    const ids = texts.map(text => room.send(text));
    await until("the first is on its way", () => w.network.posts().length === 1);
    request.open();
    await until("it is stored", () => w.network.posts()[0]?.status === 201);
    assert.deepEqual(room.value.messages.map(m => m.status), texts.map(() => "pending"));
    answer.open();
    await sent(room);
    assert.deepEqual(w.network.posts().map(p => posted(p.body).id), ids);
    await w.agrees(amsg, "seattle");
  });
});

describe("the client waits as long as the server asks", () => {
  test("by Retry-After", async t => {
    hold(t);
    const w = await World.open(t);
    await w.room("seattle", "amsg");
    w.network.request = firstTries(1, { status: 429, retryAfter: 2 });
    const [amsg] = await w.online("amsg");
    assert.ok(amsg);
    const room = await opened(amsg, "seattle");
    room.send("patience");
    await until("the first try is over", () => w.network.posts("patience")[0]?.ended);
    await w.pass(1999);
    assert.equal(w.network.posts("patience").length, 1, "too early");
    await w.pass(1);
    assert.equal(w.network.posts("patience").length, 2, "too late");
    await sent(room);
    await w.agrees(amsg, "seattle");
  });

  test("by the server's rate", async t => {
    hold(t);
    const w = await World.open(t, "--send-rate", "1");
    await w.room("seattle", "amsg");
    const [amsg] = await w.online("amsg");
    assert.ok(amsg);
    const room = await opened(amsg, "seattle");
    const many: string[] = [];
    const refused = () => w.network.posts().filter(p => p.status === 429).length;
    await until("the server refuses one", async () => {
      many.push(`message ${many.length}`);
      room.send(many.at(-1) ?? "");
      await until("it is answered", () => w.network.posts(many.at(-1)).some(p => p.ended));
      return refused() > 0;
    });
    many.push("the next one", "and another one");
    many.slice(-2).forEach(text => room.send(text));
    await w.pass(999); // it names a second at least
    assert.equal(refused(), 1);
    assert.equal(w.network.posts().length, many.length - 2, "the client does not wait");
    release();
    await sent(room);
    await w.stores("amsg", "seattle", many);
    await w.agrees(amsg, "seattle");
  });

  test("by a room's slow mode, without holding up another room", async t => {
    hold(t);
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    await w.room("tacoma", "amsg", "bob");
    await w.ask("amsg", "PUT", "/rooms/seattle", { slowModeSeconds: 60 });
    const [bob] = await w.online("bob");
    assert.ok(bob);
    const slow = await opened(bob, "seattle");
    const fast = await opened(bob, "tacoma");
    texts.slice(0, 2).forEach(text => slow.send(text));
    await until("the second is refused", () => w.network.posts("two").some(p => p.status === 429));
    texts.forEach(text => fast.send(text));
    await sent(fast);
    assert.deepEqual(slow.value.messages.map(m => m.status), [undefined, "pending"]);
    await w.pass(1000);
    assert.equal(w.network.posts("two").filter(p => p.path.includes("seattle")).length, 1, "the client does not wait");
    await w.ask("amsg", "PUT", "/rooms/seattle", { slowModeSeconds: 0 });
    await w.pass(59_000);
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
    const { w, amsg, room } = await inSeattle(t);
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
