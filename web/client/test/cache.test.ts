// What a device keeps of what was read: it is shown immediately, and then compared with the server.
import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import type { Room, RoomEntry, StoredMessage } from "../src/index.js";
import type { Kept, KeptList } from "../src/kept.js";
import { react as choose } from "../src/doing.js";
import { hold } from "./harness/clock.js";
import { Device } from "./harness/drawer.js";
import { eventually, until } from "./harness/until.js";
import { World, has, opened, receives, type Person } from "./harness/world.js";

const texts = (room: Room) => room.value.messages.map(m => m.text);

/** Waits until a device keeps these texts of a room. */
const keeps = (device: Device, room: string, wanted: readonly string[] | undefined) =>
  eventually(() => assert.deepEqual(device.cache.texts(room), wanted, `the stored messages of ${room}`));

/** Waits until the feed of a room has something. It may be a moment behind the answers. */
const fed = (w: World, room: string, what: string) =>
  until(`the feed has ${what}`, async () => JSON.stringify(await w.ask("bob", "GET", `/rooms/${room}/changes?limit=200`)).includes(what));

/** Opens a world in which amsg's device has kept seattle, and amsg has left. */
async function kept(t: TestContext, ...posted: string[]) {
  const w = await World.open(t);
  await w.room("seattle", "amsg", "bob");
  const messages = await w.post("bob", "seattle", ...posted);
  const device = new Device();
  await read(w, device, "seattle");
  return { w, device, messages };
}

/** Lets a device of amsg keep rooms, which are read in order. */
async function read(w: World, device: Device, ...rooms: string[]): Promise<void> {
  const { chat } = w.connect("amsg", { storage: device });
  for (const id of rooms) await chat.room(id).open();
  for (const id of rooms) await until(`${id} is kept`, () => device.cache.room(id)?.messages.length === chat.room(id).value.messages.length);
  chat.close();
}

/** Reacts to a message of bob, as amsg on another device. */
async function react(w: World, { id, room }: StoredMessage): Promise<void> {
  await w.ask("amsg", "PUT", `/rooms/${room}/messages/${encodeURIComponent(id)}/reactions/${encodeURIComponent("👍")}`);
  await fed(w, room, "counts.changed");
}

/** Waits until the device keeps a reaction as amsg's own. */
const keepsReaction = (device: Device, room: string) =>
  eventually(() => assert.deepEqual(device.cache.room(room)?.messages[0]?.reactions, [{ emoji: "👍", count: 1, me: true }]));

/** Opens seattle on a device, and waits until it is shown. */
async function shown(w: World, device: Device): Promise<{ amsg: Person; room: Room }> {
  const amsg = w.connect("amsg", { storage: device });
  const room = amsg.chat.room("seattle");
  void room.open();
  await until("the room is shown", () => room.value.phase === "ready");
  return { amsg, room };
}

const compared = (room: Room) => until("the room is compared", () => room.value.phase === "ready" && !room.value.cachedAt);

