// Files of messages under each fault: they are uploaded once, and their message is stored once.
import assert from "node:assert/strict";
import "fake-indexeddb/auto";
import { describe, test, type TestContext } from "node:test";
import { thread } from "../src/more.js";
import { missetClock } from "./harness/clock.js";
import { Gate, isPost } from "./harness/faults.js";
import { posted, type Fate, type Seen } from "./harness/proxy.js";
import { until } from "./harness/until.js";
import { Shelf, World, inSeattle, opened, sent } from "./harness/world.js";

/** Returns a file of a text. */
const file = (name: string, text = `the text of ${name}`, type = "text/plain") => ({ name, blob: new Blob([text], { type }) });

const isUpload = (r: Seen) => r.method === "POST" && r.path.endsWith("/uploads");
const isPut = (r: Seen) => r.method === "PUT" && r.path.startsWith("/files/");

/** Gives the first of equal requests a fate: of those that send files and messages, or of others. */
function firstOfEach(fate: Fate, is = (r: Seen) => isUpload(r) || isPut(r) || isPost(r)): (r: Seen) => Fate {
  const seen = new Set<string>();
  return r => {
    const key = `${r.method} ${r.path.replace(/\?.*/, "")} ${r.body}`; // a second link of a file may differ in its query
    return !is(r) || seen.has(key) ? "pass" : (seen.add(key), fate);
  };
}

/** Returns the contents of a message's files, as a person who may read them gets them. */
async function contents(w: World, user: string, room: string, id: string): Promise<Record<string, string>> {
  const { attachments = [] } = (await w.messages(user, room)).find(m => m.id === id) ?? {};
  const { items } = await w.ask<{ items: { id: string; url: string }[] }>(user, "POST", `/rooms/${room}/attachments/links`, { messages: [id] });
  return Object.fromEntries(await Promise.all(attachments.map(async a => {
    const { url = "" } = items.find(item => item.id === a.id) ?? {};
    return [a.name, await (await fetch(new URL(url, w.server.url))).text()];
  })));
}

describe("a message with files", { concurrency: 3 }, () => {
  test("shows them, with progress, until it is stored", async t => {
    const { w, amsg, others: [bob], room } = await inSeattle(t, "bob");
    assert.ok(bob);
    const other = await opened(bob, "seattle");
    const progress: number[][] = [];
    const id = room.send({ text: "look", files: [file("a.txt"), file("b.txt", "another text")], onProgress: (...p) => progress.push(p) });
    const [pending] = room.value.messages;
    assert.deepEqual(pending?.files?.map(f => [f.name, f.type, f.bytes, f.sent]), [["a.txt", "text/plain", 17, 0], ["b.txt", "text/plain", 12, 0]]);
    await sent(room);
    assert.deepEqual(await contents(w, "bob", "seattle", id), { "a.txt": "the text of a.txt", "b.txt": "another text" });
    assert.deepEqual(room.value.messages[0]?.attachments?.map(a => a.id), pending.files.map(f => f.id), "a file keeps its id");
    assert.deepEqual(progress.at(-1), [29, 29]);
    await w.agrees(amsg, "seattle");
    await w.endsWith(bob, other, "look");
    await w.agrees(bob, "seattle");
  });

  test("is watched after its first file was removed", async t => {
    const { w, room } = await inSeattle(t);
    const progress: number[][] = [];
    w.network.fail(true);
    const id = room.send({ text: "look", files: [file("a.txt"), file("b.txt", "another text")], onProgress: (...p) => progress.push(p) });
    await w.idle();
    room.removeFile(id, room.value.messages[0]?.files?.[0]?.id ?? "");
    w.network.heal();
    await sent(room);
    assert.deepEqual(progress.at(-1), [12, 12]);
  });
});

