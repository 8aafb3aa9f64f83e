// Where acts are kept, how long, and in which window they are sent.
import assert from "node:assert/strict";
import "fake-indexeddb/auto";
import { describe, test, type TestContext } from "node:test";
import type { Act, Options, Room, StoredMessage } from "../src/index.js";
import { pin, react, save } from "../src/doing.js";
import { database, openValues } from "../src/storage.js";
import { hold, release } from "./harness/clock.js";
import { Gate, isPost } from "./harness/faults.js";
import { installLocks } from "./harness/locks.js";
import type { Seen } from "./harness/proxy.js";
import { eventually, sleep, until } from "./harness/until.js";
import { Shelf, World, find, inSeattle, opened, sent, type Person } from "./harness/world.js";

const hour = 3_600_000;
const day = 24 * hour;

const changes = (w: World) => w.network.log.filter(r => r.method !== "GET");
const isReaction = (r: Seen) => r.path.includes("/reactions/");
const actsOf = async (p: Person) => (await p.chat.unsent()).value;
const done = (p: Person) => until(`all acts of ${p.user} are done`, async () => !(await actsOf(p)).length);
const offline = (p: Person) => until(`${p.user} is offline`, () => p.chat.state.value === "offline");
const reactions = (room: Room, id: string) => find(room, id)?.reactions?.map(r => `${r.emoji} ${r.count}`).join() ?? "";

describe("acts that are too old", { concurrency: 2 }, () => {
  const id = "01658560-1d0b-7a2c-9e4f-8b6d2c1a0f3e~amsg";
  const on = { room: "seattle", of: id };
  const acts = [
    [day, { kind: "message", id, room: "seattle", text: "late" }],
    [7 * day, { kind: "edit", id: `edit ${id}`, ...on, text: "edited" }],
    [7 * day, { kind: "deletion", id: `deletion ${id}`, ...on, due: 0 }],
    [7 * day, { kind: "reaction", id: `reaction ${id} 👍`, ...on, emoji: "👍", on: true }],
    [7 * day, { kind: "vote", id: `vote ${id}`, ...on, choices: [1], before: [] }],
    [7 * day, { kind: "pin", id: `pin ${id}`, ...on, on: true }],
    [7 * day, { kind: "save", id: `save ${id}`, ...on, on: true }],
    [7 * day, { kind: "follow", id: `follow ${id}`, ...on, on: true }],
    [7 * day, { kind: "read", id: "read seattle", room: "seattle", message: id }],
  ] as const;
  for (const [life, act] of acts) test(`${act.kind}: not sent after ${life / day} days, and sent before`, async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg");
    w.network.request = r => (r.method === "GET" ? "pass" : { status: 503 });
    const [late, early] = [new Shelf(), new Shelf()];
    await late.put({ ...act, at: Date.now() - life } as unknown as Act);
    await early.put({ ...act, at: Date.now() - life + hour } as unknown as Act);
    const amsg = w.connect("amsg", { storage: late });
    const reasons: string[] = [];
    amsg.chat.on("refused", ({ act, error }) => reasons.push(`${act.kind}: ${error.message}`));
    const stays = /message|edit|deletion/.test(act.kind);
    const over = stays ? async () => (await actsOf(amsg))[0]?.error : async () => !(await actsOf(amsg)).length && reasons[0];
    await until("it is over", over);
    assert.match(await over() || "", /Not (sent|done) for a (day|week)/);
    assert.equal(late.kept.size, Number(stays));
    assert.deepEqual(changes(w), []);
    w.connect("amsg", { storage: early });
    await until("the other is sent", () => changes(w).length);
  });
});

