// The loaded part of a long room, while it is extended, trimmed and changed: it is at all times a
// part of the server's list without holes.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Room, StoredMessage } from "../src/index.js";
import { nightly, pick, random, runSeed } from "./harness/random.js";
import { eventually, until } from "./harness/until.js";
import { World, find, has, opened, receives, sent } from "./harness/world.js";

const count = 140;
const texts = Array.from({ length: count }, (_, n) => `message ${n}`);

/** Checks that the stored messages of the window are neighbours in the server's list, as they are there. */
function isPart(room: Room, all: StoredMessage[]): void {
  const shown = room.value.messages.filter(m => !m.status);
  const first = all.findIndex(m => m.id === shown[0]?.id);
  assert.ok(first >= 0, "the first loaded message is unknown");
  const part = all.slice(first, first + shown.length);
  assert.deepEqual(shown.map(m => [m.id, m.text, m.revision]), part.map(m => [m.id, m.text, m.revision]));
  assert.equal(room.value.hasOlder, first > 0, "hasOlder");
  assert.equal(room.value.hasNewer, first + shown.length < all.length, "hasNewer");
}

describe("a window", { concurrency: 3 }, () => {
  test("goes back to the first message and forth to the last", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    const all = await w.post("bob", "seattle", ...texts);
    const [amsg] = await w.online("amsg");
    assert.ok(amsg);
    const room = await opened(amsg, "seattle");
    isPart(room, all);
    assert.ok(room.value.hasOlder && !room.value.hasNewer && room.value.messages.length <= 60);
    let pages = 0;
    while (room.value.hasOlder && pages++ < 20) {
      await Promise.all([room.older(), room.older()]);
      isPart(room, all);
    }
    assert.equal(room.value.messages.length, count);
    room.trim("newer", 40);
    assert.equal(room.value.messages.length, 40);
    isPart(room, all);
    const [unseen] = await w.post("bob", "seattle", "beyond the window");
    assert.ok(unseen);
    await receives(amsg, "the message", has(unseen.id));
    isPart(room, [...all, unseen]);
    while (room.value.hasNewer && pages++ < 40) {
      await room.newer();
      isPart(room, [...all, unseen]);
    }
    assert.equal(room.value.messages.length, count + 1);
    room.trim("older", 30);
    isPart(room, [...all, unseen]);
    const [live] = await w.post("bob", "seattle", "live");
    await until("a live one is there", () => find(room, live?.id ?? ""));
    await w.agrees(amsg, "seattle");
    const [other] = await w.online("amsg");
    assert.ok(other);
    const again = other.chat.room("seattle");
    await again.open(undefined, 100);
    assert.equal(again.value.messages.length, 100, "the size of the page was asked for");
    await again.older(20);
    assert.equal(again.value.messages.length, 120, "the size of the older page was asked for");
    await w.agrees(other, "seattle");
  });

  test("opens around a message, and goes to the newest", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    const all = await w.post("bob", "seattle", ...texts);
    const [amsg] = await w.online("amsg");
    assert.ok(amsg);
    const middle = all[70]?.id ?? "";
    const room = await opened(amsg, "seattle", middle);
    assert.ok(find(room, middle) && room.value.hasOlder && room.value.hasNewer);
    isPart(room, all);
    await room.latest();
    isPart(room, all);
    assert.ok(!room.value.hasNewer && find(room, all.at(-1)?.id ?? ""));
    await room.markUnread(all.at(-5)?.id ?? "");
    room.close();
    await room.open(all[0]?.id);
    isPart(room, all);
    assert.ok(!room.value.hasOlder && room.value.hasNewer);
    assert.equal(room.value.firstUnread, undefined, "unread messages are not loaded");
    await room.open("01658560-1d0b-7a2c-9e4f-8b6d2c1a0f3e~nobody");
    isPart(room, all);
    assert.equal(room.value.phase, "ready");
    await w.agrees(amsg, "seattle");
  });

  test(`is trimmed while two people edit and delete, seed ${runSeed}`, async t => {
    const r = random(runSeed);
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    await w.post("amsg", "seattle", ...texts.slice(0, 60));
    await w.post("bob", "seattle", ...texts.slice(60, 120));
    const people = await w.online("amsg", "bob");
    const rooms = await Promise.all(people.map(p => opened(p, "seattle")));
    for (const room of rooms) {
      const [first = "", second = ""] = ["to edit", "to delete"].map(text => room.send(text));
      await sent(room);
      await room.edit(first, "edited");
      await room.remove(second);
    }
    for (let n = 0; n < (nightly ? 300 : 60); n++) {
      const who = Math.floor(r() * 2);
      const room = rooms[who];
      assert.ok(room);
      const own = room.value.messages.filter(m => !m.status && !m.deletedAt && m.user === people[who]?.user);
      const step = Math.floor(r() * 8);
      if (step === 0) await room.older();
      else if (step === 1) await room.newer();
      else if (step === 2) room.trim(pick(["older", "newer"] as const, r), 20 + Math.floor(r() * 60));
      else if (step === 3) room.send(`new ${n}`);
      else if (step < 6 && own.length) await room.edit(pick(own, r).id, `edit ${n}`);
      else if (own.length) await room.remove(pick(own, r).id);
    }
    for (const room of rooms) await sent(room);
    const all = await w.messages("amsg", "seattle");
    for (const room of rooms) await eventually(() => isPart(room, all));
    for (const p of people) await w.agrees(p, "seattle");
    assert.ok(all.some(m => m.deletedAt) && all.some(m => m.editedAt));
  });
});
