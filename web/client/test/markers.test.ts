// Read markers that are moved while there is no network.
import assert from "node:assert/strict";
import { test } from "node:test";
import { RequestError } from "../src/index.js";
import { thread } from "../src/thread.js";
import { eventually, until } from "./harness/until.js";
import { World, opened } from "./harness/world.js";

test("markRead waits for the network, and the newest marker wins", async t => {
  const w = await World.open(t);
  await w.room("seattle", "amsg", "bob");
  const [, second, third] = await w.post("bob", "seattle", "one", "two", "three");
  const [amsg] = await w.online("amsg");
  assert.ok(amsg);
  const room = await opened(amsg, "seattle");
  const unread = async () => (await w.ask<{ items: { unread: number }[] }>("amsg", "GET", "/people/me/rooms")).items[0]?.unread;
  w.network.fail(true);
  let settled = 0;
  const moves = [third, second].map(m => room.markRead(m?.id).finally(() => settled++));
  await until("the client is offline", () => amsg.chat.state.value === "offline");
  moves.push(room.markRead(second?.id).finally(() => settled++));
  await w.idle();
  assert.equal(settled, 0, "all wait");
  assert.equal(await unread(), 3);
  w.network.fail(false);
  await Promise.all(moves);
  assert.equal(await unread(), 0);
  await until("the list has it", () => amsg.chat.rooms.unread === 0);
  const sent = w.network.log.filter(r => r.path.endsWith("/read") && r.status === 200);
  assert.deepEqual(sent.map(r => JSON.parse(r.body)), [{ message: third?.id }], "one request moves it");
});

test("markRead repeats what the server could not do, and rejects what it refuses", async t => {
  const w = await World.open(t);
  await w.room("seattle", "amsg", "bob");
  await w.post("bob", "seattle", "one");
  const [amsg] = await w.online("amsg");
  assert.ok(amsg);
  const room = await opened(amsg, "seattle");
  const answers = [503, 429].map(status => ({ status }));
  w.network.request = r => (r.path.endsWith("/read") ? answers.shift() ?? "pass" : "pass");
  await room.markRead();
  assert.equal(answers.length, 0);
  await until("it is read", () => amsg.chat.rooms.unread === 0);
  await assert.rejects(room.markRead("01658560-1d0b-7a2c-9e4f-8b6d2c1a0f3e~nobody"), RequestError);
});

test("a message that is marked before it is in the feed covers those before it", async t => {
  const w = await World.open(t);
  await w.room("seattle", "amsg", "bob");
  const [amsg] = await w.online("amsg");
  assert.ok(amsg);
  const room = await opened(amsg, "seattle");
  for (let round = 0; round < 10; round++) {
    await w.post("bob", "seattle", "theirs");
    const [own] = await w.post("amsg", "seattle", "own"); // the server answers before it appends both to the feed
    await room.markRead(own?.id);
    await until("all is read", () => amsg.chat.rooms.unread === 0 && room.value.messages.at(-1)?.id === own?.id);
    await eventually(async () => assert.equal((await w.ask<{ items: { unread: number }[] }>("amsg", "GET", "/people/me/rooms")).items[0]?.unread, 0));
  }
});

test("a move that waits ends with the client, and is dropped by markUnread", async t => {
  const w = await World.open(t);
  await w.room("seattle", "amsg", "bob");
  const [one] = await w.post("bob", "seattle", "one", "two");
  const [amsg] = await w.online("amsg");
  assert.ok(amsg);
  const room = await opened(amsg, "seattle");
  let failing = true;
  w.network.request = r => (failing && r.path.endsWith("/read") ? { status: 503 } : "pass");
  const dropped = room.markRead();
  await until("it was tried", () => w.network.log.some(r => r.path.endsWith("/read") && r.ended));
  failing = false;
  await room.markUnread(one?.id ?? "");
  await dropped;
  await until("all is unread", () => amsg.chat.rooms.unread === 2);
  failing = true;
  const waits = room.markRead();
  amsg.chat.close();
  await waits;
});

test("a thread is marked as read after an absence", async t => {
  const w = await World.open(t);
  await w.room("seattle", "amsg", "bob");
  const [root] = await w.post("amsg", "seattle", "who is in?");
  assert.ok(root);
  const [amsg] = await w.online("amsg");
  assert.ok(amsg);
  await opened(amsg, "seattle");
  const seen = thread(amsg.chat, "seattle", root.id);
  await seen.open();
  await w.ask("bob", "POST", "/rooms/seattle/messages", { text: "me", thread: root.id });
  await until("the reply is shown", () => seen.value.messages.length === 1);
  w.network.fail(true);
  await until("the connection is lost", () => amsg.chat.state.value !== "online");
  const read = seen.markRead();
  w.network.fail(false);
  await read;
  const threads = async () => (await w.ask<{ items: { unread: number }[] }>("amsg", "GET", "/people/me/threads")).items;
  await until("it is read", async () => (await threads())[0]?.unread === 0);
});
