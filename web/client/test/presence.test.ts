// Who types and who is there.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { thread } from "../src/thread.js";
import { hold } from "./harness/clock.js";
import type { Frame } from "./harness/proxy.js";
import { eventually, until } from "./harness/until.js";
import { World, inSeattle, opened, receives } from "./harness/world.js";

/** A person who has left is shown for so many milliseconds. */
const leaveDelay = 15_000;

/** Returns whether a frame has the news that a person has come or left. */
const moved = (user: string, online: boolean) => (f: Frame) =>
  !!(f["rooms"] as { user?: string; online?: boolean }[] | undefined)?.some(r => r.user === user && r.online === online);

describe("people", () => {
  test("who type are shown to the others until they stop, and are sent once", async t => {
    hold(t);
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    const [amsg, bob] = await w.online("amsg", "bob");
    assert.ok(amsg && bob);
    const seen = await opened(amsg, "seattle");
    const own = await opened(bob, "seattle");
    for (let key = 0; key < 30; key++) own.typing();
    await until("bob is seen", () => seen.value.typing.includes("bob"));
    assert.equal(w.network.sentFrames.filter(f => f.type === "typing").length, 1);
    assert.deepEqual(own.value.typing, []);
    const frame = amsg.edge.received.find(f => f["until"]);
    const left = Date.parse(String(frame?.["until"])) - amsg.chat.now();
    await w.pass(left - 1);
    assert.deepEqual(seen.value.typing, ["bob"], "too early");
    await w.pass(1);
    assert.deepEqual(seen.value.typing, []);
  });

  test("who type in a thread are shown there only", async t => {
    hold(t);
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    const [root, other] = await w.post("amsg", "seattle", "who is in?", "and who is out?");
    const [amsg, bob] = await w.online("amsg", "bob");
    assert.ok(amsg && bob && root && other);
    const seen = await opened(amsg, "seattle");
    await opened(bob, "seattle");
    const [below, elsewhere, own] = [thread(amsg.chat, "seattle", root.id), thread(amsg.chat, "seattle", other.id), thread(bob.chat, "seattle", root.id)];
    for (const one of [below, elsewhere, own]) await one.open();
    own.typing();
    await until("bob is seen", () => below.value.typing.includes("bob"));
    assert.deepEqual([seen.value.typing, elsewhere.value.typing, own.value.typing], [[], [], []]);
  });

  test("who type before they are connected are shown when they type on", async t => {
    hold(t);
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    const [amsg] = await w.online("amsg");
    assert.ok(amsg);
    const seen = await opened(amsg, "seattle");
    const bob = w.connect("bob");
    const own = bob.chat.room("seattle");
    own.typing();
    assert.notEqual(bob.chat.state.value, "online");
    await own.open();
    await until("bob is online", () => bob.chat.state.value === "online");
    own.typing();
    await until("bob is seen", () => seen.value.typing.includes("bob"));
  });

  test("who come are shown immediately, and who go after 15 seconds", async t => {
    hold(t);
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob", "carol");
    const [amsg, bob, carol] = await w.online("amsg", "bob", "carol");
    assert.ok(amsg && bob && carol);
    const room = await opened(amsg, "seattle");
    await opened(bob, "seattle");
    await opened(carol, "seattle");
    await eventually(async () => {
      await w.pass(1); // a person who comes is shown by a timer
      const online = await w.ask<{ users: string[] }>("amsg", "GET", "/rooms/seattle/online");
      assert.deepEqual(online.users.sort(), ["amsg", "bob", "carol"]);
      assert.deepEqual(room.value.online, online.users);
    });
    assert.equal(room.value.onlineCount, 3);
    const shown = new Set<boolean>();
    room.subscribe(() => shown.add(room.value.online.includes("carol")));
    for (const l of w.network.links) if (l.user === "carol") l.cut(); // she connects again
    await receives(amsg, "carol's leave", moved("carol", false));
    const since = amsg.edge.received.length;
    await until("carol has noticed", () => carol.chat.state.value !== "online");
    await until("carol is online", async () => {
      await w.pass(100); // she pauses before she tries
      return carol.chat.state.value === "online";
    });
    await until("carol is back", () => amsg.edge.received.slice(since).some(moved("carol", true)));
    bob.chat.close();
    await receives(amsg, "bob's leave", moved("bob", false));
    await w.pass(leaveDelay - 1);
    assert.ok(room.value.online.includes("bob"), "bob left too early");
    await w.pass(1);
    assert.deepEqual(room.value.online, ["amsg", "carol"]);
    await w.pass(leaveDelay);
    assert.ok(!shown.has(false), "carol flickers");
  });

  test("a person who opens a room before they are connected is there, and so are those who came meanwhile", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    w.network.live = false;
    const room = await opened(w.connect("amsg"), "seattle");
    await until("it is known who is online", () => w.network.log.some(d => d.path.endsWith("/online") && d.ended));
    w.network.live = true;
    await until("amsg is there", () => room.value.online.includes("amsg"));
    w.network.live = false;
    for (const l of w.network.links) l.cut();
    w.network.live = true;
    await w.online("bob");
    await until("bob is there", () => room.value.online.includes("bob"));
  });

  test("an answer that is older than a person's coming does not hide them", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    let answer = () => {};
    const held = new Promise<void>(done => { answer = done; });
    const hold: typeof fetch = async (url, o) => {
      const got = await fetch(url, o);
      if (String(url).endsWith("/online")) await held;
      return got;
    };
    const amsg = w.connect("amsg", { fetch: hold });
    await until("amsg is online", () => amsg.chat.state.value === "online");
    const room = await opened(amsg, "seattle");
    await until("it was asked who is online", () => w.network.log.some(d => d.path.endsWith("/online") && d.ended));
    await w.online("bob");
    await until("bob is there", () => room.value.online.includes("bob"));
    answer();
    await until("the answer is taken", () => room.value.online.includes("amsg"));
    assert.ok(room.value.online.includes("bob"), "bob is hidden");
  });

  test("the number of people follows those who join and leave", async t => {
    const { w, room } = await inSeattle(t);
    assert.equal(room.value.info?.memberCount, 1);
    const join = (user: string) => w.ask(user, "PUT", "/rooms/seattle/members/me", { role: "member" });
    await Promise.all(["bob", "carol", "dan", "eve"].map(join));
    await until("five are counted", () => room.value.info?.memberCount === 5);
    await w.ask("bob", "DELETE", "/rooms/seattle/members/me");
    await until("four are counted", () => room.value.info?.memberCount === 4);
  });

  test("the settings that could not be read are read again after the connection is back", async t => {
    const { w, room } = await inSeattle(t);
    const isInfo = (path: string) => path.startsWith("/rooms/seattle?");
    w.network.request = r => isInfo(r.path) ? { status: 400 } : "pass";
    const tries = () => w.network.log.filter(d => isInfo(d.path) && d.fate !== "pass").length;
    await w.ask("amsg", "PATCH", "/rooms/seattle", { topic: "moorings" });
    await until("the settings cannot be read", () => tries() > 0);
    w.network.request = () => "pass";
    for (const l of w.network.links) l.cut();
    await until("the topic is there", () => room.value.info?.topic === "moorings");
  });

  test("the line of new messages goes when the person answers", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    const [first] = await w.post("bob", "seattle", "one", "two");
    const [amsg] = await w.online("amsg");
    assert.ok(amsg && first);
    await until("two are unread", () => amsg.chat.rooms.unread === 2);
    const room = await opened(amsg, "seattle");
    assert.equal(room.value.firstUnread, first.id);
    room.send("three");
    assert.equal(room.value.firstUnread, undefined);
    await w.post("bob", "seattle", "four");
    await until("four is there", () => room.value.messages.some(m => m.text === "four"));
    assert.equal(room.value.firstUnread, undefined);
  });
});
