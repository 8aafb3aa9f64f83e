// Acts: what a person did with messages is done once, or reported, after any reload and in any window.
import assert from "node:assert/strict";
import "fake-indexeddb/auto";
import { describe, test, type TestContext } from "node:test";
import type { Act, Edit, Message, RequestError, Room, Storage, StoredMessage } from "../src/index.js";
import { follow, pin, react, save, vote } from "../src/doing.js";
import { keyOf, type KeptRoom } from "../src/kept.js";
import { openValues, valueOf } from "../src/storage.js";
import { hold, missetClock } from "./harness/clock.js";
import { Device } from "./harness/drawer.js";
import { isPost } from "./harness/faults.js";
import { posted, type Seen } from "./harness/proxy.js";
import { eventually, sleep, until } from "./harness/until.js";
import { Shelf, World, find, inSeattle, opened, sent, type Person } from "./harness/world.js";

const hour = 3_600_000;

const pathOf = (id: string) => `/rooms/seattle/messages/${encodeURIComponent(id)}`;
const read = (w: World, id: string) => w.ask<StoredMessage>("amsg", "GET", pathOf(id));
/** Reports whether a list of the server has a message. */
const lists = async (w: World, path: string, id: string) => JSON.stringify(await w.ask("amsg", "GET", path)).includes(id);
/** Returns the requests that changed something. */
const changes = (w: World) => w.network.log.filter(r => r.method !== "GET");
const isReaction = (r: Seen) => r.path.includes("/reactions/");
const isEdit = (r: Seen) => r.method === "PATCH";
const actsOf = async (p: Person) => (await p.chat.unsent()).value;
const done = (p: Person) => until(`all acts of ${p.user} are done`, async () => !(await actsOf(p)).length);
const offline = (p: Person) => until(`${p.user} is offline`, () => p.chat.state.value === "offline");
const has = (status: number) => (e: unknown) => (e as RequestError).status === status;
const shown = (room: Room, id: string) => find(room, id) ?? assert.fail(`${id} is not shown`);

/** Something that people do with a message. */
interface Deed {
  readonly kind: Exclude<Act["kind"], "message">;
  act(p: Person, room: Room, m: Message): Promise<unknown>;
  /** Reports whether a message has it, if messages do. */
  shows?(m: StoredMessage): unknown;
  /** Reports whether the server has it, if no message shows it. */
  stored?(w: World, id: string): Promise<unknown>;
}
const plain = (acts: readonly Act[]) => JSON.parse(JSON.stringify(acts)) as unknown;
const unread = ({ items }: { items: readonly { unread: number }[] }) => items[0]?.unread;
const deeds: readonly Deed[] = [
  { kind: "edit", act: (_, room, m) => room.edit(m.id, "edited"), shows: m => m.text === "edited" },
  { kind: "deletion", act: (_, room, m) => room.remove(m.id), shows: m => m.deletedAt && !m.text },
  { kind: "reaction", act: (p, _, m) => react(p.chat, m, "👍", true), shows: m => m.reactions?.[0]?.me && m.reactions[0].count === 1 },
  { kind: "vote", act: (p, _, m) => vote(p.chat, m, [1]), shows: m => m.poll?.voters === 1 && m.poll.options[1]?.me },
  { kind: "pin", act: (p, _, m) => pin(p.chat, m, true), stored: (w, id) => lists(w, "/rooms/seattle/pins", id) },
  { kind: "save", act: (p, _, m) => save(p.chat, m, true), stored: (w, id) => lists(w, "/people/me/saved", id) },
  { kind: "follow", act: (p, _, m) => follow(p.chat, m, true), stored: (w, id) => lists(w, "/people/me/threads", id) },
  { kind: "read", act: (_, room) => room.markRead(), stored: async w => unread(await w.ask("amsg", "GET", "/people/me/rooms")) === 0 },
];

/** Opens a world with a message for each deed, in order, and a last one of bob's. */
async function withMessages(t: TestContext): Promise<{ w: World; ids: readonly string[] }> {
  const w = await World.open(t);
  await w.room("seattle", "amsg", "bob");
  const ids: string[] = [];
  for (const { kind } of deeds) {
    const poll = kind === "vote" && { poll: { options: ["tea", "coffee"] } };
    ids.push((await w.ask<StoredMessage>("amsg", "POST", "/rooms/seattle/messages", { text: `for a ${kind}`, ...poll })).id);
  }
  await w.post("bob", "seattle", "the last");
  return { w, ids };
}

/** Lets a device keep seattle, which kept reads from its storage. */
async function keeps(w: World, storage: Storage | undefined, kept: () => Promise<KeptRoom | undefined>): Promise<void> {
  const amsg = w.connect("amsg", storage && { storage });
  const room = await opened(amsg, "seattle");
  await until("the list is there", () => amsg.chat.rooms.loaded);
  await until("the room is kept", async () => (await kept())?.messages.length === room.value.messages.length);
  amsg.chat.close();
}

