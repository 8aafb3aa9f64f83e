// Connections that die silently: nothing arrives over them, and nobody hears of their end. The tests share the
// clock and the page of this process, so they run in turn. Waits of up to 5 s take real time.
import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import type { Room } from "../src/index.js";
import { hold, missetClock, release } from "./harness/clock.js";
import { isPost } from "./harness/faults.js";
import { Page } from "./harness/page.js";
import type { Done, Frame } from "./harness/proxy.js";
import { sleep, until } from "./harness/until.js";
import { World, has, opened, type Person } from "./harness/world.js";

/** A person who looks again sees everything after so many milliseconds. */
const soon = 5000;
/** A silent room is compared after so many milliseconds. */
const silence = 45_000;
const minute = 60_000;
/** All rooms are compared at most this often. */
const compareEvery = 10_000;
const isSync = (f: Frame) => f.type === "sync";

/** A client that has opened a room, in a page that is visible. */
interface Looking {
  readonly page: Page;
  readonly w: World;
  readonly amsg: Person;
  readonly room: Room;
  /** The states since the client was online, in order. */
  readonly states: string[];
}

async function looking(t: TestContext): Promise<Looking> {
  const page = Page.open(t);
  const w = await World.open(t);
  await w.room("seattle", "amsg", "bob");
  const [amsg] = await w.online("amsg");
  assert.ok(amsg);
  const room = await opened(amsg, "seattle");
  await amsg.chat.unsent(); // so that the second module is loaded
  await w.post("bob", "seattle", "before");
  await w.endsWith(amsg, room, "before");
  const states: string[] = [];
  amsg.chat.state.subscribe(() => states.push(amsg.chat.state.value));
  return { page, w, amsg, room, states };
}

/** Fails unless something is true within some milliseconds. */
async function within(ms: number, what: string, is: () => unknown): Promise<void> {
  const from = performance.now();
  await until(what, is);
  const took = Math.round(performance.now() - from);
  assert.ok(took <= ms, `${what}, after ${took} ms`);
}

const shows = (room: Room, text: string) => () => room.value.messages.some(m => m.text === text && !m.status);

/** Returns the requests that frames of a client make from now on. */
function requests(w: World): () => string[] {
  const before = w.network.sentFrames.length;
  return () => w.network.sentFrames.slice(before).map(f => (f["rooms"] && isSync(f) ? "sync of rooms" : f.type ?? ""));
}

describe("a dead connection is replaced, and everything is shown", () => {
  const looks: [string, (page: Page, t: TestContext) => void][] = [
    ["gets the focus", page => page.fire("focus")],
    ["comes back from the history", page => page.fire("pageshow", { persisted: true })],
    ["is online again", page => page.fire("online")],
    ["becomes visible", page => { page.show(false); page.show(true); }],
    ["belongs to a machine that slept", (_, t) => missetClock(t, 10_000)],
  ];
  for (const [name, look] of looks) test(`when the page ${name}`, async t => {
    const { page, w, amsg, room, states } = await looking(t);
    w.network.freeze();
    await w.post("bob", "seattle", "meanwhile");
    await sleep(50);
    assert.ok(!shows(room, "meanwhile")());
    look(page, t);
    await within(soon, "the message is there", shows(room, "meanwhile"));
    assert.equal(w.network.opened, 2, "connections");
    assert.ok(!states.includes("offline"), `${states}`);
    await w.agrees(amsg, "seattle");
  });

  test("when a machine without a page slept", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    const [amsg] = await w.online("amsg");
    assert.ok(amsg);
    const room = await opened(amsg, "seattle");
    await amsg.chat.unsent(); // so that the second module is loaded
    w.network.freeze();
    await w.post("bob", "seattle", "meanwhile");
    missetClock(t, 60 * minute);
    await within(soon, "the message is there", shows(room, "meanwhile"));
  });

  test("when nobody but the page notices, within 50 s", async t => {
    const { w, amsg, room } = await looking(t);
    hold(t);
    w.network.freeze();
    await w.post("bob", "seattle", "meanwhile");
    await w.passFrozen(silence);
    release();
    await within(soon, "the message is there", shows(room, "meanwhile"));
    await w.agrees(amsg, "seattle");
  });

  test("when the connection had not said hello", async t => {
    const page = Page.open(t);
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    w.network.sent = () => "drop";
    const amsg = w.connect("amsg");
    const room = amsg.chat.room("seattle");
    await room.open();
    await until("a hello is lost", () => w.network.sentFrames.some(f => f.type === "hello"));
    w.network.freeze();
    w.network.sent = () => "pass";
    page.fire("online");
    await within(soon, "the client is online", () => amsg.chat.state.value === "online");
    await w.agrees(amsg, "seattle");
  });
});