describe("each step is done once", { concurrency: 3 }, () => {
  const faults: [string, Fate][] = [
    ["if requests are lost", "lose-request"],
    ["if answers are lost", "lose-answer"],
    ["if the network repeats them", "repeat"],
    ["if servers are unavailable", { status: 503 }],
    ["if API Gateway and the storage refuse the rate", { status: 429, body: { message: "Too Many Requests" } }],
  ];
  for (const [name, fate] of faults) test(name, async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg");
    w.network.request = firstOfEach(fate);
    w.network.frame = f => f.type === "changes" ? "drop" : "pass"; // it would tell that the message is stored
    const [amsg] = await w.online("amsg");
    assert.ok(amsg);
    const room = await opened(amsg, "seattle");
    const id = room.send({ text: "", files: [file("a.txt"), file("b.txt")] });
    await sent(room);
    assert.deepEqual(await contents(w, "amsg", "seattle", id), { "a.txt": "the text of a.txt", "b.txt": "the text of b.txt" });
    const tries = fate === "repeat" ? 1 : 2;
    for (const [is, times] of [[isUpload, 2 * tries], [isPut, 2 * tries], [isPost, tries]] as const) assert.equal(w.network.log.filter(is).length, times);
    assert.equal(new Set(w.network.log.filter(isUpload).map(r => posted(r.body).id)).size, 2, "a file has another id at a retry");
    await w.agrees(amsg, "seattle");
  });

  test("if links expire", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg");
    w.network.request = firstOfEach({ status: 403 }, isPut);
    const [amsg] = await w.online("amsg");
    assert.ok(amsg);
    const room = await opened(amsg, "seattle");
    const id = room.send("", undefined, { files: [file("a.txt")] });
    await sent(room);
    assert.equal(w.network.log.filter(isUpload).length, 2, "no other link was requested");
    assert.deepEqual(await contents(w, "amsg", "seattle", id), { "a.txt": "the text of a.txt" });
  });

  test("if the page is reloaded", async t => {
    const w = await World.open(t);
    await w.room("seattle", "frank");
    const gate = new Gate();
    w.network.request = r => isPut(r) && decodeURIComponent(r.body).includes("slow") ? gate.passed : "pass";
    const first = w.connect("frank"); // IndexedDB
    const room = await opened(first, "seattle");
    const id = room.send({ text: "files", files: [file("fast.txt"), file("slow.txt")] });
    await until("one file is stored", () => room.value.messages[0]?.files?.some(f => f.stored));
    await until("the other is sent", () => w.network.log.filter(isPut).length === 2);
    first.chat.close();
    w.network.heal();
    gate.open();
    const again = await opened(w.connect("frank"), "seattle");
    await until("it is shown", () => again.value.messages.length);
    await sent(again);
    assert.deepEqual(await contents(w, "frank", "seattle", id), { "fast.txt": "the text of fast.txt", "slow.txt": "the text of slow.txt" });
    assert.equal(w.network.log.filter(r => isPut(r) && r.body.includes("fast")).length, 1, "a stored file was sent again");
    assert.equal((await w.messages("frank", "seattle")).length, 1);
  });
});

// The clock belongs to the process, so this test runs apart from others.
test("files are sent if the clock of the device is wrong", async t => {
  missetClock(t, 3_600_000);
  const { w, room } = await inSeattle(t);
  room.send({ text: "late", files: [file("a.txt")] });
  await sent(room);
  const { id = "" } = room.value.messages[0] ?? {};
  assert.deepEqual(await contents(w, "amsg", "seattle", id), { "a.txt": "the text of a.txt" });
});

describe("files wait", { concurrency: 3 }, () => {
  test("while there is no network", async t => {
    const { w, amsg, room } = await inSeattle(t);
    w.network.fail(true);
    const id = room.send({ files: [file("a.txt")] });
    await until("the client is offline", () => amsg.chat.state.value === "offline");
    assert.equal(room.value.messages[0]?.status, "pending");
    w.network.fail(false);
    await sent(room);
    assert.deepEqual(await contents(w, "amsg", "seattle", id), { "a.txt": "the text of a.txt" });
  });

  test("three are uploaded concurrently, and texts overtake them", async t => {
    const { w, room } = await inSeattle(t);
    const gate = new Gate();
    w.network.request = r => isPut(r) ? gate.passed : "pass";
    room.send({ text: "files", files: [1, 2, 3, 4, 5].map(n => file(`${n}.txt`)) });
    room.send("text");
    await until("three are on their way", () => w.network.log.filter(isPut).length === 3);
    await until("the text is stored", () => room.value.messages.some(m => m.text === "text" && !m.status));
    await until("all have a checksum", () => room.value.messages.at(-1)?.files?.every(f => f.sha256));
    assert.equal(w.network.log.filter(isUpload).length, 3);
    gate.open();
    await sent(room);
    await w.stores("amsg", "seattle", ["text", "files"]);
  });
});

