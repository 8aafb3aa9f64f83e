// A machine whose clock is wrong. The tests share the clock of this process, so they run in turn.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { shiftClock, trueTime } from "./harness/clock.js";
import { firstTries } from "./harness/faults.js";
import { posted } from "./harness/proxy.js";
import { sleep, until } from "./harness/until.js";
import { Shelf, World, opened, sent, type Person } from "./harness/world.js";

const hour = 3_600_000;
/** A server's answer takes this long at most, so much may the corrected clock be wrong. */
const tolerance = 1500;

afterEach(() => shiftClock(0));

/** Starts a client that has written before it heard anything of the server. */
async function writtenFirst(w: World, storage = new Shelf()): Promise<Person> {
  await w.room("seattle", "amsg");
  w.network.fail(true);
  const amsg = w.connect("amsg", { storage });
  amsg.chat.room("seattle").send("first");
  await until("it waits", () => storage.kept.size === 1);
  return amsg;
}

for (const [name, shift, ids] of [["an hour ahead", hour, 2], ["an hour behind", -hour, 1], ["25 hours behind", -25 * hour, 2]] as const) {
  test(`a machine that is ${name} can send`, async t => {
    const w = await World.open(t);
    shiftClock(shift);
    const amsg = await writtenFirst(w);
    // No answer but the post's own tells the time: the socket comes later.
    w.network.live = false;
    w.network.fail(false);
    const room = await opened(amsg, "seattle");
    await sent(room);
    const used = new Set(w.network.posts("first").map(p => posted(p.body).id));
    assert.ok(used.size <= ids, `${used.size} ids for one message`);
    w.network.live = true;
    await until("the client is online", () => amsg.chat.state.value === "online");
    room.send("second");
    room.send("third");
    await sent(room);
    for (const text of ["second", "third"]) assert.equal(w.network.posts(text).length, 1, `${text} was refused although the time was known`);
    await w.stores("amsg", "seattle", ["first", "second", "third"]);
    await w.agrees(amsg, "seattle");
    assert.ok(Math.abs(amsg.chat.now() - trueTime()) < tolerance, `now is ${amsg.chat.now() - trueTime()} ms wrong`);
    const late = (await w.messages("amsg", "seattle")).slice(1);
    for (const m of late) assert.ok(Math.abs(Date.parse(m.sentAt) - trueTime()) < 2 * patienceOf(late.length), `${m.text} was sent at ${m.sentAt}`);
  });
}

/** Messages of this test are at most so old. */
const patienceOf = (n: number) => n * 10_000;

test("a refused message gets no new id after a doubtful reply", async t => {
  const w = await World.open(t);
  shiftClock(hour);
  const amsg = await writtenFirst(w);
  w.network.live = false;
  // The first answer is lost: the client cannot know that it was a refusal.
  w.network.request = firstTries(1, "lose-answer");
  w.network.fail(false);
  const room = await opened(amsg, "seattle");
  await until("it fails", () => room.value.messages[0]?.status === "failed");
  const used = new Set(w.network.posts("first").map(p => posted(p.body).id));
  assert.equal(used.size, 1, "the message had two ids");
  assert.match(room.value.messages[0]?.error ?? "", /\w+ \w+/);
  assert.deepEqual(await w.messages("amsg", "seattle"), []);
});

test("a wrong clock neither ends a session early nor makes it connect again and again", async t => {
  const w = await World.open(t);
  await w.room("seattle", "amsg");
  for (const shift of [hour * 2, -hour * 2]) {
    shiftClock(shift);
    const before = w.network.opened;
    const amsg = w.connect("amsg");
    await until("the client is online", () => amsg.chat.state.value === "online");
    await sleep(1200);
    assert.equal(amsg.chat.state.value, "online");
    assert.equal(w.network.opened - before, 1, "connections");
    assert.ok(amsg.asked.times <= 3, `${amsg.asked.times} tokens`);
    amsg.chat.close();
  }
});
