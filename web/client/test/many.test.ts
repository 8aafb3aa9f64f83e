// A person in more rooms than a connection follows.
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { RoomEntry } from "../src/index.js";
import { hold, release, sleepThrough } from "./harness/clock.js";
import { nightly } from "./harness/random.js";
import { until } from "./harness/until.js";
import { World, type Person } from "./harness/world.js";

/** The heads of a longer list are compared once in this period. */
const period = (count: number) => (count > 1000 ? 300_000 : 60_000);
/** A person is in at most so many rooms that are not archived. */
const maxOpen = 1000;

/** The requests of a load. */
const load = ["/people/me/rooms?include=people,heads&limit=50", "/people/me/rooms?include=people&14 ids"];

/** A person in many rooms, with the requests and frames of their client. */
interface Many {
  readonly w: World;
  readonly ids: readonly string[];
  /** Returns the heads of the person's rooms. */
  readonly heads: () => Promise<{ id: string; messages?: number }[]>;
  readonly rooms: Awaited<ReturnType<World["online"]>>[0]["chat"]["rooms"];
  readonly chat: Awaited<ReturnType<World["online"]>>[0]["chat"];
  readonly entry: (id: string) => RoomEntry | undefined;
  /** Returns the paths of the client's requests for lists and heads since the last call. */
  readonly requests: () => string[];
  /** Returns how many frames of a type the client has sent since the last call. */
  readonly sent: (type: string) => number;
}

async function many(t: TestContext, count: number): Promise<Many> {
  const w = await World.open(t);
  const ids = Array.from({ length: count }, (_, n) => `room-${n}`);
  for (let n = 0; n < count; n += maxOpen) {
    const some = ids.slice(n, n + maxOpen);
    await w.rooms(some, "amsg", "bob");
    if (n + maxOpen < count) for (const id of some) await w.archive(id);
  }
  const heads = async () => (await w.ask<{ items: { id: string; messages?: number }[] }>("amsg", "GET", "/people/me/heads")).items;
  await until("the heads have the messages", async () => (await heads()).every(h => h.messages === 1));
  const [amsg] = await w.online("amsg");
  assert.ok(amsg);
  const { chat } = amsg;
  await until("the list is loaded", () => chat.rooms.loaded && chat.rooms.value.length > 50);
  // The first connection loads it a second time, because it does not receive earlier events.
  await until("the list is loaded again", () => w.network.log.filter(r => r.path === load[0] && r.ended).length === 2);
  let seen = 0;
  let frames = 0;
  return {
    w, ids, heads, chat, rooms: chat.rooms,
    entry: id => chat.rooms.value.find(r => r.id === id),
    requests() {
      const all = w.network.log.slice(seen).filter(r => r.user === "amsg" && /^\/people\/me\/(rooms|heads)/.test(r.path));
      seen = w.network.log.length;
      return all.map(r => r.path.replace(/ids=.*/, m => `${m.split(",").length} ids`));
    },
    sent(type) {
      const all = w.network.sentFrames.slice(frames).filter(f => f.type === type);
      frames = w.network.sentFrames.length;
      return all.length;
    },
  };
}