describe("a reloaded page", { concurrency: 3 }, () => {
  test("shows what the device kept without a network, and then what has changed", async t => {
    const { w, device, messages: [first, second] } = await kept(t, "one", "secret", "three");
    await w.ask("bob", "DELETE", `/rooms/seattle/messages/${second?.id}`);
    await w.ask("bob", "PATCH", `/rooms/seattle/messages/${first?.id}`, { text: "one, edited" });
    await w.post("bob", "seattle", "four");
    await fed(w, "seattle", "four");
    w.network.fail(true);
    const { amsg, room } = await shown(w, device);
    assert.deepEqual(texts(room), ["one", "secret", "three"]);
    assert.ok(Date.now() - (room.value.cachedAt ?? 0) < 60_000);
    await until("the list is shown", () => amsg.chat.rooms.cachedAt);
    assert.deepEqual(amsg.chat.rooms.value.map(r => [r.id, r.lastMessage?.text]), [["seattle", "three"]]);
    w.network.fail(false);
    await compared(room);
    await until("the list is compared", () => !amsg.chat.rooms.cachedAt);
    await w.agrees(amsg, "seattle");
    assert.equal(w.network.log.filter(r => r.path.includes("/messages?")).length, 1, "no page is loaded again");
    await until("the text is gone from the device", () => !device.cache.has("secret"));
  });

  test("shows no quote of a deleted text", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    const [quoted] = await w.post("bob", "seattle", "secret");
    await w.ask("amsg", "POST", "/rooms/seattle/messages", { text: "what?", quote: quoted?.id });
    await w.post("bob", "seattle", ...Array.from({ length: 4 }, (_, n) => `${n}`));
    const device = new Device();
    await read(w, device, "seattle");
    assert.ok(device.cache.has("secret"));
    await w.ask("bob", "DELETE", `/rooms/seattle/messages/${quoted?.id}`);
    await fed(w, "seattle", "message.deleted");
    const { room } = await shown(w, device);
    await compared(room);
    assert.equal(JSON.stringify(room.value.messages).includes("secret"), false);
    await until("the text is gone from the device", () => !device.cache.has("secret"));
  });

  test("has the unread line and the counts of what came meanwhile", async t => {
    const { w, device, messages: [root] } = await kept(t, "one", "two");
    const before = w.connect("amsg");
    await (await opened(before, "seattle")).markRead();
    before.chat.close();
    const [unread] = await w.post("bob", "seattle", "three", "four");
    await w.ask("bob", "POST", "/rooms/seattle/messages", { text: "reply", thread: root?.id });
    await fed(w, "seattle", "reply");
    const { amsg, room } = await shown(w, device);
    await compared(room);
    assert.equal(room.value.firstUnread, unread?.id);
    await until("the reply is counted", () => room.value.messages[0]?.replies?.count === 1);
    await until("the messages are counted", () => amsg.chat.rooms.unread === 2);
    await w.agrees(amsg, "seattle");
  });

  test("has the unread line without a network, as far as the list tells it", async t => {
    const { w, device, messages: [first, second, third] } = await kept(t, "one", "two", "three");
    await w.ask("amsg", "PUT", "/rooms/seattle/read", { message: first?.id });
    await fed(w, "seattle", "three");
    const before = w.connect("amsg", { storage: device });
    const counted = ([entry]: readonly RoomEntry[]) => entry?.unread === 2 && entry.lastMessage?.id === third?.id;
    await until("the list counts them", () => counted(before.chat.rooms.value));
    await until("that is kept", async () => counted((await device.cache.get("list") as KeptList).rooms));
    before.chat.close();
    w.network.fail(true);
    const { amsg, room } = await shown(w, device);
    await until("the list is shown", () => amsg.chat.rooms.cachedAt);
    assert.equal(room.value.firstUnread, second?.id);
    w.network.fail(false);
    await compared(room);
    assert.equal(room.value.firstUnread, second?.id);
    await room.markUnread(third!.id);
    room.close();
    w.network.fail(true);
    void room.open();
    await until("it is shown again", () => room.value.cachedAt);
    assert.equal(room.value.firstUnread, third?.id);
    room.discard(room.send("an answer"));
    assert.equal(room.value.firstUnread, undefined);
  });

  test("continues when reading the changes was cut off", async t => {
    const { w, device } = await kept(t, "one");
    await w.post("bob", "seattle", ...Array.from({ length: 230 }, (_, n) => `${n}`));
    let reads = 0;
    w.network.request = r => (r.path.includes("/changes") && ++reads > 1 ? "lose-request" : "pass");
    const { amsg, room } = await shown(w, device);
    await until("the second page is lost", () => reads > 1);
    assert.ok(room.value.cachedAt);
    w.network.heal();
    w.network.cut();
    await compared(room);
    await w.agrees(amsg, "seattle");
  });

  test("loads a room again that has changed a lot", async t => {
    const { w, device } = await kept(t, "one");
    await w.post("bob", "seattle", ...Array.from({ length: 620 }, (_, n) => `${n}`));
    const { amsg, room } = await shown(w, device);
    await compared(room);
    assert.deepEqual(texts(room).slice(-2), ["618", "619"]);
    assert.equal(room.value.messages.length, 50);
    await w.agrees(amsg, "seattle");
  });

  test("shows new names", async t => {
    const { w, device } = await kept(t, "one");
    await w.post("amsg", "seattle", "two"); // the list brings the name of the last sender
    await fed(w, "seattle", "two");
    const renamed = { items: [{ user: "bob", name: "Bob Ray" }] }; // the server's own answers may be a minute old
    w.network.request = r => (r.path.startsWith("/people?ids=") ? { status: 200, body: renamed } : "pass");
    const { amsg } = await shown(w, device);
    await until("the new name is shown", () => amsg.chat.people.value["bob"]?.name === "Bob Ray");
  });

  test("hides the messages of somebody who is blocked, without a network too", async t => {
    const { w, device } = await kept(t, "one");
    await w.ask("amsg", "PUT", "/people/me/blocks/bob");
    const { amsg, room } = await shown(w, device);
    await until("they are hidden", () => room.value.messages[0]?.blocked);
    await until("that is kept", () => device.cache.room("seattle")?.messages[0]?.blocked);
    amsg.chat.close();
    w.network.fail(true);
    assert.ok((await shown(w, device)).room.value.messages[0]?.blocked);
  });

  test("has the reactions of the person on another device", async t => {
    const { w, device, messages: [first] } = await kept(t, "one");
    await react(w, first!);
    await compared((await shown(w, device)).room);
    await keepsReaction(device, "seattle");
  });

  test("goes from room to room without a network", async t => {
    const { w, device } = await kept(t, "one");
    const { amsg, room } = await shown(w, device);
    await compared(room);
    w.network.fail(true);
    await until("the client is offline", () => amsg.chat.state.value === "offline");
    room.close();
    void room.open();
    await until("it is shown again", () => room.value.phase === "ready");
    assert.deepEqual(texts(room), ["one"]);
    assert.ok(room.value.cachedAt);
  });
});