/** Opens seattle on a device that has no network. */
async function withoutNetwork(w: World, storage?: Storage): Promise<{ amsg: Person; room: Room }> {
  w.network.fail(true);
  const amsg = w.connect("amsg", storage && { storage });
  const room = amsg.chat.room("seattle");
  void room.open();
  await until("the room is shown", () => room.value.phase === "ready" && amsg.chat.rooms.cachedAt);
  return { amsg, room };
}

/** Does all deeds without a network, and reloads the page twice: before it comes back, and after. */
async function survives(w: World, ids: readonly string[], storage?: Storage): Promise<void> {
  const first = await withoutNetwork(w, storage);
  await offline(first.amsg);
  const ends = deeds.map((d, n) => d.act(first.amsg, first.room, shown(first.room, ids[n]!)));
  await until("all are acts", async () => (await actsOf(first.amsg)).length === deeds.length);
  const acts = await actsOf(first.amsg);
  first.amsg.chat.close();
  await Promise.all(ends);
  const second = await withoutNetwork(w, storage);
  const check = (acts: boolean) => deeds.forEach(({ kind, shows = () => true }, n) => {
    const m = shown(second.room, ids[n]!);
    assert.ok(shows(m), `${kind} is shown: ${JSON.stringify(m)}`);
    assert.deepEqual(m.acts?.map(a => a.kind), acts && kind !== "read" ? [kind] : undefined, "the acts of a message");
  });
  await eventually(() => check(true));
  await until("the list is read", () => second.amsg.chat.rooms.unread === 0);
  assert.deepEqual(plain(await actsOf(second.amsg)), plain(acts));
  assert.deepEqual(changes(w), []);
  w.network.fail(false);
  await done(second.amsg);
  await eventually(() => check(false));
  for (const [n, { kind, shows, stored = async () => shows!(await read(w, ids[n]!)) }] of deeds.entries()) {
    await until(`the server has the ${kind}`, () => stored(w, ids[n]!));
  }
  assert.equal(changes(w).length, deeds.length, "each is sent once");
  await w.agrees(second.amsg, "seattle");
}

describe("acts of all kinds without a network, and a reload, in", { concurrency: 2 }, () => {
  test("a storage of the app", async t => {
    const { w, ids } = await withMessages(t);
    const device = new Device();
    await keeps(w, device, async () => device.cache.room("seattle"));
    await survives(w, ids, device);
    assert.equal(device.kept.size, 0);
  });

  test("IndexedDB", async t => {
    const { w, ids } = await withMessages(t);
    await keeps(w, undefined, async () => {
      const database = await openValues(`parley ${w.network.url} amsg cache`);
      const kept = await valueOf(database, keyOf("seattle")) as KeptRoom | undefined;
      database.close();
      return kept;
    });
    await survives(w, ids);
    assert.deepEqual(await actsOf(w.connect("amsg")), []);
  });
});

/** Opens seattle without a network, with a message of amsg's that everybody has. */
async function cutOff(t: TestContext, storage?: Storage) {
  const w = await World.open(t);
  await w.room("seattle", "amsg", "bob");
  const [m] = await w.post("amsg", "seattle", "mine");
  const amsg = w.connect("amsg", storage && { storage });
  const room = await opened(amsg, "seattle");
  await until("amsg is online", () => amsg.chat.state.value === "online");
  w.network.fail(true);
  await offline(amsg);
  return { w, amsg, room, m: m!, id: m!.id };
}

describe("before it is sent", { concurrency: 4 }, () => {
  const toggles = {
    "a reaction": (p: Person, m: Message, on: boolean) => react(p.chat, m, "👍", on),
    "a pin": (p: Person, m: Message, on: boolean) => pin(p.chat, m, on),
    "a saved message": (p: Person, m: Message, on: boolean) => save(p.chat, m, on),
  };
  for (const [name, toggle] of Object.entries(toggles)) test(`${name} and its end are nothing`, async t => {
    const { w, amsg, room, id } = await cutOff(t);
    const both = [toggle(amsg, shown(room, id), true), toggle(amsg, shown(room, id), false)];
    await done(amsg);
    await Promise.all(both);
    w.network.fail(false);
    room.send("later");
    await sent(room);
    assert.deepEqual(changes(w).map(r => r.method), ["POST"]);
  });

  test("the last of several edits is sent, and takes the place of the others", async t => {
    const { w, amsg, room, id } = await cutOff(t);
    const edits = ["one", "two"].map(text => room.edit(id, text));
    await until("the last is shown", () => shown(room, id).text === "two");
    w.network.fail(false);
    await Promise.all(edits);
    assert.deepEqual(changes(w).map(r => posted(r.body).text), ["two"]);
    await w.agrees(amsg, "seattle");
  });

  test("a message is edited and deleted without a request", async t => {
    const { w, room } = await cutOff(t);
    const [first, second] = ["one", "two"].map(text => room.send(text));
    await room.edit(first!, "one, edited");
    await room.remove(second!);
    assert.deepEqual(room.value.messages.map(m => m.text), ["mine", "one, edited"]);
    w.network.fail(false);
    await sent(room);
    assert.deepEqual(changes(w).map(r => posted(r.body).text), ["one, edited"]);
    await w.stores("amsg", "seattle", ["mine", "one, edited"]);
  });

  test("a deletion removes what waits for the message", async t => {
    const { w, amsg, room, id } = await cutOff(t);
    const all = [room.edit(id, "edited"), react(amsg.chat, shown(room, id), "👍", true)];
    await until("both wait", async () => (await actsOf(amsg)).length === 2);
    all.push(room.remove(id));
    await until("it is shown", () => shown(room, id).deletedAt);
    w.network.fail(false);
    await Promise.all(all);
    assert.deepEqual(changes(w).map(r => r.method), ["DELETE"]);
    assert.deepEqual(await actsOf(amsg), []);
    await w.agrees(amsg, "seattle");
  });
});

