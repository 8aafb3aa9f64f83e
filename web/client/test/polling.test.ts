// No socket can be had: rooms are read every few seconds.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { firstTries } from "./harness/faults.js";
import { until } from "./harness/until.js";
import { World, opened, sent } from "./harness/world.js";

describe("polling", { concurrency: 3 }, () => {
  test("shows posts, edits and deletions, and sends", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    const amsg = w.connect("amsg", { socket: null });
    const room = await opened(amsg, "seattle");
    await until("the client polls", () => amsg.chat.state.value === "polling");
    const [first, second] = await w.post("bob", "seattle", "one", "two", "three");
    w.network.request = firstTries(1, "lose-answer");
    room.send("own");
    await sent(room);
    await w.ask("bob", "PATCH", `/rooms/seattle/messages/${first?.id}`, { text: "edited" });
    await w.ask("bob", "DELETE", `/rooms/seattle/messages/${second?.id}`);
    await until("the changes are there", () => room.value.messages[0]?.text === "edited" && room.value.messages[1]?.deletedAt);
    await w.agrees(amsg, "seattle");
    assert.equal(w.network.opened, 0);
    assert.ok(!w.network.log.some(d => d.path.includes("/changes") && !d.path.includes("since=")), "the feed was read from the beginning");
  });

  test("begins when sockets fail, and ends when one can be had", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    w.network.live = false;
    const amsg = w.connect("amsg");
    const room = await opened(amsg, "seattle");
    await until("the client polls", () => amsg.chat.state.value === "polling");
    await w.post("bob", "seattle", "polled");
    await until("the message is there", () => room.value.messages.length === 1);
    w.network.live = true;
    await until("the client is online", () => amsg.chat.state.value === "online", 40_000);
    await w.post("bob", "seattle", "live");
    await until("the message is there", () => room.value.messages.length === 2);
    assert.ok(w.network.frames.some(f => JSON.stringify(f).includes('"live"')));
    await w.agrees(amsg, "seattle");
  });

  test("waits as long as a refusal says", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    const amsg = w.connect("amsg", { socket: null });
    const room = await opened(amsg, "seattle");
    await until("the client polls", () => amsg.chat.state.value === "polling");
    w.network.request = () => ({ status: 429, retryAfter: 5 });
    const refused = () => w.network.log.filter(d => typeof d.fate === "object" && d.path.includes("/changes"));
    await until("a refusal", () => refused().length > 0);
    const [first] = refused();
    await w.post("bob", "seattle", "later");
    await until("another read", () => refused().length > 1 || performance.now() > (first?.at ?? 0) + 6000);
    w.network.heal();
    const second = w.network.log.find(d => d.path.includes("/changes") && d.at > (first?.at ?? 0));
    if (second) assert.ok(second.at - (first?.at ?? 0) >= 4900, `read again after ${second.at - (first?.at ?? 0)} ms`);
    await until("the message is there", () => room.value.messages.length === 1);
    await w.agrees(amsg, "seattle");
  });
});