for (const count of nightly ? [131, 1000, 1100] : [131]) {
  test(`a person in ${count} rooms sees a message in each, for few requests and frames`, async t => {
    const { w, ids, heads, rooms, chat, entry, requests, sent } = await many(t, count);
    const subscribed = (id: string) => until("it is subscribed to", () => w.network.frames.some(f => f.type === "ack" && JSON.stringify(f).includes(`"${id}"`)));
    assert.deepEqual(requests(), [...load, load[0]]);
    assert.equal(rooms.value.length, 64);
    assert.deepEqual(rooms.more, { rooms: count - 64, unread: count - 64 });

    // A quiet room, which is neither shown nor followed.
    const [quiet = "", next = ""] = ids;
    assert.equal(entry(quiet), undefined);
    assert.ok(sent("subscribe") <= 4, "70 rooms fit into 4 frames");
    await w.post("bob", quiet, "after long");
    await until("its head has it", async () => (await heads()).find(h => h.id === quiet)?.messages === 2);
    hold(t);
    await w.pass(period(count));
    await until("the message is listed", () => entry(quiet)?.unread === 2);
    release();
    assert.deepEqual(requests(), ["/people/me/heads", "/people/me/rooms?include=people&1 ids"]);
    // The room is among the newest now, and followed.
    await subscribed(quiet);
    assert.equal(sent("subscribe"), 1);
    await w.post("bob", quiet, "and soon again");
    await until("the next message is heard", () => entry(quiet)?.unread === 3);
    assert.deepEqual(requests(), []);

    // A mention is reported immediately.
    await w.ask("bob", "POST", `/rooms/${next}/messages`, { text: "you", mentions: ["amsg"] });
    await until("the mention is listed", () => entry(next)?.mentions === 1);
    await subscribed(next);
    // The entry is loaded a second time if the answer to the subscription has a newer head.
    hold(t);
    await w.pass(2000);
    release();
    assert.deepEqual(new Set(requests()), new Set(["/people/me/rooms?include=people&1 ids"]));

    // Nothing is asked twice, and nothing while nothing changes.
    hold(t);
    await w.pass(2 * period(count));
    release();
    assert.deepEqual(requests(), ["/people/me/heads", "/people/me/heads"]);
    assert.ok(sent("subscribe") <= 2, "a subscription was repeated");

    // After the machine slept, somebody looks.
    await sleepThrough(period(count) / 2);
    await until("the heads are compared", () => requests().join() === "/people/me/heads");

    // The rest is loaded when the end of the list is in sight.
    for (let shown = rooms.value.length; rooms.more.rooms && shown < 200; shown = rooms.value.length) {
      await rooms.loadMore();
      assert.equal(rooms.value.length, Math.min(count, shown + 50));
    }
    assert.ok(requests().every(path => path.startsWith("/people/me/rooms?include=people&")), "a load of more reads heads");

    // A room that is shown now, and not followed.
    const { id: last = "", unread = 0 } = rooms.value.at(-1) ?? {};
    await w.post("bob", last, "at the end of the list");
    await until("its head has it", async () => (await heads()).find(h => h.id === last)?.messages === unread + 1);
    hold(t);
    await w.pass(period(count));
    await until("the message is counted", () => entry(last)?.unread === unread + 1);
    release();
    requests();
    sent("subscribe");

    // All rooms of a list are opened in one piece of work.
    const some = ids.slice(0, 131);
    await Promise.all(some.map(id => chat.room(id).open(undefined, 1)));
    await until("they are ready", () => some.every(id => chat.room(id).value.phase === "ready"));
    assert.ok(sent("subscribe") <= 7, "more frames than for 131 rooms");

    // A connection follows 100 of them. Each other one says that it is not live, and is compared within a minute.
    const live = () => some.filter(id => chat.room(id).value.live);
    await until("100 are live", () => live().length === 100);
    const quietly = some.filter(id => !live().includes(id));
    const [late = ""] = quietly;
    await w.post("bob", late, "in a room that is not live");
    await until("its head has it", async () => (await heads()).find(h => h.id === late)?.messages !== 1);
    hold(t);
    await w.pass(60_000);
    release();
    await w.endsWith({ user: "amsg", chat } as Person, chat.room(late), "in a room that is not live");
    // A room takes the place of one that is closed.
    chat.room(live()[0] ?? "").close();
    await until("another is live", () => quietly.some(id => chat.room(id).value.live));
  });
}

test("a direct message is seen immediately, in a room that the connection does not follow", async t => {
  const w = await World.open(t);
  const direct = await w.ask<{ id: string }>("bob", "POST", "/rooms", { direct: ["amsg"] });
  await w.rooms(Array.from({ length: 130 }, (_, n) => `room-${n}`), "amsg", "carol");
  const [amsg] = await w.online("amsg");
  assert.ok(amsg);
  const { rooms } = amsg.chat;
  await until("the list is loaded", () => rooms.value.length === 64);
  await until("the list is loaded again", () => w.network.log.filter(r => r.path === load[0] && r.ended).length === 2);
  const unread = () => rooms.value.find(r => r.id === direct.id)?.unread ?? 0;
  for (const n of [1, 2, 3]) {
    await w.post("bob", direct.id, "psst");
    await until(`${n} direct messages are listed`, () => unread() === n);
  }
  assert.equal(rooms.value[0]?.id, direct.id);
});