describe("an edit of a message that was edited elsewhere", { concurrency: 4 }, () => {
  /** Lets amsg edit a message without a network that has another text by then. */
  async function conflict(t: TestContext) {
    const storage = new Shelf();
    const { w, amsg, room, id } = await cutOff(t, storage);
    await w.ask("amsg", "PATCH", pathOf(id), { text: "elsewhere" });
    const ending = room.edit(id, "here");
    await until("it is shown", () => shown(room, id).text === "here");
    w.network.fail(false);
    return { w, amsg, room, id, storage, ending };
  }

  for (const [name, choose, text] of [
    ["is sent again when the person wants it", (room: Room, id: string) => room.retry(`edit ${id}`), "here"],
    ["is dropped when the person discards it", (room: Room, id: string) => room.discard(`edit ${id}`), "elsewhere"],
  ] as const) test(`${name}, and not before`, async t => {
    const { w, amsg, room, id, storage, ending } = await conflict(t);
    await assert.rejects(ending, has(412));
    await until("the other is shown", () => shown(room, id).text === "elsewhere");
    const [act] = shown(room, id).acts as [Edit];
    assert.deepEqual([act.text, act.elsewhere], ["here", (await read(w, id)).revision]);
    assert.match(act.error ?? "", /\w+ \w+/);
    assert.equal(storage.kept.get(act.id)?.error, act.error, "it is stored");
    assert.equal((await read(w, id)).text, "elsewhere");
    choose(room, id);
    await done(amsg);
    assert.equal((await read(w, id)).text, text);
    assert.equal(storage.kept.size, 0);
    await w.agrees(amsg, "seattle");
  });

  test("is done if the text is the same", async t => {
    const { w, amsg, room, id } = await cutOff(t);
    w.network.request = r => (isEdit(r) ? { status: 412 } : "pass"); // the server accepts the same text at any revision
    await w.ask("amsg", "PATCH", pathOf(id), { text: "here" });
    const ending = room.edit(id, "here");
    w.network.fail(false);
    await ending;
    assert.deepEqual(await actsOf(amsg), []);
    assert.equal(shown(room, id).acts, undefined);
    assert.equal(w.network.log.filter(isEdit).length, 1);
  });

  test("is not one after an own edit whose answer was lost", async t => {
    const { w, amsg, room, id } = await cutOff(t);
    let tries = 0;
    w.network.request = r => (!isEdit(r) || posted(r.body).text === "second" ? "pass" : tries++ ? "lose-request" : "lose-answer");
    w.network.frame = f => (f.type === "changes" ? "drop" : "pass");
    const first = room.edit(id, "first");
    w.network.fail(false);
    await until("its answer is lost", () => w.network.log.some(r => isEdit(r) && r.status === 200 && r.ended));
    await Promise.all([first, room.edit(id, "second")]);
    assert.equal((await read(w, id)).text, "second");
    assert.deepEqual(await actsOf(amsg), []);
  });
});