describe("when much comes back", () => {
  /** Lets amsg react to 50 messages without a network, with six emoji each. */
  async function many(t: TestContext, trace?: NonNullable<Options["trace"]>) {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    await w.room("tacoma", "amsg", "bob");
    await w.post("bob", "seattle", ...Array.from({ length: 50 }, (_, n) => `${n}`));
    const amsg = w.connect("amsg", trace && { trace });
    await until("amsg is online", () => amsg.chat.state.value === "online");
    const room = await opened(amsg, "seattle");
    w.network.fail(true);
    await until("amsg is offline", async () => { if (trace) await w.pass(1000); return amsg.chat.state.value === "offline"; });
    for (const m of room.value.messages) for (const e of ["👍", "🎉", "👀", "🚀", "😀", "🙏"]) void react(amsg.chat, m, e, true);
    await until("all wait", async () => (await actsOf(amsg)).length === 300);
    return { w, amsg, room };
  }
  const running = (w: World) => w.network.log.filter(r => isReaction(r) && !r.ended).length;

  test("at most four requests run, and each is sent once", async t => {
    const { w, amsg, room } = await many(t);
    let most = 0;
    w.network.request = async r => {
      if (isReaction(r)) most = Math.max(most, running(w));
      await sleep(1);
      return "pass" as const;
    };
    w.network.fail(false);
    await done(amsg);
    assert.equal(most, 4);
    assert.equal(w.network.log.filter(isReaction).length, 300);
    // The server's counts may be a second behind.
    await eventually(async () => assert.ok((await w.messages("amsg", "seattle")).every(m => m.reactions?.length === 6)));
    await eventually(() => assert.ok(room.value.messages.every(m => m.reactions?.length === 6)));
  });

  test("a refusal for the rate makes all wait as long as it says", async t => {
    hold(t);
    const gate = new Gate();
    const { w, amsg } = await many(t, e => { if (e.kind === "request" && e.status === 429) gate.open(); });
    let begun = 0;
    w.network.request = r => (!isReaction(r) ? "pass" : begun++ ? gate.passed : { status: 429, retryAfter: 7 });
    w.network.fail(false);
    await until("the client is back", async () => { await w.pass(50); return begun; });
    assert.ok(begun <= 4, `${begun} have begun`);
    const before = begun;
    amsg.chat.room("tacoma").send("hello");
    await w.pass(6900);
    assert.deepEqual([begun, w.network.posts().length], [before, 0], "the client does not wait");
    await w.pass(100);
    release();
    await done(amsg);
    assert.deepEqual([begun, w.network.posts().length], [301, 1]);
  });

  test("slow mode holds up only its room", async t => {
    const { w, amsg, others: [bob] } = await inSeattle(t, "bob");
    await w.room("tacoma", "amsg", "bob");
    const slow = { type: "/problems/rate-limited", title: "Rate limited", status: 429, detail: "Slow.", retryable: true, limit: "slow-mode" };
    w.network.request = r => (isPost(r) && r.path.includes("seattle") ? { status: 429, retryAfter: 50, body: slow } : "pass");
    const [seattle, tacoma] = [await opened(bob!, "seattle"), await opened(bob!, "tacoma")];
    seattle.send("one");
    await until("it is refused", () => w.network.posts("one")[0]?.ended);
    await w.idle();
    tacoma.send("two");
    const [m] = await w.post("amsg", "seattle", "three");
    const reacting = react(bob!.chat, m!, "👍", true);
    await sent(tacoma);
    await reacting;
    assert.deepEqual((await actsOf(bob!)).map(a => a.kind), ["message"]);
    await w.agrees(amsg, "seattle");
  });
});

installLocks();
/** Opens seattle in two windows of amsg. */
const windows = async (w: World) => {
  const both = await w.online("amsg", "amsg");
  const rooms = await Promise.all(both.map(p => opened(p, "seattle")));
  for (const p of both) await actsOf(p); // their deliveries are loaded
  return { both, rooms };
};

