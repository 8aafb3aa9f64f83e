// Frames that are lost, late or repeated: the client's list is the server's all the same.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Room } from "../src/index.js";
import { inTurn } from "./harness/faults.js";
import { Gaps } from "./harness/gaps.js";
import type { Done, FrameFate } from "./harness/proxy.js";
import { sleep, until } from "./harness/until.js";
import { World, find, opened, sent } from "./harness/world.js";

/** The client looks for a gap after 500 ms: what it reads after the load of a room is over then. */
const settled = 700;
/** A gap that is as long is one, as this program measures it. */
const noticed = 490;
const texts = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `message ${from + n}`);
const isRead = (d: Done) => d.path.includes("/changes");
const isPage = (d: Done) => d.method === "GET" && d.path.includes("/messages");

describe("frames", { concurrency: 4 }, () => {
  const faults: [string, FrameFate[], { reads: boolean }][] = [
    ["of which some are lost are filled in by the feed", ["pass", "drop", "drop"], { reads: true }],
    ["that are out of order are put right", [{ delay: 200 }, "pass", { delay: 120 }, { delay: 50 }], { reads: false }],
    ["that are very late are not waited for", [{ delay: 1500 }, "pass"], { reads: true }],
    ["that are repeated are dropped", ["repeat"], { reads: false }],
    ["under all of this at once", ["drop", "repeat", { delay: 200 }, { delay: 800 }, "pass"], { reads: true }],
  ];
  for (const [name, fates, { reads }] of faults) test(name, async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    const gaps = new Gaps();
    const amsg = w.connect("amsg", { trace: gaps.take });
    await until("amsg is online", () => amsg.chat.state.value === "online");
    const room = await opened(amsg, "seattle");
    await follows(w, room);
    const before = w.network.log.length;
    w.network.frame = inTurn(...fates);
    const stored = [];
    for (const text of texts(0, 12)) {
      stored.push(...await w.post("bob", "seattle", text));
      await sleep(20); // a frame of its own for most
    }
    const [first, second] = stored;
    await w.ask("bob", "PATCH", `/rooms/seattle/messages/${first?.id}`, { text: "edited" });
    await w.ask("bob", "DELETE", `/rooms/seattle/messages/${second?.id}`);
    w.network.frame = () => "pass";
    await w.post("bob", "seattle", "last");
    await w.endsWith(amsg, room, "last");
    await w.agrees(amsg, "seattle");
    const asked = w.network.log.slice(before);
    if (reads || gaps.longest < noticed) assert.equal(asked.some(isRead), reads, "reads of the feed");
    else t.diagnostic(`a frame came ${Math.round(gaps.longest)} ms late by itself, so the client may have read the feed`);
    assert.ok(!asked.some(isPage), "the room was loaded again");
    assert.equal(new Set(room.value.messages.map(m => m.id)).size, 14);
  });

  test("of which the last is lost show at the next connection, which resumes by its since", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    const [amsg] = await w.online("amsg");
    assert.ok(amsg);
    const room = await opened(amsg, "seattle");
    await follows(w, room);
    w.network.frame = inTurn("drop");
    const [lost] = await w.post("bob", "seattle", "lost");
    await until("the frame is lost", () => w.network.frames.some(f => JSON.stringify(f).includes(lost?.id ?? "none")));
    const before = [w.network.log.length, w.network.sentFrames.length];
    w.network.heal();
    assert.equal(find(room, lost?.id ?? ""), undefined);
    w.network.cut();
    const greeting = () => w.network.sentFrames.slice(before[1]).find(f => f.type === "hello");
    await until("the next hello", greeting);
    await until("the lost one is there", () => find(room, lost?.id ?? ""));
    const hello = greeting();
    const rooms = hello?.["rooms"] as { id: string; since?: string }[] | undefined;
    assert.ok(rooms?.find(r => r.id === "seattle")?.since, `the hello has no since: ${JSON.stringify(hello)}`);
    const asked = w.network.log.slice(before[0]);
    assert.ok(asked.some(d => isRead(d) && d.path.includes("since=")), "the feed was not read from the since");
    assert.ok(!asked.some(d => isRead(d) && !d.path.includes("since=")), "the feed was read from the beginning");
    assert.ok(!asked.some(isPage), "the room was loaded again");
    await w.agrees(amsg, "seattle");
  });

  test("without a long message lead to its text", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    const [amsg] = await w.online("amsg");
    assert.ok(amsg);
    const room = await opened(amsg, "seattle");
    await follows(w, room); // the load of a room reads the feed, too
    await w.post("bob", "seattle", "x".repeat(32 << 10), "short");
    await until("the short one is there", () => room.value.messages.at(-1)?.text === "short");
    assert.ok(w.network.frames.some(f => JSON.stringify(f).includes('"omitted":true')), "no frame left anything out");
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

  test("during the load of a room are not lost", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    await w.post("bob", "seattle", ...texts(0, 5));
    const [amsg] = await w.online("amsg");
    assert.ok(amsg);
    w.network.request = r => r.path.includes("/messages") || isReadPath(r.path) ? { delay: 250 } : "pass";
    const room = amsg.chat.room("seattle");
    const opening = room.open();
    await w.post("bob", "seattle", ...texts(5, 20));
    await opening;
    await until("all are there", () => room.value.messages.length === 20);
    await w.agrees(amsg, "seattle");
  });

  test("and own messages are in the server's order when others write, too", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    const [amsg, bob] = await w.online("amsg", "bob");
    assert.ok(amsg && bob);
    const rooms = [await opened(amsg, "seattle"), await opened(bob, "seattle")];
    // An answer that is slower than the frames behind it: own messages come late to their sender.
    w.network.request = r => r.method === "POST" && r.user === "amsg" ? { delay: 30 } : "pass";
    w.network.frame = inTurn({ delay: 200 }, "pass", { delay: 90 });
    for (const text of texts(0, 15)) for (const r of rooms) r.send(text);
    for (const r of rooms) await sent(r);
    for (const p of [amsg, bob]) await w.agrees(p, "seattle");
  });

  test("of one millisecond are in the server's order", async t => {
    const w = await World.open(t);
    const users = ["dora", "amsg", "carol", "bob"];
    await w.room("seattle", ...users);
    const [amsg] = await w.online("amsg");
    assert.ok(amsg);
    const room = await opened(amsg, "seattle");
    const simultaneous = () => room.value.messages.some((m, n, all) => m.receivedAt === all[n - 1]?.receivedAt && m.user !== all[n - 1]?.user);
    for (let round = 0; round < 20 && !simultaneous(); round++) {
      const before = room.value.messages.length;
      await Promise.all(users.map(user => w.post(user, "seattle", ...texts(0, 3))));
      await until("all are there", () => room.value.messages.length === before + 3 * users.length);
    }
    assert.ok(simultaneous(), "no two messages of one millisecond");
    await w.agrees(amsg, "seattle");
  });
});

/** Waits until a room hears of a post by a frame, and has nothing more to read. */
async function follows(w: World, room: Room): Promise<void> {
  const [first] = await w.post("bob", "seattle", "first");
  await until("the first message is there", () => find(room, first?.id ?? ""));
  await sleep(settled);
}

const isReadPath = (path: string) => path.includes("/changes");