describe("a person cancels", { concurrency: 3 }, () => {
  /** Sends two files whose bytes wait. */
  async function waiting(t: TestContext, signal?: AbortSignal) {
    const w = await World.open(t);
    await w.room("seattle", "amsg");
    const storage = new Shelf();
    const amsg = w.connect("amsg", { storage });
    const room = await opened(amsg, "seattle");
    const gate = new Gate();
    w.network.request = r => isPut(r) ? gate.passed : "pass";
    const id = room.send({ text: "", files: [file("a.txt"), file("b.txt")], ...(signal && { signal }) });
    await until("both are on their way", () => w.network.log.filter(isPut).length === 2);
    return { w, room, gate, id, storage };
  }

  test("a message, by its signal", async t => {
    const ending = new AbortController();
    const { w, room, gate, storage } = await waiting(t, ending.signal);
    ending.abort();
    assert.deepEqual(room.value.messages, []);
    await until("nothing is stored on the device", () => !storage.kept.size);
    gate.open();
    room.send("after");
    await sent(room);
    await w.stores("amsg", "seattle", ["after"]);
    assert.throws(() => room.send({ files: [file("a.txt")], signal: ending.signal }), { name: "AbortError" });
  });

  test("one file", async t => {
    const { w, room, gate, id } = await waiting(t);
    room.removeFile(id, room.value.messages[0]?.files?.[0]?.id ?? "");
    gate.open();
    await sent(room);
    assert.deepEqual(await contents(w, "amsg", "seattle", id), { "b.txt": "the text of b.txt" });
  });

  test("all files, and with them the message", async t => {
    const { w, room, gate, id } = await waiting(t);
    for (const f of room.value.messages[0]?.files ?? []) room.removeFile(id, f.id);
    assert.deepEqual(room.value.messages, []);
    gate.open();
    room.send("after");
    await sent(room);
    await w.stores("amsg", "seattle", ["after"]);
  });
});

test("a message ends with its only file, and so does its text", async t => {
  const { w, room } = await inSeattle(t);
  const gate = new Gate();
  w.network.request = r => isPut(r) ? gate.passed : "pass";
  const id = room.send({ text: "about it", files: [file("a.txt")] });
  await until("it is on its way", () => w.network.log.some(isPut));
  room.removeFile(id, room.value.messages[0]?.files?.[0]?.id ?? "");
  assert.deepEqual(room.value.messages, []);
  gate.open();
  room.send("after");
  await until("the next is stored", () => room.value.messages.some(m => m.text === "after" && !m.status));
  await w.stores("amsg", "seattle", ["after"]);
});

describe("a file that is refused", { concurrency: 3 }, () => {
  const day = { type: "/problems/rate-limited", title: "Rate limited", status: 429, detail: "You may upload 500 files in a day.", retryable: true, limit: "uploads" };
  const off = { type: "/problems/conflict", title: "Conflict", status: 409, detail: "This deployment stores no files.", retryable: false };
  const refusals: [string, Fate | undefined, RegExp][] = [
    ["by a rule", undefined, /^bytes must be at least 1\.$/],
    ["for a day", { status: 429, retryAfter: 3600, body: day }, /500 files/],
    ["by a deployment without files", { status: 409, body: off }, /stores no files/],
  ];
  for (const [name, fate, reason] of refusals) test(`${name} shows the reason, and holds up nothing`, async t => {
    const { w, room } = await inSeattle(t);
    if (fate) w.network.request = r => isUpload(r) && r.body.includes("bad") ? fate : "pass";
    const id = room.send({ files: [file("good.txt"), file("bad.txt", fate ? "bad" : "")] });
    await until("one is stored, and one fails", () => room.value.messages[0]?.files?.every(f => f.stored || f.error));
    const [message] = room.value.messages;
    assert.equal(message?.status, "failed");
    assert.match(message.error ?? "", reason);
    assert.match(message.files?.[1]?.error ?? "", reason);
    assert.equal(message.files?.[0]?.error, undefined);
    assert.equal(w.network.log.filter(r => isUpload(r) && r.body.includes("bad")).length, 1, "a refusal is final");
    room.send("text");
    await until("the text is stored", () => room.value.messages.some(m => m.text === "text" && !m.status));
    w.network.heal();
    if (fate) room.retry(id);
    else room.removeFile(id, message.files?.[1]?.id ?? "");
    await sent(room);
    assert.deepEqual(Object.keys(await contents(w, "amsg", "seattle", id)), fate ? ["good.txt", "bad.txt"] : ["good.txt"]);
  });

  test("is resent separately", async t => {
    const { w, room } = await inSeattle(t);
    w.network.request = r => isPut(r) ? { status: 400, body: {} } : "pass";
    const id = room.send({ files: [file("a.txt"), file("b.txt")] });
    const files = () => room.value.messages[0]?.files ?? [];
    await until("both fail", () => files().length === 2 && files().every(f => f.error));
    w.network.heal();
    room.retry(id, files()[1]!.id);
    await until("one is stored", () => files()[1]?.stored);
    assert.deepEqual([files()[0]?.stored, !!files()[0]?.error, room.value.messages[0]?.status], [undefined, true, "failed"]);
    room.retry(id);
    await sent(room);
    assert.deepEqual(Object.keys(await contents(w, "amsg", "seattle", id)), ["a.txt", "b.txt"]);
  });

  test("by the storage fails after some links", async t => {
    const { w, room } = await inSeattle(t);
    w.network.request = r => isPut(r) ? { status: 400, body: {} } : "pass";
    const id = room.send({ files: [file("a.txt")] });
    await until("it fails", () => room.value.messages[0]?.status === "failed");
    assert.equal(w.network.log.filter(isPut).length, 3);
    w.network.heal();
    room.retry(id);
    await sent(room);
  });

  test("with its message is uploaded again, under another id", async t => {
    const { w, room } = await inSeattle(t);
    const detail = "attachments[1] must be uploaded again.";
    const body = { type: "/problems/invalid", title: "Invalid", status: 422, detail, retryable: false, errors: [{ location: "attachments[1]", message: "must be uploaded again" }] };
    w.network.request = r => isPost(r) ? { status: 422, body } : "pass";
    const id = room.send({ files: [file("a.txt"), file("b.txt")] });
    const ids = room.value.messages[0]?.files?.map(f => f.id);
    await until("it fails", () => room.value.messages[0]?.status === "failed");
    assert.deepEqual(room.value.messages[0]?.files?.map(f => f.error), [undefined, detail]);
    w.network.heal();
    room.retry(id);
    await sent(room);
    assert.deepEqual(room.value.messages[0]?.attachments?.map((a, i) => a.id === ids?.[i]), [true, false]);
    assert.deepEqual(Object.keys(await contents(w, "amsg", "seattle", id)), ["a.txt", "b.txt"]);
  });
});

