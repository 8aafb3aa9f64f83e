// Threads as rooms of their replies, against the server's lists.
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { ChangePage } from "../src/feed.js";
import type { StoredMessage, Thread } from "../src/index.js";
import { react } from "../src/doing.js";
import { thread } from "../src/thread.js";
import { Gate } from "./harness/faults.js";
import { eventually, until } from "./harness/until.js";
import { World, opened } from "./harness/world.js";

/** More replies than a page of the client. */
const many = 70;

const path = (id: string) => `/rooms/seattle/messages/${encodeURIComponent(id)}`;
const parts = (m: StoredMessage) => ({
  id: m.id, text: m.text, revision: m.revision, deleted: !!m.deletedAt, reactions: m.reactions?.map(r => [r.emoji, r.count, !!r.me]) ?? [],
});

/** Waits until a thread that is loaded whole equals the server's, with the number that its root tells. */
async function agrees(w: World, user: string, t: Thread): Promise<void> {
  await eventually(async () => {
    const { items } = await w.ask<{ items: StoredMessage[] }>(user, "GET", `${path(t.root)}/replies?limit=200&order=asc`);
    assert.deepEqual(t.value.messages.map(parts), items.map(parts), `${user}'s thread`);
    assert.equal(t.value.first?.replies?.count, items.filter(m => !m.deletedAt).length, "the root counts them");
  });
}

async function open(user: string, w: World, root: string): Promise<Thread> {
  const [p] = await w.online(user);
  assert.ok(p);
  await opened(p, "seattle");
  const t = thread(p.chat, "seattle", root);
  await t.open();
  assert.equal(t.value.phase, "ready");
  return t;
}

const reply = (w: World, user: string, root: string, text: string) => w.ask<StoredMessage>(user, "POST", "/rooms/seattle/messages", { text, thread: root });

/** Returns a thread of amsg's with bob's first reply, which amsg sees. */
async function answered(t: TestContext): Promise<{ w: World; root: StoredMessage; seen: Thread; first: StoredMessage }> {
  const w = await World.open(t);
  await w.room("seattle", "amsg", "bob");
  const [root] = await w.post("amsg", "seattle", "who is in?");
  assert.ok(root);
  const seen = await open("amsg", w, root.id);
  const first = await reply(w, "bob", root.id, "me");
  await agrees(w, "amsg", seen);
  return { w, root, seen, first };
}

test("a thread equals the server's through replies, edits, deletions, reactions and lost connections", async t => {
  const { w, root, seen, first } = await answered(t);
  const gate = new Gate();
  w.network.frame = f => (f.type === "changes" ? gate.passed : "pass");
  const own = seen.send("and me");
  assert.equal(seen.value.messages.at(-1)?.status, "pending");
  await until("the reply is stored", () => w.network.posts("and me").some(p => p.ended));
  await w.idle();
  assert.deepEqual(seen.value.messages.filter(m => m.id === own).map(m => m.status), [undefined], "it vanishes until the feed has it");
  gate.open();
  w.network.heal();
  await w.ask("bob", "PATCH", path(first.id), { text: "me, too" });
  await w.ask("bob", "PUT", `${path(own)}/reactions/${encodeURIComponent("👍")}`);
  await agrees(w, "amsg", seen);
  w.network.cut();
  await reply(w, "bob", root.id, "while you were away");
  await w.ask("bob", "DELETE", path(first.id));
  await agrees(w, "amsg", seen);
  await seen.edit(own, "and me, of course");
  await agrees(w, "amsg", seen);
});