describe("two windows of a person", { concurrency: 3 }, () => {
  test("show an act of one immediately, and send it once", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    const [m] = await w.post("bob", "seattle", "one");
    const { both: [first, second], rooms: [here, there] } = await windows(w);
    w.network.fail(true);
    for (const p of [first!, second!]) await offline(p);
    const ends = [react(first!.chat, m!, "👍", true), save(first!.chat, m!, true), pin(second!.chat, m!, true)];
    const id = there!.send("two");
    for (const room of [here!, there!]) {
      await until("both show the reaction", () => reactions(room, m!.id) === "👍 1");
      await until("both have the acts", () => find(room, m!.id)?.acts?.length === 3 && find(room, id)?.status === "pending");
    }
    w.network.fail(false);
    await Promise.all(ends);
    for (const p of [first!, second!]) await done(p);
    assert.deepEqual(changes(w).map(r => r.method).sort(), ["POST", "PUT", "PUT", "PUT"]);
    for (const p of [first!, second!]) await w.agrees(p, "seattle");
  });

  test("send once what each does while the network is there", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    const [m] = await w.post("bob", "seattle", "one");
    const { both, rooms } = await windows(w);
    for (let n = 0; n < 10; n++) {
      rooms[n % 2]!.send(`${n}`);
      await save(both[n % 2]!.chat, m!, n % 2 === 0);
    }
    for (const room of rooms) await sent(room);
    for (const p of both) await done(p);
    assert.deepEqual([w.network.posts().length, w.network.log.filter(r => r.path.includes("/saved/")).length], [10, 10]);
  });

  test("send a message with a file once", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg");
    const { both, rooms } = await windows(w);
    const id = rooms[0]!.send({ files: [{ blob: new Blob(["bytes"], { type: "text/plain" }), name: "a.txt" }] });
    for (const room of rooms) await until("both show it as sent", () => find(room, id)?.attachments?.length && !find(room, id)?.status);
    for (const p of both) await done(p);
    assert.equal(w.network.posts().length, 1);
  });

  test("send a later edit that takes the place of the other window's", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg");
    const [m] = await w.post("amsg", "seattle", "zero");
    const { both, rooms } = await windows(w);
    const gate = new Gate();
    w.network.answer = r => (r.method === "PATCH" ? gate.passed : "pass");
    const ends = [rooms[0]!.edit(m!.id, "one")];
    await until("both show it", () => rooms.every(r => find(r, m!.id)?.text === "one" && find(r, m!.id)?.acts?.[0]?.tried));
    await until("the server has it", () => changes(w)[0]?.status === 200);
    ends.push(rooms[1]!.edit(m!.id, "two"));
    await until("both show the other", () => rooms.every(r => find(r, m!.id)?.text === "two"));
    gate.open();
    await w.stores("amsg", "seattle", ["two"]);
    await Promise.all(ends);
    for (const p of both) await done(p);
  });

  test("hear what the server refuses to one", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    const [m] = await w.post("bob", "seattle", "one");
    const { both: [first, second], rooms } = await windows(w);
    w.network.request = r => (isReaction(r) ? { status: 409 } : "pass");
    const refused: string[] = [];
    second!.chat.on("refused", ({ act, error }) => refused.push(`${act.kind} ${error.status}`));
    await assert.rejects(react(first!.chat, m!, "👍", true));
    await until("the other knows", () => refused.join() === "reaction 409");
    for (const room of rooms) await until("it is gone", () => reactions(room, m!.id) === "");
  });
});

test("a window that hears late of the end of an act does not send it", async t => {
  const w = await World.open(t);
  await w.room("seattle", "amsg");
  const [m] = await w.post("amsg", "seattle", "one");
  const Real = BroadcastChannel;
  /** Delivers messages late: locks and channels of a browser have no common order. */
  class Late {
    private readonly channel: BroadcastChannel;
    constructor(name: string) { this.channel = new Real(name); }
    set onmessage(heard: (e: unknown) => void) { this.channel.onmessage = e => setTimeout(heard, 300, e).unref(); }
    postMessage(data: unknown): void { this.channel.postMessage(data); }
    close(): void { this.channel.close(); }
  }
  Object.assign(globalThis, { BroadcastChannel: Late });
  t.after(() => Object.assign(globalThis, { BroadcastChannel: Real }));
  const { both, rooms } = await windows(w);
  const gate = new Gate();
  w.network.answer = r => (r.path.includes("/saved/") ? gate.passed : "pass");
  const saving = save(both[0]!.chat, m!, true);
  await until("the other waits for it", () => find(rooms[1]!, m!.id)?.acts?.[0]?.tried);
  gate.open();
  await saving;
  for (const p of both) await done(p);
  await sleep(400);
  assert.equal(changes(w).length, 1);
});