describe("a device has nothing", { concurrency: 3 }, () => {
  /** Opens a world in which amsg's device has kept a private room of bob, which is not open. */
  async function secretRoom(t: TestContext) {
    const { w, device } = await kept(t, "one");
    const { id } = await w.ask<{ id: string }>("bob", "POST", "/rooms", { name: "Secret", visibility: "private" });
    await w.ask("bob", "PUT", `/rooms/${id}/members/amsg`, { role: "member" });
    await w.post("bob", id, "secret");
    await read(w, device, id);
    assert.ok(device.cache.has("secret"));
    return { w, device, id };
  }
  const gone = (device: Device) => until("it is gone from the device", () => !device.cache.has("secret") && !device.cache.has("Secret"));

  test("of a room from which the person was removed while the page was closed", async t => {
    const { w, device, id } = await secretRoom(t);
    await w.ask("bob", "DELETE", `/rooms/${id}/members/amsg`);
    await shown(w, device);
    await gone(device);
  });

  test("of a room from which the person is removed while another is open", async t => {
    const { w, device, id } = await secretRoom(t);
    const { amsg } = await shown(w, device);
    await until("the client is online", () => amsg.chat.state.value === "online" && !amsg.chat.rooms.cachedAt);
    await w.ask("bob", "DELETE", `/rooms/${id}/members/amsg`);
    await gone(device);
  });

  test("of a room that was deleted", async t => {
    const { w, device, id } = await secretRoom(t);
    await w.ask("bob", "DELETE", `/rooms/${id}`);
    await shown(w, device);
    await gone(device);
  });

  test("of a public room from which a reader was banned", async t => {
    const { w, device } = await kept(t, "one");
    await w.room("secret", "bob");
    await w.post("bob", "secret", "secret");
    await read(w, device, "secret");
    await w.ask("bob", "PUT", "/rooms/secret/members/amsg", { role: "banned" });
    const entry = device.cache.index!.rooms.get("secret")!;
    device.cache.values.set("index", { ...device.cache.index, rooms: new Map(device.cache.index!.rooms).set("secret", { ...entry, at: 1 }) });
    await shown(w, device);
    await gone(device);
  });

  test("of somebody who signed out, and another page of theirs writes nothing", async t => {
    const { w, device } = await kept(t, "one");
    const { amsg, room } = await shown(w, device);
    const other = await shown(w, device);
    await compared(room);
    await compared(other.room);
    await until("the other page can write", () => (other.amsg.chat as unknown as { kept: Kept }).kept.writer);
    await amsg.chat.signOut();
    assert.equal(device.cache.values.size, 0);
    await w.post("bob", "seattle", "two");
    await until("the other page has it", () => texts(other.room).includes("two"));
    other.amsg.chat.close();
    await new Promise(done => setTimeout(done, 100));
    assert.equal(device.cache.values.size, 0);
  });

  test("of somebody who is suspended", async t => {
    const { w, device } = await kept(t, "one");
    w.network.request = () => ({ status: 403, body: { type: "/problems/suspended", title: "Suspended", status: 403, detail: "Suspended.", retryable: false } });
    const amsg = w.connect("amsg", { storage: device });
    await until("the person is suspended", () => amsg.chat.state.value === "suspended");
    await until("nothing is kept", () => device.cache.values.size === 0);
  });
});

