// The list of rooms and its unread counts, against the server's.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RoomEntry } from "../src/index.js";
import { hold, release } from "./harness/clock.js";
import { Gate } from "./harness/faults.js";
import type { Seen } from "./harness/proxy.js";
import { eventually, until } from "./harness/until.js";
import { World, opened, receives, sent, type Person } from "./harness/world.js";

/** A list that may be wrong is loaded again within so many milliseconds. */
const doubt = 5_000;

interface Listed {
  readonly items: RoomEntry[];
  readonly unreadTotal: number;
}

/** Waits until the client's list equals the server's: order, names, last messages, counts. */
async function agrees(w: World, p: Person): Promise<void> {
  await eventually(async () => {
    const listed = await w.ask<Listed>(p.user, "GET", "/people/me/rooms?include=people&limit=200");
    const parts = (e: RoomEntry) => ({ id: e.id, name: e.name, unread: e.unread, mentions: e.mentions, muted: !!e.muted, favorite: !!e.favorite, role: e.role, last: e.lastMessage && [e.lastMessage.id, e.lastMessage.text] });
    assert.deepEqual(p.chat.rooms.value.map(parts), listed.items.map(parts), `${p.user}'s rooms`);
    assert.equal(p.chat.rooms.unread, listed.unreadTotal);
  });
}

/** Waits until so much is unread, for the client and for the server. */
async function unread(w: World, p: Person, count: number): Promise<void> {
  await until(`${p.user} has ${count} unread`, () => p.chat.rooms.unread === count);
  await agrees(w, p);
}

/** Lets a person's list be loaded again. The server has answered; the answer arrives when the returned function is called. */
async function lateList(w: World, { user, chat }: Person): Promise<() => Promise<void>> {
  const gate = new Gate();
  const isList = (r: Seen) => r.user === user && r.path.startsWith("/people/me/rooms?");
  w.network.answer = r => isList(r) ? gate.passed : "pass";
  const loaded = chat.rooms.reload();
  await until("the server has answered", () => w.network.log.some(d => isList(d) && d.status === 200 && !d.ended));
  return () => {
    gate.open();
    return loaded;
  };
}

test("the room list equals the server's through posts, edits, reads, new rooms and removals", async t => {
  const w = await World.open(t);
  for (const id of ["olympia", "tacoma", "seattle"]) await w.room(id, "amsg", "bob");
  const [amsg] = await w.online("amsg");
  assert.ok(amsg);
  await until("the list is loaded", () => amsg.chat.rooms.loaded);
  await agrees(w, amsg);
  const room = await opened(amsg, "seattle");

  // Posts in the open room, and in rooms that are not.
  const [first, second] = await w.post("bob", "seattle", "one", "two", "three");
  await w.post("bob", "tacoma", "four", "five");
  await unread(w, amsg, 5);

  await room.markRead();
  await unread(w, amsg, 2);
  await room.markUnread(second?.id ?? "");
  await unread(w, amsg, 4);

  // Another device of the same person reads.
  const [phone] = await w.online("amsg");
  assert.ok(phone);
  await (await opened(phone, "tacoma")).markRead();
  await unread(w, amsg, 2);
  await unread(w, phone, 2);

  // Own messages do not count; deleted ones neither.
  room.send("own");
  await sent(room);
  await w.ask("bob", "DELETE", `/rooms/seattle/messages/${first?.id}`);
  await agrees(w, amsg);

  // A list that is loaded soon after the marker was moved has the count of now.
  await room.markRead();
  await w.post("bob", "seattle", "unseen");
  await until("the post is counted", () => amsg.chat.rooms.value.find(e => e.id === "seattle")?.unread === 1);
  await amsg.chat.rooms.reload();
  await agrees(w, amsg);

  // New rooms, and rooms that are left.
  const direct = await w.ask<{ id: string }>("bob", "POST", "/rooms", { direct: ["amsg"] });
  await w.post("bob", direct.id, "psst");
  await agrees(w, amsg);
  hold(t);
  await w.pass(doubt); // nothing else loads the list
  await w.ask("amsg", "PUT", "/rooms/tacoma", { name: "Tacoma, WA" });
  await receives(amsg, "the change", f => JSON.stringify(f).includes("room.changed"));
  await w.pass(doubt);
  assert.equal(amsg.chat.rooms.value.find(e => e.id === "tacoma")?.name, "Tacoma, WA");
  release();
  await agrees(w, amsg);
  await w.ask("carol", "PUT", "/rooms/yakima", {});
  await w.ask("carol", "PUT", "/rooms/yakima/members/amsg", { role: "member" });
  await agrees(w, amsg);
  await w.ask("carol", "DELETE", "/rooms/yakima/members/amsg");
  await agrees(w, amsg);
  await agrees(w, phone);
});

