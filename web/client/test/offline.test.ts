// Messages that are written while there is no network, and pages that are reloaded with them.
import assert from "node:assert/strict";
import "fake-indexeddb/auto";
import { describe, test } from "node:test";
import { firstTries } from "./harness/faults.js";
import type { Unsent } from "../src/index.js";
import { until } from "./harness/until.js";
import { Shelf, World, opened, sent } from "./harness/world.js";

describe("offline", { concurrency: 3 }, () => {
  test("a client that starts without a network delivers later", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    await w.post("bob", "seattle", "before");
    w.network.fail(true);
    const amsg = w.connect("amsg", { storage: new Shelf() });
    const room = amsg.chat.room("seattle");
    const opening = room.open().catch(() => undefined);
    const ids = ["one", "two"].map(text => room.send(text));
    await until("the client is offline", () => amsg.chat.state.value === "offline");
    assert.deepEqual(room.value.messages.map(m => [m.id, m.status]), ids.map(id => [id, "pending"]));
    await w.post("bob", "seattle", "meanwhile");
    w.network.fail(false);
    await until("the client is online", () => amsg.chat.state.value === "online");
    await opening;
    await until("the room is ready", () => room.value.phase === "ready");
    await sent(room);
    await w.stores("amsg", "seattle", ["before", "meanwhile", "one", "two"]);
    assert.deepEqual((await w.messages("amsg", "seattle")).map(m => m.id).slice(2), ids);
    await w.agrees(amsg, "seattle");
  });

  test("a network that comes and goes loses nothing", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    const [amsg, bob] = await w.online("amsg", "bob");
    assert.ok(amsg && bob);
    const rooms = [await opened(amsg, "seattle"), await opened(bob, "seattle")];
    for (const round of ["a", "b", "c"]) {
      w.network.fail(true);
      rooms.forEach((r, n) => r.send(`${round}${n}`));
      w.network.fail(false);
      rooms.forEach((r, n) => r.send(`${round}${n} again`));
      w.network.cut();
    }
    for (const r of rooms) await sent(r);
    for (const [n, user] of ["amsg", "bob"].entries()) {
      const own = (await w.messages(user, "seattle")).filter(m => m.user === user).map(m => m.text);
      assert.deepEqual(own, ["a", "b", "c"].flatMap(round => [`${round}${n}`, `${round}${n} again`]));
    }
    for (const p of [amsg, bob]) await w.agrees(p, "seattle");
  });
});

describe("a reloaded page", { concurrency: 3 }, () => {
  test("sends what waited, with the same ids and once, though an answer was lost", async t => {
    const w = await World.open(t);
    await w.room("seattle", "carol");
    w.network.request = firstTries(99, "lose-answer");
    const first = w.connect("carol"); // IndexedDB
    const room = await opened(first, "seattle");
    const ids = ["one", "two", "three", "four", "five"].map(text => room.send(text)); // in one millisecond
    await until("the first is stored without the client's knowledge", () => w.network.posts("one").some(p => p.status === 201));
    first.chat.close();
    w.network.heal();
    const second = w.connect("carol");
    const again = await opened(second, "seattle");
    await until("all are sent", () => again.value.messages.length === 5 && again.value.messages.every(m => !m.status));
    assert.deepEqual((await w.messages("carol", "seattle")).map(m => m.id), ids);
    await w.agrees(second, "seattle");
  });

  test("shows what failed, until it is discarded", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "dave");
    await w.ask("amsg", "PUT", "/rooms/seattle", { posting: "moderators" });
    const first = w.connect("dave");
    const room = await opened(first, "seattle");
    const id = room.send("refused");
    await until("it fails", () => room.value.messages[0]?.status === "failed");
    first.chat.close();
    const second = w.connect("dave");
    const again = await opened(second, "seattle");
    await until("it is there", () => again.value.messages.some(m => m.id === id && m.status === "failed" && m.error));
    assert.equal(w.network.posts().length, 1);
    again.discard(id);
    second.chat.close();
    const third = await opened(w.connect("dave"), "seattle");
    third.send("refused, too"); // is sent after what an earlier page has left
    await until("it fails", () => third.value.messages.some(m => m.text === "refused, too" && m.status === "failed"));
    assert.deepEqual(third.value.messages.map(m => m.text), ["refused, too"]);
  });

  test("shows a message once that is sent while the storage is read", async t => {
    const w = await World.open(t);
    await w.room("seattle", "erin");
    /** Has read what was stored when it was asked, and says so when its caller lets it. */
    class Slow extends Shelf {
      answer = Promise.resolve();
      override all = async () => {
        const kept = await super.all();
        await this.answer;
        return kept;
      };
    }
    const storage = new Slow();
    const erin = w.connect("erin", { storage });
    const room = await opened(erin, "seattle");
    const unsent = await erin.chat.unsent();
    w.network.fail(true);
    const id = room.send("once");
    await until("it waits", () => storage.kept.size === 1);
    let answer = () => {};
    storage.answer = new Promise(resolve => { answer = resolve; });
    const read = erin.chat.unsent(); // by another part of the page
    w.network.fail(false);
    await until("it is sent", () => room.value.messages.some(m => m.id === id && !m.status));
    answer();
    await read;
    assert.deepEqual(room.value.messages.map(m => [m.id, m.status]), [[id, undefined]]);
    assert.deepEqual(unsent.value, []);
  });

  test("has nothing of a person who signed out", async t => {
    const w = await World.open(t);
    await w.room("seattle", "erin");
    const storage = new Shelf();
    const first = w.connect("erin", { storage });
    const room = await opened(first, "seattle");
    w.network.fail(true);
    room.send("secret");
    await until("it waits", () => storage.kept.size === 1);
    storage.kept.set("another", { ...storage.kept.values().next().value as Unsent, id: "another", text: "by another page" });
    assert.deepEqual((await first.chat.unsent()).value.map(a => a.kind === "message" && a.text), ["by another page", "secret"]);
    await first.chat.signOut();
    assert.equal(storage.kept.size, 0);
    w.network.fail(false);
    const second = await opened(w.connect("erin", { storage }), "seattle");
    assert.deepEqual(second.value.messages, []);
    assert.deepEqual(await w.messages("erin", "seattle"), []);
  });
});
