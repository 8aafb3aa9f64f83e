// Who types and who is there.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sleep, until } from "./harness/until.js";
import { World, opened } from "./harness/world.js";

/** A typing frame shows for 10 s, an absence after 15 s. */
const typingEnd = 10_000;
const leaveDelay = 15_000;
const slack = 3_000;

describe("people", { concurrency: 3 }, () => {
  test("who type are shown to the others until they stop, and are sent once", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    const [amsg, bob] = await w.online("amsg", "bob");
    assert.ok(amsg && bob);
    const seen = await opened(amsg, "seattle");
    const own = await opened(bob, "seattle");
    for (let key = 0; key < 30; key++) own.typing();
    await until("bob is seen", () => seen.value.typing.includes("bob"));
    const began = performance.now();
    assert.equal(w.network.sentFrames.filter(f => f.type === "typing").length, 1);
    assert.deepEqual(own.value.typing, []);
    await until("bob is not seen any more", () => seen.value.typing.length === 0, typingEnd + slack);
    assert.ok(performance.now() - began > typingEnd - slack, "too early");
  });

  test("who come are shown at once, and who go after 15 seconds", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob", "carol");
    const [amsg, bob, carol] = await w.online("amsg", "bob", "carol");
    assert.ok(amsg && bob && carol);
    const room = await opened(amsg, "seattle");
    await opened(bob, "seattle");
    await opened(carol, "seattle");
    await until("all are seen", () => room.value.online.includes("bob") && room.value.online.includes("carol"));
    const online = await w.ask<{ users: string[] }>("amsg", "GET", "/rooms/seattle/online");
    assert.deepEqual([...room.value.online].sort(), [...online.users].sort());
    assert.equal(room.value.onlineCount, 3);
    bob.chat.close();
    for (const l of w.network.links) if (l.user === "carol") l.cut(); // she connects again
    const left = performance.now();
    await until("bob has gone", () => {
      assert.ok(room.value.online.includes("carol"), "carol flickers");
      return !room.value.online.includes("bob");
    }, leaveDelay + slack);
    assert.ok(performance.now() - left > leaveDelay - slack, "bob left too early");
    await sleep(500);
    assert.ok(room.value.online.includes("carol"));
  });
});
