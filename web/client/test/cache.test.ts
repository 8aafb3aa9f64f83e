// What a device keeps of what was read: it is shown at once after a reload, and then compared.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Device } from "./harness/drawer.js";
import { until } from "./harness/until.js";
import { World, opened } from "./harness/world.js";

describe("a reloaded page", { concurrency: 3 }, () => {
  test("shows what the device kept, and then what has changed", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    const [, second] = await w.post("bob", "seattle", "one", "secret", "three");
    const device = new Device();
    const first = w.connect("amsg", { storage: device });
    await opened(first, "seattle");
    await until("it is kept", () => device.cache.texts("seattle")?.length === 3);
    first.chat.close();
    await w.ask("bob", "DELETE", `/rooms/seattle/messages/${second?.id}`);
    await w.post("bob", "seattle", "four");
    w.network.fail(true);
    const amsg = w.connect("amsg", { storage: device });
    const room = amsg.chat.room("seattle");
    void room.open();
    await until("it is shown", () => room.value.phase === "ready");
    assert.deepEqual(room.value.messages.map(m => m.text), ["one", "secret", "three"]);
    assert.ok(Date.now() - (room.value.cachedAt ?? 0) < 60_000);
    assert.ok(amsg.chat.rooms.cachedAt);
    assert.deepEqual(amsg.chat.rooms.value.map(r => r.id), ["seattle"]);
    w.network.fail(false);
    await until("it is compared", () => !room.value.cachedAt && !amsg.chat.rooms.cachedAt);
    await w.agrees(amsg, "seattle");
    assert.equal(w.network.log.filter(r => r.path.includes("/messages?")).length, 1, "no page is loaded again");
    await until("the text is gone from the device", () => !device.cache.has("secret"));
  });
});