describe("links", { concurrency: 3 }, () => {
  test("of a tick are requested together, and cached", async t => {
    const { w, others: [bob], room } = await inSeattle(t, "bob");
    assert.ok(bob);
    for (const n of [1, 2, 3]) room.send({ text: `${n}`, files: [file(`${n}a.txt`), file(`${n}b.txt`)] });
    await sent(room);
    const seen = await opened(bob, "seattle");
    await until("all are there", () => seen.value.messages.length === 3);
    const links = await bob.chat.files();
    const all = (fresh?: boolean) => Promise.all(seen.value.messages.flatMap(m => m.attachments?.map(a => links.of(m, a, fresh)) ?? []));
    const asked = () => w.network.log.filter(r => r.path.endsWith("/links") && r.user === "bob").length;
    const found = await all();
    assert.equal(asked(), 1);
    const texts = await Promise.all(found.map(async ({ url }) => (await fetch(url)).text()));
    const names = seen.value.messages.map(m => m.text); // in the order in which their files arrived
    assert.deepEqual(texts, names.flatMap(n => [`the text of ${n}a.txt`, `the text of ${n}b.txt`]));
    assert.deepEqual(await all(), found);
    assert.equal(asked(), 1, "links are not cached");
    await all(true);
    assert.equal(asked(), 2, "links are requested again for each file");
    const [gone, kept] = seen.value.messages;
    await room.remove(gone?.id ?? "");
    await until("the deletion is heard of", () => seen.value.messages[0]?.deletedAt);
    await assert.rejects(links.of(gone!, gone!.attachments![0]!), { status: 404, message: "This file can no longer be read." });
    assert.equal((await links.of(kept!, kept!.attachments![0]!)).url, found[2]?.url);
  });

  test("are not for strangers, and survive a lost answer", async t => {
    const w = await World.open(t);
    const { id } = await w.ask<{ id: string }>("amsg", "POST", "/rooms", { name: "Private", visibility: "private" });
    const [amsg, bob] = await w.online("amsg", "bob");
    assert.ok(amsg && bob);
    const room = await opened(amsg, id);
    room.send({ files: [file("a.txt")] });
    await sent(room);
    const m = room.value.messages[0]!;
    await assert.rejects((await bob.chat.files()).of(m, m.attachments![0]!), { status: 404 });
    w.network.request = firstOfEach("lose-answer", r => r.path.endsWith("/links"));
    const { url } = await (await amsg.chat.files()).of(m, m.attachments![0]!);
    assert.equal(await (await fetch(url)).text(), "the text of a.txt");
  });
});

test("a thread takes files", async t => {
  const w = await World.open(t);
  await w.room("seattle", "amsg");
  const [root] = await w.post("amsg", "seattle", "root");
  const [amsg] = await w.online("amsg");
  assert.ok(amsg && root);
  await opened(amsg, "seattle");
  const replies = thread(amsg.chat, "seattle", root.id);
  await replies.open();
  const id = replies.send({ files: [file("a.txt")] });
  await until("it is stored", () => replies.value.messages.some(m => m.id === id && !m.status && m.attachments?.length === 1));
  replies.close();
});