test("a list that is loaded has its rooms, and their people", async t => {
  const w = await World.open(t);
  await w.room("seattle", "amsg", "bob");
  await w.post("bob", "seattle", "hello");
  await until("the server lists the message", async () => !!(await w.ask<Listed>("amsg", "GET", "/people/me/rooms")).items[0]?.lastMessage);
  const { chat } = w.connect("amsg");
  const shown: string[] = [];
  chat.rooms.subscribe(() => {
    if (chat.rooms.loaded) shown.push(`${chat.rooms.value.map(r => r.id).join()} ${chat.rooms.people.bob?.name}`);
  });
  await until("the list is loaded", () => chat.rooms.loaded);
  assert.deepEqual(new Set(shown), new Set(["seattle bob"]));
});

test("a direct room with a blocked person is no room that the list lacks", async t => {
  const w = await World.open(t);
  await w.room("seattle", "amsg", "bob");
  await w.post("bob", (await w.ask<{ id: string }>("bob", "POST", "/rooms", { direct: ["amsg"] })).id, "psst");
  await w.ask("amsg", "PUT", "/people/me/blocks/bob");
  await until("the server lists one room", async () => (await w.ask<Listed>("amsg", "GET", "/people/me/rooms")).items.length === 1);
  const [amsg] = await w.online("amsg");
  assert.ok(amsg);
  const { rooms } = amsg.chat;
  await rooms.reload();
  assert.deepEqual([rooms.value.map(r => r.id), rooms.more], [["seattle"], { rooms: 0, unread: 0 }]);
});

test("the room list heals after a lost connection and lost frames", async t => {
  const w = await World.open(t);
  for (const id of ["tacoma", "seattle"]) await w.room(id, "amsg", "bob");
  const [amsg] = await w.online("amsg");
  assert.ok(amsg);
  await until("the list is loaded", () => amsg.chat.rooms.loaded);
  w.network.frame = f => f.type === "ack" ? "pass" : "drop";
  await w.post("bob", "tacoma", "lost");
  await w.ask("bob", "POST", "/rooms", { direct: ["amsg"] });
  const lost = (type: string) => w.network.frames.some(f => JSON.stringify(f).includes(type));
  await until("the frames are lost", () => lost("message.created") && lost("room.added"));
  w.network.heal();
  w.network.cut();
  await agrees(w, amsg);
  assert.equal(amsg.chat.rooms.value.length, 3);
});

test("a person who is removed from a room and joins it again hears its messages", async t => {
  const w = await World.open(t);
  const { id } = await w.ask<{ id: string }>("bob", "POST", "/rooms", { name: "Crew", visibility: "private" });
  const member = `/rooms/${id}/members/amsg`;
  await w.ask("bob", "PUT", member, { role: "member" });
  const [amsg] = await w.online("amsg");
  assert.ok(amsg);
  const { rooms } = amsg.chat;
  await until("the room is listed", () => rooms.value.length === 1);
  await w.post("bob", id, "one");
  await until("it is counted", () => rooms.unread === 1);
  await w.ask("bob", "DELETE", member);
  await until("the list has no room", () => rooms.value.length === 0);
  await w.ask("bob", "PUT", member, { role: "member" });
  await until("the room is listed again", () => rooms.value.length === 1);
  await receives(amsg, "the answer to a subscription", f => f.type === "ack" && JSON.stringify(f).includes('"subscribe-'));
  await w.post("bob", id, "two");
  await until("the message is received", () => rooms.value[0]?.lastMessage?.text === "two");
});

test("a person who is added to a room sees so in all windows, until they have read it", async t => {
  const w = await World.open(t);
  for (const id of ["tacoma", "yakima"]) await w.room(id, "carol");
  const [amsg] = await w.online("amsg");
  const [phone] = await w.online("amsg");
  assert.ok(amsg && phone);
  const added = (id: string) => [amsg, phone].map(p => p.chat.rooms.value.find(r => r.id === id)?.addedBy);
  await w.ask("carol", "PUT", "/rooms/tacoma/members/amsg", { role: "member" });
  await until("both windows say who added them", () => added("tacoma").every(by => by === "carol"));
  await w.ask("amsg", "PUT", "/rooms/yakima/members/me", { role: "member" });
  await until("both have the room that they joined", () => phone.chat.rooms.value.length === 2 && amsg.chat.rooms.value.length === 2);
  assert.deepEqual(added("yakima"), [undefined, undefined]);
  // The room has no message that could be marked.
  const room = await opened(amsg, "tacoma");
  await room.markRead();
  await until("it is read in both", () => added("tacoma").every(by => !by));
  await agrees(w, phone);
});

test("a room from which a person is removed while it is open comes back when they are added again", async t => {
  const w = await World.open(t);
  const { id } = await w.ask<{ id: string }>("bob", "POST", "/rooms", { name: "Crew", visibility: "private" });
  const member = `/rooms/${id}/members/amsg`;
  await w.ask("bob", "PUT", member, { role: "member" });
  await w.post("bob", id, "one");
  const [amsg] = await w.online("amsg");
  assert.ok(amsg);
  const room = await opened(amsg, id);
  assert.ok(room.value.live);
  for (const text of ["two", "three"]) {
    await w.ask("bob", "DELETE", member);
    await until("it is gone", () => room.value.phase === "gone" && !room.value.live);
    await w.post("bob", id, "unseen");
    await w.ask("bob", "PUT", member, { role: "member" });
    await until("it is back", () => room.value.phase === "ready" && room.value.live);
    await w.post("bob", id, text);
    await w.endsWith(amsg, room, text);
  }
  // A room that was closed meanwhile stays closed.
  room.close();
  await w.ask("bob", "DELETE", member);
  await until("the list has no room", () => amsg.chat.rooms.value.length === 0);
  await w.ask("bob", "PUT", member, { role: "member" });
  await until("it is listed again", () => amsg.chat.rooms.value.length === 1);
  assert.equal(room.value.phase, "closed");
});