describe("what is kept", { concurrency: 3 }, () => {
  test("is not overwritten by a page that has read less", async t => {
    const { w, device } = await kept(t, "one");
    const { amsg, room } = await shown(w, device);
    await compared(room);
    w.network.fail(true);
    await w.post("bob", "seattle", "two");
    const other = w.connect("amsg", { storage: device, url: w.server.url }); // past the network
    await opened(other, "seattle");
    await keeps(device, "seattle", ["one", "two"]);
    const { writes } = device.cache;
    void choose(amsg.chat, room.value.messages[0]!, "👍", true).catch(() => {}); // which it shows, and writes
    await until("it writes", () => device.cache.writes > writes);
    amsg.chat.close();
    assert.deepEqual(device.cache.texts("seattle"), ["one", "two"]);
  });

  test("begins again after a restore", async t => {
    const { w, device } = await kept(t, "kept");
    await w.server.end("SIGTERM");
    await w.server.backUp();
    await w.server.resume();
    await w.post("bob", "seattle", "lost", "lost, too");
    await read(w, device, "seattle");
    await w.server.end("SIGTERM");
    await w.server.restore();
    await w.server.resume();
    const { amsg, room } = await shown(w, device);
    await compared(room);
    await until("what was lost is gone", () => texts(room).join() === "kept");
    await w.agrees(amsg, "seattle");
    await keeps(device, "seattle", ["kept"]);
  });

  test("of another version is dropped", async t => {
    const { w, device } = await kept(t, "one");
    device.cache.values.set("index", { ...device.cache.index, version: 0 });
    device.cache.values.set("room olympia", { texts: "of another form" });
    w.network.fail(true);
    const amsg = w.connect("amsg", { storage: device });
    const room = amsg.chat.room("seattle");
    void room.open();
    await until("the room could not be loaded", () => room.value.phase === "failed");
    w.network.fail(false);
    await compared(room);
    await keeps(device, "seattle", ["one"]);
    assert.equal(device.cache.room("olympia"), undefined);
  });

  test("may be lost, or fail, at any time", async t => {
    const { w, device } = await kept(t, "one");
    device.cache.failure = new Error("broken");
    const { amsg, room } = await shown(w, device);
    await w.post("bob", "seattle", "two");
    await w.endsWith(amsg, room, "two");
    device.cache.failure = undefined;
    device.cache.values.clear();
    await w.post("bob", "seattle", "three");
    await w.endsWith(amsg, room, "three");
    await w.agrees(amsg, "seattle");
  });

  test("is not what is around an older message", async t => {
    const { w, device, messages } = await kept(t, ...Array.from({ length: 70 }, (_, n) => `${n}`));
    const before = device.cache.texts("seattle");
    const amsg = w.connect("amsg", { storage: device });
    const room = amsg.chat.room("seattle");
    await room.open(messages[0]?.id);
    assert.ok(room.value.hasNewer);
    await w.post("bob", "seattle", "70");
    await until("the list is written", () => device.cache.has('"text":"70"'));
    room.close();
    amsg.chat.close();
    await new Promise(done => setTimeout(done, 100));
    assert.deepEqual(device.cache.texts("seattle"), before);
  });

  test("has a bound, and the room that was read first goes first", async t => {
    const { w, device } = await kept(t, "one");
    for (const id of ["tacoma", "olympia"]) {
      await w.room(id, "amsg");
      await w.post("amsg", id, id);
      await read(w, device, id);
    }
    const { index } = device.cache;
    const rooms = new Map([...index!.rooms].map(([id, entry]) => [id, { ...entry, bytes: 30_000_000 }]));
    device.cache.values.set("index", { ...index, rooms });
    await compared((await shown(w, device)).room);
    // A write of the list may come before the one of seattle, which then still counts with its former size.
    await until("one is gone", () => [...device.cache.index!.rooms.keys()].join() === "olympia,seattle");
    assert.ok(!device.cache.room("tacoma") && device.cache.room("olympia") && device.cache.room("seattle"));
  });

  test("gives way when the storage is full, and what was read first goes first", async t => {
    const { w, device } = await kept(t, "one");
    for (const id of ["tacoma", "olympia", "tukwila"]) {
      await w.room(id, "amsg");
      await w.post("amsg", id, id);
      if (id !== "tukwila") await read(w, device, id);
    }
    device.cache.mostRooms = 3;
    const { chat } = w.connect("amsg", { storage: device });
    await chat.room("tukwila").open();
    await until("there is space", () => !device.cache.room("seattle") && !device.cache.room("tacoma"));
    await w.post("amsg", "tukwila", "the next change");
    await keeps(device, "tukwila", ["tukwila", "the next change"]);
    assert.deepEqual([...device.cache.index!.rooms.keys()], ["olympia", "tukwila"]);
  });
});

