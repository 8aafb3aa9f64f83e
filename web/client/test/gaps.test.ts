// Frames that are lost, late or repeated: the client's list is the server's all the same. The clock is
// held unless a test moves it, so a frame is late when the test says so.
import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import type { Room } from "../src/index.js";
import type { OpenRoom } from "../src/room.js";
import { hold, release } from "./harness/clock.js";
import { Gate, inTurn, isPost } from "./harness/faults.js";
import type { Done, Frame, FrameFate } from "./harness/proxy.js";
import { until } from "./harness/until.js";
import { World, find, has, opened, receives, type Person } from "./harness/world.js";

/** A missing change is read after so many milliseconds. */
const gapWait = 500;
const texts = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `message ${from + n}`);
const isChanges = (f: Frame) => f.type === "changes";
const isRead = (d: Done) => d.path.includes("/changes");
const isPage = (d: Done) => d.method === "GET" && d.path.includes("/messages");

/** Returns a client that has opened a room, hears of it by frames, and has nothing more to read. */
async function following(t: TestContext): Promise<{ w: World; amsg: Person; room: Room }> {
  hold(t);
  const w = await World.open(t);
  await w.room("seattle", "amsg", "bob");
  const [amsg] = await w.online("amsg");
  assert.ok(amsg);
  const room = await opened(amsg, "seattle");
  const [first] = await w.post("bob", "seattle", "first");
  await receives(amsg, "the first message", has(first?.id));
  await w.idle();
  assert.equal((room as OpenRoom).follower?.feed.behind, false, "something is left to read");
  assert.ok(find(room, first?.id ?? ""));
  return { w, amsg, room };
}

/** Posts messages, edits the first and deletes the second. Each change is a frame of its own. */
async function talk(w: World): Promise<void> {
  const frames = () => w.network.frames.filter(isChanges).length;
  const ids: string[] = [];
  for (const text of texts(0, 12)) {
    const before = frames();
    ids.push(...(await w.post("bob", "seattle", text)).map(m => m.id));
    await until(`a frame has ${text}`, () => frames() > before);
  }
  await w.ask("bob", "PATCH", `/rooms/seattle/messages/${ids[0]}`, { text: "edited" });
  await until("a frame has the edit", () => w.network.frames.some(f => has(ids[0])(f) && JSON.stringify(f).includes("message.edited")));
  await w.ask("bob", "DELETE", `/rooms/seattle/messages/${ids[1]}`);
  await until("a frame has the deletion", () => w.network.frames.some(f => has(ids[1])(f) && JSON.stringify(f).includes("message.deleted")));
}

/** Checks that a room shows the server's list, now. */
async function equals(w: World, room: Room): Promise<void> {
  const parts = (m: { id: string; text: string; revision: number }) => [m.id, m.text, m.revision];
  assert.deepEqual(room.value.messages.map(parts), (await w.messages("amsg", "seattle")).map(parts));
}

