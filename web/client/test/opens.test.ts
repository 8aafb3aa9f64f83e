// Rooms and threads that several parts of a page open, each of which closes them once.
import assert from "node:assert/strict";
import { test } from "node:test";
import { thread } from "../src/thread.js";
import { until } from "./harness/until.js";
import { World, find, has, opened, receives } from "./harness/world.js";

test("a room is followed from its first open to its last close", async t => {
  const w = await World.open(t);
  await w.room("seattle", "amsg", "bob");
  const [before] = await w.post("bob", "seattle", "before");
  const [amsg] = await w.online("amsg");
  assert.ok(amsg);
  const room = amsg.chat.room("seattle");
  await Promise.all([room.open(), room.open()]);
  assert.equal(room.value.phase, "ready");
  const loads = () => w.network.log.filter(r => /messages\?/.test(r.path)).length;
  assert.equal(loads(), 1, "the second open joins the load");
  await room.open();
  assert.equal(loads(), 1, "there is nothing to load");

  room.close();
  room.close();
  assert.equal(room.value.phase, "ready");
  const [live] = await w.post("bob", "seattle", "live");
  await until("the third still sees it", () => find(room, live?.id ?? ""));
  room.close();
  assert.equal(room.value.phase, "closed");
  room.close(); // once too often
  const [unseen] = await w.post("bob", "seattle", "unseen");
  await receives(amsg, "the frame for the list", has(unseen?.id));
  assert.deepEqual(room.value.messages.map(m => m.id), [before?.id, live?.id]);

  await room.open();
  room.close();
  await room.open();
  assert.ok(find(room, unseen?.id ?? ""), "effects that run twice leave the room open");
  amsg.chat.close();
  assert.equal(room.value.phase, "closed");
});

test("an open room stays where it is when another part opens it", async t => {
  const w = await World.open(t);
  await w.room("seattle", "amsg", "bob");
  const all = await w.post("bob", "seattle", ...Array.from({ length: 70 }, (_, n) => `${n}`));
  const [amsg] = await w.online("amsg");
  assert.ok(amsg);
  const room = await opened(amsg, "seattle", all[10]?.id);
  await room.open();
  assert.ok(find(room, all[10]?.id ?? ""));
  await room.latest(5);
  assert.deepEqual(room.value.messages.map(m => m.id), all.slice(-5).map(m => m.id));
  await room.around(all[0]?.id ?? "");
  assert.ok(find(room, all[0]?.id ?? ""));
});

test("a thread is followed from its first open to its last close", async t => {
  const w = await World.open(t);
  await w.room("seattle", "amsg", "bob");
  const [root] = await w.post("amsg", "seattle", "who is in?");
  assert.ok(root);
  const [amsg] = await w.online("amsg");
  assert.ok(amsg);
  await opened(amsg, "seattle");
  const seen = thread(amsg.chat, "seattle", root.id);
  await seen.open();
  await seen.open();
  seen.close();
  const reply = (text: string) => w.ask<{ id: string }>("bob", "POST", "/rooms/seattle/messages", { text, thread: root.id });
  await reply("me");
  await until("the reply is shown", () => seen.value.messages.length === 1);
  seen.close();
  const { id } = await reply("me, too");
  await receives(amsg, "the second reply", has(id));
  await w.idle();
  assert.equal(seen.value.messages.length, 1);
  await seen.open();
  await until("it is loaded again", () => seen.value.messages.length === 2);
});