test("a message of an older client is sent once, and taken out of its database", async t => {
  const w = await World.open(t);
  await w.room("seattle", "amsg");
  const id = `${w.connect("amsg").chat.room("seattle").send("new")}`;
  await w.stores("amsg", "seattle", ["new"]);
  const old = await new Promise<IDBDatabase>(resolve => {
    const opening = indexedDB.open(`parley ${w.network.url} amsg`, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("unsent", { keyPath: "id" });
    opening.onsuccess = () => resolve(opening.result);
  });
  const table = () => old.transaction("unsent", "readwrite").objectStore("unsent");
  const count = () => new Promise<number>(resolve => { const r = table().count(); r.onsuccess = () => resolve(r.result); });
  table().put({ id: id.replace(/^.{13}/, s => s.slice(0, -1) + (s.endsWith("0") ? "1" : "0")), room: "seattle", text: "old", at: Date.now() });
  const both = [w.connect("amsg"), w.connect("amsg")];
  for (const p of both) await actsOf(p);
  for (const p of both) await done(p);
  assert.equal(await count(), 0);
  assert.deepEqual((await w.messages("amsg", "seattle")).map(m => m.text).sort(), ["new", "old"]);
  assert.equal(w.network.posts("old").length, 1);
  old.close();
});

describe("a storage", { concurrency: 3 }, () => {
  test("in IndexedDB removes no act that took another one's place", async () => {
    const storage = database(await openValues("later acts"), "later acts");
    const act = { kind: "save", id: "save 1", room: "seattle", of: "1", on: true } as const;
    await storage.put({ ...act, at: 2 });
    await storage.delete(act.id, 1);
    assert.deepEqual(await storage.all(), [{ ...act, at: 2 }]);
    await storage.delete(act.id, 2);
    assert.deepEqual(await storage.all(), []);
  });

  const refuse = () => Promise.reject(new DOMException("full", "QuotaExceededError"));
  for (const broken of [["put"], ["all"], ["put", "all"]] as const) test(`that fails with ${broken.join(" and ")} holds up nothing`, async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg");
    const [m] = await w.post("amsg", "seattle", "mine");
    const amsg = w.connect("amsg", { storage: Object.assign(new Shelf(), Object.fromEntries(broken.map(name => [name, refuse]))) });
    const room = await opened(amsg, "seattle");
    room.send("hello");
    await room.edit(m!.id, "edited");
    await react(amsg.chat, m!, "👍", true);
    await sent(room);
    await w.stores("amsg", "seattle", ["edited", "hello"]);
    await done(amsg);
  });

  /** Lets amsg edit a message, and holds the answer back. */
  async function editing(t: TestContext, storage?: Shelf) {
    const w = await World.open(t);
    await w.room("seattle", "amsg");
    const [m] = await w.post("amsg", "seattle", "mine");
    const amsg = w.connect("amsg", storage && { storage });
    const room = await opened(amsg, "seattle");
    const gate = new Gate();
    w.network.request = r => (r.method === "PATCH" ? gate.passed.then(() => ({ status: 403 })) : "pass");
    const ending = room.edit(m!.id, "edited");
    await until("it is sent", () => w.network.log.some(r => r.method === "PATCH"));
    return { w, amsg, m: m!, gate, ending };
  }

  test("has no acts after a sign-out, though an answer comes later", async t => {
    const storage = new Shelf();
    const { w, amsg, gate, ending } = await editing(t, storage);
    assert.equal(storage.kept.size, 1);
    await amsg.chat.signOut();
    await ending;
    gate.open();
    await until("the answer has come", () => w.network.log.every(r => r.ended));
    await w.idle();
    await sleep(50);
    assert.deepEqual([...storage.kept], []);
  });

  test("keeps acts when the server refuses the token", async t => {
    const { w, amsg, m } = await editing(t);
    w.network.request = () => ({ status: 401 });
    w.network.cut();
    await until("the client ends", () => amsg.chat.state.value === "signed-out");
    w.network.heal();
    await done(w.connect("amsg"));
    await eventually(async () => assert.equal((await w.messages("amsg", "seattle")).find((s: StoredMessage) => s.id === m.id)?.text, "edited"));
  });
});