describe("the state", () => {
  test("stays online while a late answer may come, and the first connection stays if it does", async t => {
    const { page, w, amsg, room, states } = await looking(t);
    let answer: (fate: "pass") => void = () => {};
    w.network.frame = f => (f.type === "ack" && /^(check|sync)/.test(`${f["id"]}`) ? new Promise(done => { answer = done; }) : "pass");
    w.network.sent = f => (f.type === "hello" ? "drop" : "pass");
    page.fire("focus");
    await until("another connection is dialed", () => w.network.opened === 2);
    answer("pass");
    await until("one connection is left", () => w.network.links.size === 1);
    assert.deepEqual(states, []);
    w.network.heal();
    await w.post("bob", "seattle", "after");
    await w.endsWith(amsg, room, "after");
    assert.equal(w.network.opened, 2, "connections");
  });

  test("is connecting when neither answers, and online when one does", async t => {
    const { page, w, amsg, room, states } = await looking(t);
    w.network.freeze();
    w.network.sent = () => "drop";
    page.fire("focus");
    await within(soon, "the state says so", () => amsg.chat.state.value === "connecting");
    w.network.heal();
    page.fire("focus");
    await within(soon, "the client is online", () => amsg.chat.state.value === "online");
    assert.deepEqual(states, ["connecting", "online"]);
    await w.agrees(amsg, "seattle");
    assert.ok(shows(room, "before")());
  });
});

describe("requests on dead connections", () => {
  test("are repeated after the next hello", async t => {
    const { page, w, room } = await looking(t);
    await w.post("bob", "seattle", ...Array.from({ length: 60 }, (_, n) => `message ${n}`));
    const [other] = await w.online("amsg"); // a first hello repeats nothing
    const again = other!.chat.room("seattle");
    await again.open();
    assert.ok(again.value.hasOlder);
    w.network.request = () => new Promise(() => {});
    const older = again.older();
    await until("it waits", () => w.network.log.some(d => d.path.includes("before=") && !d.ended));
    w.network.freeze();
    w.network.request = () => "pass";
    page.fire("focus");
    await within(soon, "older messages are there", () => !again.value.hasOlder);
    await older;
    assert.ok(shows(room, "before"));
  });

  test("are not repeated if they may have had an effect", async t => {
    const { page, w, amsg } = await looking(t);
    const creates = (d: Done) => d.method === "POST" && d.path === "/rooms";
    w.network.request = r => (r.method === "POST" && r.path === "/rooms" ? new Promise(() => {}) : "pass");
    void amsg.chat.request("POST", "/rooms", { name: "Tacoma" }).catch(() => undefined);
    await until("it waits", () => w.network.log.some(creates));
    w.network.freeze();
    page.fire("focus");
    await within(soon, "there is another connection", () => w.network.opened === 2 && amsg.chat.state.value === "online");
    await sleep(1500);
    assert.equal(w.network.log.filter(creates).length, 1);
  });

  test("send a message within 5 s, once, and bring what others have written", async t => {
    const { w, amsg, room } = await looking(t);
    w.network.request = r => (isPost(r) ? new Promise(() => {}) : "pass");
    w.network.freeze();
    await w.post("bob", "seattle", "meanwhile");
    room.send("own");
    await until("it is on its way", () => w.network.posts("own").length === 1);
    w.network.request = () => "pass";
    await within(soon, "both are there", () => shows(room, "own")() && shows(room, "meanwhile")());
    await w.agrees(amsg, "seattle");
    await w.stores("amsg", "seattle", ["before", "meanwhile", "own"]);
  });

  test("of messages are repeated while frames arrive", async t => {
    const { w, room } = await looking(t);
    let n = 0;
    w.network.request = r => (isPost(r) && n++ === 0 ? new Promise(() => {}) : "pass");
    room.send("own");
    await within(soon, "it is stored", shows(room, "own"));
    assert.equal(w.network.opened, 1, "connections");
    await w.stores("amsg", "seattle", ["before", "own"]);
  });
});

/** Posts a message of bob, whose frame is lost. */
async function loses(w: World, text: string): Promise<void> {
  const [lost] = await w.post("bob", "seattle", text);
  await until("the frame is lost", () => w.network.frames.some(has(lost?.id)));
}

