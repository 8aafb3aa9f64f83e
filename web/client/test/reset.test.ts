// A server whose data was replaced by an older copy: the feed cannot continue from any position.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hold, release } from "./harness/clock.js";
import { until } from "./harness/until.js";
import { World, opened } from "./harness/world.js";

describe("a client begins again after a restore", () => {
  for (const [name, socket] of [["by socket", undefined], ["by polling", null]] as const) test(name, async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    await w.post("bob", "seattle", "kept", "kept, too");
    await w.server.end("SIGTERM");
    await w.server.backUp();
    await w.server.resume();
    const amsg = w.connect("amsg", socket === undefined ? {} : { socket });
    const room = await opened(amsg, "seattle");
    const [stored] = await w.post("bob", "seattle", "gone", "gone, too", "gone as well");
    await w.ask("bob", "PATCH", `/rooms/seattle/messages/${stored?.id}`, { text: "gone after an edit" });
    await until("all are there", () => room.value.messages.length === 5);
    await w.agrees(amsg, "seattle");
    hold(t);
    await w.server.kill();
    await w.server.restore();
    await w.server.resume();
    await w.pass(10_000); // a poll, or the pause before the next connection
    assert.equal(room.value.messages.length, 2, "the reset");
    release();
    await w.agrees(amsg, "seattle");
    const changes: string[] = [];
    amsg.chat.on("change", c => changes.push(c.type));
    await w.post("bob", "seattle", "new");
    await until("the change is reported, although its number is an old one", () => changes.includes("message.created"));
    await until("the new one is there", () => room.value.messages.at(-1)?.text === "new");
    await w.agrees(amsg, "seattle");
    assert.equal(room.value.phase, "ready");
  });
});
