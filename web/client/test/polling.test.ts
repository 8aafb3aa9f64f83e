// No socket can be had: rooms are read every few seconds. The clock is held unless a test moves it.
import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import type { Options } from "../src/index.js";
import { hold, release } from "./harness/clock.js";
import { firstTries } from "./harness/faults.js";
import { until } from "./harness/until.js";
import { World, opened, sent } from "./harness/world.js";

/** The time between two polls in milliseconds. */
const period = 3000;

async function polling(t: TestContext, o: Partial<Options>, live = true) {
  hold(t);
  const w = await World.open(t);
  await w.room("seattle", "amsg", "bob");
  w.network.live = live;
  const amsg = w.connect("amsg", o);
  const room = await opened(amsg, "seattle");
  return { w, amsg, room };
}

describe("polling", () => {
  test("shows posts, edits and deletions, and sends", async t => {
    const { w, amsg, room } = await polling(t, { socket: null });
    await until("the client polls", () => amsg.chat.state.value === "polling");
    const [first, second] = await w.post("bob", "seattle", "one", "two", "three");
    w.network.request = firstTries(1, "lose-answer");
    room.send("own");
    await w.idle();
    await w.pass(period); // it is tried again before
    await sent(room);
    await w.ask("bob", "PATCH", `/rooms/seattle/messages/${first?.id}`, { text: "edited" });
    await w.ask("bob", "DELETE", `/rooms/seattle/messages/${second?.id}`);
    release();
    await until("the changes are there", () => room.value.messages[0]?.text === "edited" && room.value.messages[1]?.deletedAt);
    await w.agrees(amsg, "seattle");
    assert.equal(w.network.opened, 0);
    assert.ok(!w.network.log.some(d => d.path.includes("/changes") && !d.path.includes("since=")), "the feed was read from the beginning");
  });

  test("begins when sockets fail, and ends when one can be had", async t => {
    const { w, amsg, room } = await polling(t, {}, false);
    await w.pass(10 * period);
    assert.equal(amsg.chat.state.value, "polling");
    await w.post("bob", "seattle", "polled");
    await until("the message is there", async () => {
      await w.pass(period);
      return room.value.messages.length === 1;
    });
    w.network.live = true;
    await w.pass(20_000); // the longest pause between two tries
    assert.equal(amsg.chat.state.value, "online");
    await w.post("bob", "seattle", "live");
    await until("the message is there", () => room.value.messages.length === 2);
    assert.ok(w.network.frames.some(f => JSON.stringify(f).includes('"live"')));
    await w.agrees(amsg, "seattle");
  });

  test("waits as long as a refusal says", async t => {
    const { w, amsg, room } = await polling(t, { socket: null });
    await until("the client polls", () => amsg.chat.state.value === "polling");
    await w.idle();
    w.network.request = () => ({ status: 429, retryAfter: 5 });
    const before = w.network.log.length;
    const reads = () => w.network.log.slice(before).filter(d => d.path.includes("/changes")).length;
    await w.post("bob", "seattle", "later");
    await w.pass(period);
    assert.equal(reads(), 1);
    await w.pass(4999);
    assert.equal(reads(), 1, "read again too early");
    w.network.heal();
    await w.pass(1);
    assert.equal(reads(), 2);
    release();
    await until("the message is there", () => room.value.messages.length === 1);
    await w.agrees(amsg, "seattle");
  });
});