describe("a lost frame", () => {
  test("behind an own message is read within 5 s of it", async t => {
    const { w, amsg, room } = await looking(t);
    w.network.frame = f => (f.type === "changes" ? "drop" : "pass");
    const asked = requests(w);
    await loses(w, "lost");
    room.send("own");
    await within(soon, "it is there", () => shows(room, "lost")() && shows(room, "own")());
    assert.deepEqual(asked(), ["sync of rooms"]);
    await w.agrees(amsg, "seattle");
  });

  test("is read after 45 s of silence while the page is visible, by one small request", async t => {
    const { w, room } = await looking(t);
    hold(t);
    w.network.frame = f => (f.type === "changes" ? "drop" : "pass");
    await loses(w, "lost");
    const [asked, before] = [requests(w), w.network.log.length];
    await w.pass(silence - 2000);
    assert.deepEqual(asked(), []);
    await w.pass(4000);
    assert.deepEqual(asked(), ["sync of rooms"]);
    await until("it is there", shows(room, "lost"));
    assert.deepEqual(w.network.log.slice(before).map(d => d.path.replace(/\?.*/, "")).filter(path => !path.startsWith("/people")), ["/rooms/seattle/changes"]);
    await w.pass(silence - 4000);
    assert.equal(asked().length, 1);
  });

  test("of which the server tells is read after half a second", async t => {
    const { w, amsg, room } = await looking(t);
    hold(t);
    w.network.frame = f => (f.type === "changes" ? "drop" : "pass");
    await loses(w, "lost");
    const [change] = (await w.ask<{ items: { seq: number }[] }>("amsg", "GET", "/rooms/seattle/changes?limit=200")).items.slice(-1);
    await w.idle();
    const before = w.network.log.length;
    const received = amsg.edge.received.length;
    for (const l of w.network.links) l.say({ type: "heads", rooms: [{ id: "seattle", head: change?.seq }] });
    await until("the frame is there", () => amsg.edge.received.length > received);
    await w.pass(499);
    assert.ok(!w.network.log.slice(before).some(d => d.path.includes("/changes")), "read too early");
    await w.pass(1);
    await until("it is there", shows(room, "lost"));
  });
});

describe("nobody", () => {
  test("looks at a hidden page, which asks only every 8 minutes", async t => {
    const { page, w } = await looking(t);
    hold(t);
    page.show(false);
    await w.pass(5000); // what the beginning left to do
    const [asked, before] = [requests(w), w.network.log.length];
    await w.pass(7 * minute);
    assert.deepEqual([asked(), w.network.log.slice(before).map(d => d.path)], [[], []]);
    await w.pass(2 * minute);
    assert.deepEqual(asked(), ["sync"]);
    page.show(true);
    await w.pass(minute);
    assert.deepEqual(asked().slice(1), ["sync", "sync of rooms"]);
  });

  test("looks at a program without a page", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg");
    const [amsg] = await w.online("amsg");
    assert.ok(amsg);
    await opened(amsg, "seattle");
    hold(t);
    await w.pass(5000); // what the beginning left to do
    const [asked, before] = [requests(w), w.network.log.length];
    await w.pass(7 * minute);
    assert.deepEqual([asked(), w.network.log.slice(before).map(d => d.path)], [[], []]);
  });

  test("pays more than a sync in 10 s for many looks", async t => {
    const { page, w } = await looking(t);
    hold(t);
    await w.pass(minute);
    const asked = requests(w);
    page.show(false);
    page.show(true);
    page.fire("focus");
    await w.pass(compareEvery);
    assert.deepEqual(asked(), ["sync"], "two events of one look");
    for (let n = 0; n < 10; n++) {
      page.fire("focus");
      await w.pass(1000);
    }
    await w.pass(compareEvery);
    assert.equal(asked().filter(r => r === "sync").length, 3, `${asked()}`);
  });
});