test("a room that another device reads stays read when an older list arrives", async t => {
  const w = await World.open(t);
  await w.room("seattle", "amsg", "bob");
  const [amsg] = await w.online("amsg");
  assert.ok(amsg);
  const [, newest] = await w.post("bob", "seattle", "one", "two");
  await unread(w, amsg, 2);
  const arrive = await lateList(w, amsg);
  await w.ask("amsg", "PUT", "/rooms/seattle/read", { message: newest?.id });
  await until("the list hears of it", () => amsg.chat.rooms.unread === 0);
  await arrive();
  assert.equal(amsg.chat.rooms.unread, 0);
});

test("a message that comes while the list is loaded stays counted", async t => {
  const w = await World.open(t);
  await w.room("seattle", "amsg", "bob");
  const [amsg] = await w.online("amsg");
  assert.ok(amsg);
  const { rooms } = amsg.chat;
  await until("the list is loaded", () => rooms.value.length === 1);
  const arrive = await lateList(w, amsg);
  await w.post("bob", "seattle", "one");
  await until("it is counted", () => rooms.unread === 1);
  await arrive();
  assert.deepEqual(rooms.value.map(r => [r.unread, r.lastMessage?.text]), [[1, "one"]]);
  await unread(w, amsg, 1);
});

test("the mentions of a room follow those of everyone, and edits and deletions of mentions", async t => {
  const w = await World.open(t);
  await w.room("seattle", "bob", "amsg");
  const [amsg] = await w.online("amsg");
  assert.ok(amsg);
  await until("the list is loaded", () => amsg.chat.rooms.loaded);
  const path = "/rooms/seattle/messages";
  const post = (fields: object) => w.ask<{ id: string }>("bob", "POST", path, { text: "look", ...fields });
  const has = async (mentions: number) => {
    await until(`${mentions} mentions are unread`, () => amsg.chat.rooms.value[0]?.mentions === mentions);
    await agrees(w, amsg);
  };
  const root = await post({ mentionRoom: true });
  await has(1);
  const reply = await post({ thread: root.id, mentions: ["amsg"] });
  await has(2);
  await w.ask("bob", "DELETE", `${path}/${encodeURIComponent(reply.id)}`);
  await has(1);
  await w.ask("bob", "PATCH", `${path}/${encodeURIComponent(root.id)}`, { mentionRoom: false });
  await has(0);
  await w.ask("bob", "PATCH", `${path}/${encodeURIComponent(root.id)}`, { mentionRoom: true });
  await has(1);
});

test("the list names a person who is new and writes in a room that is not open", async t => {
  const w = await World.open(t);
  await w.room("seattle", "amsg", "bob");
  const [amsg] = await w.online("amsg");
  assert.ok(amsg);
  await until("the list is loaded", () => amsg.chat.rooms.loaded);
  await w.ask("bob", "PUT", "/people/me", { name: "Bob Ray" });
  await w.post("bob", "seattle", "hello");
  await until("the name is known", () => amsg.chat.rooms.people.bob?.name === "Bob Ray");
});

test("all devices hear of a room that is muted, of which only mentions count", async t => {
  const w = await World.open(t);
  for (const id of ["tacoma", "seattle"]) await w.room(id, "amsg", "bob");
  const [amsg] = await w.online("amsg");
  const [phone] = await w.online("amsg");
  const [bob] = await w.online("bob");
  assert.ok(amsg && phone && bob);
  await w.post("bob", "tacoma", "one", "two");
  await w.ask("bob", "POST", "/rooms/tacoma/messages", { text: "three", mentions: ["amsg"] });
  for (const device of [amsg, phone]) await unread(w, device, 3);
  const prefers = { favorite: true, muted: true };
  assert.deepEqual(await amsg.chat.request("PUT", "/people/me/rooms/tacoma", prefers), { ...prefers, level: "mentions" });
  for (const device of [amsg, phone]) {
    await until("it is muted", () => device.chat.rooms.value.find(e => e.id === "tacoma")?.muted === true);
    assert.equal(device.chat.rooms.unread, 1, "the mention");
  }
  for (const device of [amsg, phone]) await agrees(w, device);
  await (await opened(phone, "tacoma")).markRead();
  for (const device of [amsg, phone]) await unread(w, device, 0);
  await amsg.chat.request("PUT", "/people/me/rooms/tacoma", {});
  await w.post("bob", "tacoma", "four");
  for (const device of [amsg, phone]) await unread(w, device, 1);
  await agrees(w, bob);
  assert.ok(!bob.edge.received.some(f => JSON.stringify(f).includes("preferences.changed")), "nobody else hears of it");
});