describe("rooms that are not open", { concurrency: 3 }, () => {
  /** Opens a world in which amsg's device has kept seattle and others, and amsg has left. */
  async function several(t: TestContext, ...ids: string[]) {
    const { w, device } = await kept(t, "one");
    for (const id of ids) {
      await w.room(id, "amsg", "bob");
      await w.post("bob", id, `first of ${id}`);
    }
    await read(w, device, ...ids);
    return { w, device };
  }
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => `${n}`);

  test("are brought up to date, by their changes or by a page", async t => {
    const { w, device } = await several(t, "tacoma", "olympia", "salem");
    const { id } = (await w.messages("bob", "tacoma"))[0]!;
    await w.ask("bob", "DELETE", `/rooms/tacoma/messages/${id}`);
    await w.ask("amsg", "PUT", "/rooms/tacoma", { name: "Tacoma", topic: "Boats", systemMessages: false });
    await w.post("bob", "tacoma", "second");
    await w.post("bob", "olympia", ...numbers(250));
    await fed(w, "tacoma", "second");
    const since = w.network.log.length;
    await compared((await shown(w, device)).room);
    await keeps(device, "tacoma", ["", "second"]);
    await keeps(device, "olympia", numbers(250).slice(50));
    const asked = w.network.log.slice(since).map(r => /rooms\/(tacoma|olympia|salem)\/(changes|messages)/.exec(r.path)?.slice(1).join(" ")).filter(Boolean);
    assert.deepEqual(asked.sort(), ["olympia messages", "tacoma changes"], "nothing is asked about a room that has not changed");
    assert.deepEqual([device.cache.room("tacoma")?.info.topic, device.cache.room("tacoma")?.people["bob"]?.name], ["Boats", "bob"]);
    assert.equal(device.cache.has("first of tacoma"), false);
    w.network.fail(true);
    const amsg = w.connect("amsg", { storage: device });
    const room = amsg.chat.room("olympia");
    void room.open();
    await until("it is shown without a network", () => room.value.phase === "ready");
    assert.equal(room.value.messages.length, 200);
    w.network.fail(false);
    await w.post("bob", "olympia", "250");
    await w.agrees(amsg, "olympia");
  });

  test("have the reactions of the person on another device once they are open", async t => {
    const { w, device } = await several(t, "tacoma");
    await react(w, (await w.messages("bob", "tacoma"))[0]!);
    const { amsg, room } = await shown(w, device);
    await compared(room);
    await until("the change is kept", () => device.cache.room("tacoma")?.messages[0]?.reactions);
    amsg.chat.close();
    const again = w.connect("amsg", { storage: device });
    await opened(again, "tacoma");
    await keepsReaction(device, "tacoma");
  });

  test("are kept up to date by frames while another is open", async t => {
    const { w, device } = await several(t, "tacoma");
    const { amsg, room } = await shown(w, device);
    await compared(room);
    await until("the client is online", () => amsg.chat.state.value === "online");
    hold(t);
    await w.pass(5000); // the rooms are brought up to date
    const since = w.network.log.length;
    const [second] = await w.post("bob", "tacoma", "second");
    await receives(amsg, "the message", has(second?.id));
    await w.pass(40_000);
    await keeps(device, "tacoma", ["first of tacoma", "second"]);
    assert.deepEqual(w.network.log.slice(since).map(r => r.path).filter(path => path.includes("/changes")), []);
  });

  test("are removed if too many are behind", async t => {
    const ids = numbers(22).map(n => `room-${n}`);
    const { w, device } = await several(t, ...ids);
    for (const id of ids) await w.post("bob", id, "second");
    await fed(w, ids.at(-1)!, "second");
    const since = w.network.log.length;
    await compared((await shown(w, device)).room);
    await until("the rest is up to date", () => device.cache.texts("room-2")?.length === 2);
    await until("all are", () => ids.slice(2).every(id => device.cache.texts(id)?.length === 2));
    assert.deepEqual(ids.slice(0, 3).map(id => device.cache.texts(id)?.length), [undefined, undefined, 2]);
    assert.equal(w.network.log.slice(since).filter(r => r.path.includes("/changes?include")).length, 20);
  });
});
