// A machine whose clock is wrong. The tests share the clock of this process, so they run in turn.
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { hold, missetClock, trueTime } from "./harness/clock.js";
import { firstTries } from "./harness/faults.js";
import { posted } from "./harness/proxy.js";
import { until } from "./harness/until.js";
import { Shelf, World, opened, sent, type Person } from "./harness/world.js";

const minute = 60_000;
const hour = 60 * minute;

/** Starts a client with a wrong clock, which has written before it heard from the server. */
async function writtenFirst(t: TestContext, w: World, shift: number, storage = new Shelf()): Promise<Person> {
  missetClock(t, shift);
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
    const amsg = await writtenFirst(t, w, shift);
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
    // Slow answers make a clock that was put right seconds late, and a wrong one hours.
    assert.ok(Math.abs(amsg.chat.now() - trueTime()) < 10 * minute, `now is ${amsg.chat.now() - trueTime()} ms wrong`);
    const late = (await w.messages("amsg", "seattle")).slice(1);
    for (const m of late) assert.ok(Math.abs(Date.parse(m.sentAt) - trueTime()) < 10 * minute, `${m.text} was sent at ${m.sentAt}`);
  });
}

test("a refused message gets no new id after a doubtful reply", async t => {
  const w = await World.open(t);
  const amsg = await writtenFirst(t, w, hour);
  w.network.live = false;
  // The first answer is lost: the client cannot know that it was a refusal.
  w.network.request = firstTries(1, "lose-answer");
  w.network.fail(false);
  const room = await opened(amsg, "seattle");
  await until("its fate is known", () => room.value.messages[0]?.status !== "pending");
  assert.equal(room.value.messages[0]?.status, "failed");
  const used = new Set(w.network.posts("first").map(p => posted(p.body).id));
  assert.equal(used.size, 1, "the message had two ids");
  assert.match(room.value.messages[0]?.error ?? "", /\w+ \w+/);
  assert.deepEqual(await w.messages("amsg", "seattle"), []);
});

for (const [name, shift] of [["ahead", 2 * hour], ["behind", -2 * hour]] as const) {
  test(`a clock that is two hours ${name} neither ends a session early nor makes it connect again and again`, async t => {
    hold(t);
    missetClock(t, shift);
    const w = await World.open(t);
    await w.room("seattle", "amsg");
    const [amsg] = await w.online("amsg");
    assert.ok(amsg);
    await w.pass(0.8 * hour); // its token lives an hour
    assert.equal(amsg.chat.state.value, "online");
    assert.equal(w.network.opened, 1, "connections");
    assert.ok(amsg.edge.asked.times <= 3, `${amsg.edge.asked.times} tokens`);
  });
}