test("a thread is loaded in pages, and its replies are not in the room", async t => {
  const w = await World.open(t);
  await w.room("seattle", "amsg", "bob");
  const [root] = await w.post("amsg", "seattle", "count with me");
  assert.ok(root);
  for (let n = 0; n < many; n++) await reply(w, "bob", root.id, `${n}`);
  const [p] = await w.online("amsg");
  assert.ok(p);
  const room = await opened(p, "seattle");
  const seen = thread(p.chat, "seattle", root.id);
  await seen.open();
  assert.ok(seen.value.hasOlder);
  await Promise.all([seen.older(), seen.older()]);
  assert.equal(seen.value.hasOlder, false);
  await agrees(w, "amsg", seen);
  assert.deepEqual(room.value.messages.map(m => m.text), ["count with me"]);
  await react(p.chat, seen.value.messages[0]!, "🎉", true);
  // The frame of the reply may come after the reaction, and is without it.
  await until("the reaction shows", () => seen.value.messages[0]?.reactions?.some(r => r.me));
  assert.deepEqual(seen.value.messages[0]?.reactions, [{ emoji: "🎉", count: 1, me: true }]);
  await agrees(w, "amsg", seen);
});

test("reading a thread moves its marker, and whether it is followed shows on all devices", async t => {
  const w = await World.open(t);
  await w.room("seattle", "amsg", "bob");
  const [root] = await w.post("amsg", "seattle", "who is in?");
  assert.ok(root);
  const [here, there] = [await open("amsg", w, root.id), await open("amsg", w, root.id)];
  await reply(w, "bob", root.id, "me");
  await until("the author follows", () => there.value.following);
  const unread = async () => (await w.ask<{ items: { unread: number }[] }>("amsg", "GET", "/people/me/threads")).items[0]?.unread;
  await until("it is unread", async () => await unread() === 1);
  await agrees(w, "amsg", here);
  await until("it is read", async () => { await here.markRead(); return await unread() === 0; });
  assert.ok(here.value.following);
  await here.setFollowing(false);
  await until("the other device has it", () => !there.value.following);
  await until("it is not listed", async () => await unread() === undefined);
});

test("a list of replies that is behind takes nothing back", async t => {
  const { w, root, seen, first } = await answered(t);
  const behind = await w.ask("amsg", "GET", `${path(root.id)}/replies`);
  await w.ask("bob", "PATCH", path(first.id), { text: "me, too" });
  await agrees(w, "amsg", seen);
  w.network.request = r => (r.path.includes("/replies") ? { status: 200, body: behind } : "pass");
  const from = w.network.log.length;
  w.network.cut();
  await until("the list was read again", () => w.network.log.slice(from).some(r => r.path.includes("/replies") && r.ended));
  await reply(w, "bob", root.id, "and my dog"); // is shown after the list
  await until("the next reply is there", () => seen.value.messages.length === 2);
  assert.equal(seen.value.messages[0]?.text, "me, too");
});

test("a thread is read again when its room is loaded anew", async t => {
  const w = await World.open(t);
  await w.room("seattle", "amsg", "bob");
  const [root] = await w.post("amsg", "seattle", "who is in?", ...Array.from({ length: many }, (_, n) => `${n}`));
  assert.ok(root);
  const first = await reply(w, "bob", root.id, "me");
  const [p] = await w.online("amsg");
  assert.ok(p);
  const room = await opened(p, "seattle");
  const seen = thread(p.chat, "seattle", root.id);
  await seen.open();
  w.network.frame = f => (f.type === "changes" ? "drop" : "pass");
  await w.ask("bob", "PATCH", path(first.id), { text: "me, too" });
  const page = await w.ask<{ since: string }>("amsg", "GET", `/rooms/seattle/messages?around=${encodeURIComponent(root.id)}`);
  let since = "";
  await until("the feed has the edit", async () => {
    const c = await w.ask<ChangePage>("amsg", "GET", `/rooms/seattle/changes?limit=200&since=${encodeURIComponent(page.since)}`);
    since = c.since ?? "";
    return c.items.some(({ type, id }) => type === "message.edited" && id === first.id);
  });
  // The position of a page is some seconds old. In this one it is not.
  w.network.request = r => (r.path.includes("around=") ? { status: 200, body: { ...page, since } } : "pass");
  await room.open(root.id); // which is not among the newest
  await agrees(w, "amsg", seen);
});