describe("what another device did during an absence", () => {
  /** Lets the client lose its connection, and does something meanwhile. */
  async function away({ w, amsg }: Looking, work: () => Promise<unknown>): Promise<void> {
    w.network.fail(true);
    await until("the client notices", () => amsg.chat.state.value !== "online");
    await work();
    w.network.fail(false);
    await until("the client is online", () => amsg.chat.state.value === "online");
  }
  const reactions = (room: Room) => room.value.messages.flatMap(m => (m.reactions ?? []).map(r => `${r.emoji} ${r.count}${r.me ? " own" : ""}`));

  test("shows own reactions and votes", async t => {
    const looks = await looking(t);
    const { w, amsg, room } = looks;
    const [m] = await w.post("bob", "seattle", "react");
    const poll = await w.ask<{ id: string }>("bob", "POST", "/rooms/seattle/messages", { text: "When?", poll: { options: ["Tuesday", "Friday"] } });
    await w.endsWith(amsg, room, "When?");
    const reaction = `/rooms/seattle/messages/${m?.id}/reactions/${encodeURIComponent("👍")}`;
    const vote = `/rooms/seattle/messages/${poll.id}/vote`;
    const voted = () => room.value.messages.at(-1)?.poll?.options.map(o => `${o.votes}${o.me ? " own" : ""}`);
    await away(looks, async () => {
      await w.ask("bob", "PUT", reaction);
      await w.ask("amsg", "PUT", reaction);
      await w.ask("amsg", "PUT", vote, { choices: [1] });
    });
    await until("the reaction is own", () => reactions(room).join() === "👍 2 own");
    await until("the vote is own", () => voted()?.join() === "0,1 own");
    await w.agrees(amsg, "seattle");
    await away(looks, async () => {
      await w.ask("amsg", "DELETE", reaction);
      await w.ask("amsg", "PUT", vote, { choices: [0] });
    });
    await until("the reaction is bob's", () => reactions(room).join() === "👍 1");
    await until("the vote has moved", () => voted()?.join() === "1 own,0");
    await w.agrees(amsg, "seattle");
  });

  test("is read a page at a time, and not at all if nobody reacted", async t => {
    const looks = await looking(t);
    const { w, amsg, room } = looks;
    const posted = await w.post("bob", "seattle", ...Array.from({ length: 20 }, (_, n) => `message ${n}`));
    await w.endsWith(amsg, room, "message 19");
    const reads = () => w.network.log.filter(d => d.method === "GET" && d.path.includes("/messages")).length;
    const before = reads();
    await away(looks, async () => {
      for (const m of posted) await w.ask("amsg", "PUT", `/rooms/seattle/messages/${m.id}/reactions/${encodeURIComponent("👍")}`);
      await until("all are counted", async () => (await w.feed("bob", "seattle")).filter(c => c.type === "counts.changed").length === posted.length);
    });
    await until("all are own", () => reactions(room).filter(r => r === "👍 1 own").length === 20);
    assert.equal(reads() - before, 1);
    await away(looks, () => w.post("bob", "seattle", "no reaction"));
    await w.endsWith(amsg, room, "no reaction");
    await w.agrees(amsg, "seattle");
    assert.equal(reads() - before, 1);
  });

  test("shows when somebody looks, if only the event was lost", async t => {
    const { page, w, amsg, room } = await looking(t);
    w.network.frame = f => (f.type === "personal" ? "drop" : "pass");
    const id = room.value.messages[0]?.id;
    await w.ask("amsg", "PUT", `/rooms/seattle/messages/${id}/reactions/${encodeURIComponent("👍")}`);
    await until("it is counted", () => reactions(room).length === 1);
    hold(t);
    page.show(false);
    page.show(true);
    await w.pass(compareEvery); // after the hello
    release();
    await until("it is own", () => reactions(room).join() === "👍 1 own");
    await w.agrees(amsg, "seattle");
  });
});

describe("a change of the settings", () => {
  test("names the room by its id", async t => {
    const { w, amsg } = await looking(t);
    const rooms: unknown[] = [];
    amsg.chat.on("change", e => { if (e.type === "room.changed") rooms.push(e.room); });
    await w.ask("amsg", "PATCH", "/rooms/seattle", { topic: "rain" });
    await until("it is reported", () => rooms.length === 1);
    w.network.fail(true);
    await until("the client notices", () => amsg.chat.state.value !== "online");
    await w.ask("amsg", "PATCH", "/rooms/seattle", { topic: "sun" });
    w.network.fail(false);
    await until("it is reported after an absence", () => rooms.length === 2);
    assert.deepEqual(rooms, ["seattle", "seattle"]);
  });
});

describe("a room that was restored from a copy", () => {
  test("is loaded again when the server says that the feed does not continue", async t => {
    const { w, amsg, room } = await looking(t);
    hold(t);
    w.network.sent = f => {
      if (!isSync(f)) return "pass";
      for (const l of w.network.links) l.say({ type: "ack", id: f["id"], rooms: [{ id: "seattle", head: 1, since: "another", reset: true }] });
      return "drop";
    };
    const before = w.network.log.length;
    await w.pass(silence + 2000);
    await until("it is loaded again", () => w.network.log.slice(before).some(d => d.path.startsWith("/rooms/seattle/messages")));
    await w.agrees(amsg, "seattle");
    assert.equal(room.value.phase, "ready");
  });

  test("is read when all rooms are compared and its last number is lower", async t => {
    const { page, w } = await looking(t);
    hold(t);
    await w.pass(compareEvery);
    w.network.sent = f => {
      if (!isSync(f)) return "pass";
      for (const l of w.network.links) l.say({ type: "ack", id: f["id"], rooms: [{ id: "seattle", head: 1, since: "another" }] });
      return "drop";
    };
    const before = w.network.log.length;
    page.fire("focus");
    await until("its changes are read", () => w.network.log.slice(before).some(d => d.path.startsWith("/rooms/seattle/changes")));
  });

  test("is compared when numbers come again", async t => {
    const { w, amsg } = await looking(t);
    await w.post("bob", "seattle", "after");
    await w.endsWith(amsg, amsg.chat.room("seattle"), "after");
    const again = w.network.frames.findLast(f => f.type === "changes");
    const asked = requests(w);
    for (const l of w.network.links) l.say(again ?? {});
    await until("the room is compared", () => asked().includes("sync of rooms"));
  });
});