describe("frames", () => {
  const faults: [string, FrameFate[], { reads: boolean }][] = [
    ["of which some are lost are filled in by the feed", ["pass", "drop", "drop"], { reads: true }],
    ["that are repeated are dropped", ["repeat"], { reads: false }],
    ["under all faults together", ["drop", "repeat", "pass"], { reads: true }],
  ];
  for (const [name, fates, { reads }] of faults) test(name, async t => {
    const { w, amsg, room } = await following(t);
    const before = w.network.log.length;
    w.network.frame = inTurn(...fates);
    await talk(w);
    w.network.heal();
    const [last] = await w.post("bob", "seattle", "last");
    await receives(amsg, "the last message", has(last?.id));
    await w.pass(gapWait);
    await equals(w, room);
    const asked = w.network.log.slice(before);
    assert.equal(asked.some(isRead), reads, "reads of the feed");
    assert.ok(!asked.some(isPage), "the room was loaded again");
    await w.agrees(amsg, "seattle");
  });

  test("that are out of order are put right", async t => {
    const { w, amsg, room } = await following(t);
    const before = [w.network.log.length, amsg.edge.received.length] as const;
    const gates: Gate[] = [];
    w.network.frame = f => {
      if (!isChanges(f)) return "pass";
      gates.push(new Gate());
      return gates.at(-1)!.passed;
    };
    await talk(w);
    await w.pass(gapWait * 10);
    for (const gate of gates.reverse()) gate.open();
    await until("all frames are there", () => amsg.edge.received.slice(before[1]).filter(isChanges).length === gates.length);
    await w.idle();
    await equals(w, room);
    assert.ok(!w.network.log.slice(before[0]).some(d => isRead(d) || isPage(d)), "something was read");
    await w.agrees(amsg, "seattle");
  });

  test("that are late are waited for, and very late ones are not", async t => {
    const { w, amsg, room } = await following(t);
    const gate = new Gate();
    const before = w.network.log.length;
    let n = 0;
    w.network.frame = f => isChanges(f) && n++ === 0 ? gate.passed : "pass";
    await talk(w);
    await receives(amsg, "the deletion", f => JSON.stringify(f).includes("message.deleted"));
    await w.pass(gapWait - 1);
    assert.ok(!w.network.log.slice(before).some(isRead), "the feed was read too early");
    await w.pass(1);
    await equals(w, room);
    const received = amsg.edge.received.length;
    gate.open();
    await until("the late frame is there", () => amsg.edge.received.length > received);
    await w.idle();
    await equals(w, room);
    await w.agrees(amsg, "seattle");
  });

  test("of which the last is lost show at the next connection, which resumes by its since", async t => {
    const { w, amsg, room } = await following(t);
    w.network.frame = inTurn("drop");
    const [lost] = await w.post("bob", "seattle", "lost");
    await until("the frame is lost", () => w.network.frames.some(has(lost?.id)));
    const before = [w.network.log.length, w.network.sentFrames.length] as const;
    await w.pass(gapWait * 10);
    assert.equal(find(room, lost?.id ?? ""), undefined);
    w.network.heal();
    w.network.cut();
    release();
    await until("the lost one is there", () => find(room, lost?.id ?? ""));
    const hello = w.network.sentFrames.slice(before[1]).find(f => f.type === "hello");
    const rooms = hello?.["rooms"] as { id: string; since?: string }[] | undefined;
    assert.ok(rooms?.find(r => r.id === "seattle")?.since, `the hello has no since: ${JSON.stringify(hello)}`);
    const asked = w.network.log.slice(before[0]);
    assert.ok(asked.some(d => isRead(d) && d.path.includes("since=")), "the feed was not read from the since");
    assert.ok(!asked.some(d => isRead(d) && !d.path.includes("since=")), "the feed was read from the beginning");
    assert.ok(!asked.some(isPage), "the room was loaded again");
    await w.agrees(amsg, "seattle");
  });

  test("without a long message lead to its text", async t => {
    const { w, amsg, room } = await following(t);
    const [, short] = await w.post("bob", "seattle", "x".repeat(32 << 10), "short");
    await receives(amsg, "a frame that leaves the text out", f => JSON.stringify(f).includes('"omitted":true'));
    await receives(amsg, "the short message", has(short?.id));
    await w.pass(gapWait);
    await equals(w, room);
    await w.agrees(amsg, "seattle");
  });

  test("and the answer to a hello that a crash swallowed are asked for again", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    let swallowed = 0;
    w.network.sent = f => {
      if (f.type !== "hello" || swallowed++ > 0) return "pass";
      for (const l of w.network.links) l.say({ message: "Internal server error", connectionId: "c", requestId: "r" });
      return "drop";
    };
    const [amsg] = await w.online("amsg");
    assert.ok(amsg && swallowed >= 2);
    const room = await opened(amsg, "seattle");
    await w.post("bob", "seattle", "hello");
    await until("the message is there", () => room.value.messages.length === 1);
    await w.agrees(amsg, "seattle");
  });

  for (const held of ["/messages", "/changes"]) test(`during the load of a room are not lost, while ${held} waits`, async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    await w.post("bob", "seattle", ...texts(0, 5));
    const [amsg] = await w.online("amsg");
    assert.ok(amsg);
    const gate = new Gate();
    w.network.request = r => r.path.includes(held) ? gate.passed : "pass";
    const room = amsg.chat.room("seattle");
    const opening = room.open();
    await until("it waits", () => w.network.log.some(d => d.path.includes(held)));
    const stored = await w.post("bob", "seattle", ...texts(5, 20));
    await receives(amsg, "the last frame", has(stored.at(-1)?.id));
    gate.open();
    await opening;
    await until("all are there", () => room.value.messages.length === 20);
    await w.agrees(amsg, "seattle");
  });

  test("and own messages are in the server's order when others write, too", async t => {
    const { w, amsg, room } = await following(t);
    for (const text of texts(0, 4)) {
      // The answer to an own message comes after the frames behind it.
      const [answer, frame] = [new Gate(), new Gate()];
      w.network.answer = r => isPost(r) ? answer.passed : "pass";
      w.network.frame = f => isChanges(f) && has(text)(f) ? frame.passed : "pass";
      room.send(text);
      await until(`${text} is stored`, () => w.network.frames.some(f => isChanges(f) && has(text)(f)));
      const [other] = await w.post("bob", "seattle", "after it");
      await receives(amsg, "bob's message", has(other?.id));
      answer.open();
      await w.idle();
      frame.open();
      await until("both frames are there", () => amsg.edge.received.some(f => isChanges(f) && has(text)(f)));
      await w.idle();
      await equals(w, room);
    }
    await w.agrees(amsg, "seattle");
  });

  // The order of messages of one millisecond is certain in pure.test.ts.
  test("of people who write at the same time are in the server's order", async t => {
    const users = ["dora", "amsg", "carol", "bob"];
    const w = await World.open(t);
    await w.room("seattle", ...users);
    const [amsg] = await w.online("amsg");
    assert.ok(amsg);
    await opened(amsg, "seattle");
    await Promise.all(users.map(user => w.post(user, "seattle", ...texts(0, 9))));
    await w.agrees(amsg, "seattle");
  });
});