describe("an act that the server refuses", { concurrency: 3 }, () => {
  const refusals = (p: Person) => {
    const all: string[] = [];
    p.chat.on("refused", ({ act, error }) => all.push(`${act.kind} ${error.status}`));
    return all;
  };

  test("vanishes with an event, also after a reload", async t => {
    const { w, ids } = await withMessages(t);
    const device = new Device();
    await keeps(w, device, async () => device.cache.room("seattle"));
    w.network.request = r => (isReaction(r) || r.path.endsWith("/vote") || r.path.endsWith("/pin") ? { status: 409 } : "pass");
    const first = await withoutNetwork(w, device);
    const [reacted, voted, pinned] = [2, 3, 4].map(n => shown(first.room, ids[n]!));
    const all = () => [react(first.amsg.chat, reacted!, "👍", true), vote(first.amsg.chat, voted!, [0]), pin(first.amsg.chat, pinned!, true)];
    await Promise.all([...all(), until("they are stored", () => device.kept.size === 3).then(() => first.amsg.chat.close())]);
    const { amsg, room } = await withoutNetwork(w, device);
    const refused = refusals(amsg);
    await eventually(() => assert.equal(shown(room, reacted!.id).acts?.length, 1));
    w.network.fail(false);
    await until("all are refused", () => refused.length === 3);
    assert.deepEqual(refused.sort(), ["pin 409", "reaction 409", "vote 409"]);
    for (const m of [reacted, voted, pinned]) assert.equal(shown(room, m!.id).acts, undefined);
    assert.deepEqual([shown(room, reacted!.id).reactions ?? [], shown(room, voted!.id).poll], [[], voted!.poll]);
    assert.equal(device.kept.size, 0);
    await assert.rejects(react(amsg.chat, shown(room, reacted!.id), "👍", true), has(409));
    assert.equal(refused.length, 4);
  });

  test("stays with its reason if it is an edit or a deletion", async t => {
    const { w, room, id } = await cutOff(t);
    w.network.request = r => (/PATCH|DELETE/.test(r.method) ? { status: 403 } : "pass");
    const ends = [room.edit(id, "edited"), room.remove(id)].map(p => assert.rejects(p, has(403)));
    w.network.fail(false);
    await Promise.all(ends);
    assert.deepEqual(shown(room, id).acts?.map(a => [a.kind, !!a.error]), [["edit", true], ["deletion", true]]);
    assert.equal(shown(room, id).text, "mine");
  });

  test("for its rate, and for longer than a minute, fails after one request", async t => {
    const { w, room } = await inSeattle(t);
    w.network.request = r => (isPost(r) ? { status: 429, retryAfter: 61 } : "pass");
    const id = room.send("one too many");
    await until("it fails", () => find(room, id)?.status === "failed");
    assert.equal(find(room, id)?.error, "Retry later.");
    await sleep(100);
    assert.equal(w.network.posts().length, 1);
  });
});

describe("a deletion that waits", () => {
  test("can be taken back, or is sent when it is due", async t => {
    hold(t);
    const w = await World.open(t);
    await w.room("seattle", "amsg");
    const [{ id } = assert.fail()] = await w.post("amsg", "seattle", "mine");
    const [amsg] = await w.online("amsg");
    const room = await opened(amsg!, "seattle");
    const first = room.remove(id, 5000);
    await until("it is shown", () => shown(room, id).deletedAt);
    await w.pass(4999);
    room.discard(`deletion ${id}`);
    await first;
    assert.equal(shown(room, id).text, "mine");
    await w.pass(10_000);
    assert.deepEqual(changes(w), []);
    const second = room.remove(id, 5000);
    await until("it is shown", () => shown(room, id).deletedAt);
    await w.pass(4999);
    assert.deepEqual(changes(w), []);
    await w.pass(1);
    await second;
    assert.deepEqual(changes(w).map(r => [r.method, r.status]), [["DELETE", 200]]);
    assert.ok((await read(w, id)).deletedAt);
  });
});

describe("an act on a message that is not sent", () => {
  for (const [name, shift] of [["waits for it", 0], ["follows it to another id", hour]] as const) test(name, async t => {
    missetClock(t, shift);
    const w = await World.open(t);
    await w.room("seattle", "amsg");
    w.network.fail(true);
    w.network.live = false; // only the answer to the post tells the time
    const storage = new Shelf();
    const amsg = w.connect("amsg", { storage });
    const room = amsg.chat.room("seattle");
    const id = room.send("first");
    let ended = 0;
    for (const act of [react(amsg.chat, shown(room, id), "👍", true), save(amsg.chat, shown(room, id), true)]) void act.then(() => ended++);
    await until("they wait", () => storage.kept.size === 3);
    assert.deepEqual(shown(room, id).reactions, [{ emoji: "👍", count: 1, me: true }]);
    w.network.fail(false);
    await opened(amsg, "seattle");
    await until("both are done", () => ended === 2);
    await sent(room);
    const [m] = await w.messages("amsg", "seattle");
    assert.equal(m?.id === id, !shift, "the id");
    assert.deepEqual(m?.reactions, [{ emoji: "👍", count: 1, me: true }]);
    assert.ok(await lists(w, "/people/me/saved", m.id));
    assert.deepEqual([...changes(w).map(r => r.method), storage.kept.size], shift ? ["POST", "POST", "PUT", "PUT", 0] : ["POST", "PUT", "PUT", 0]);
    await w.agrees(amsg, "seattle");
  });
});
