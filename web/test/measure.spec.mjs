// Bytes, requests, layout shifts and pixels, which are the same on every machine. Times are measured
// by bench.mjs.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { Cast, launch, PHONE, until, WIDE } from "./harness.mjs";
import { probe, record, scroller } from "./probe.mjs";
import { Server } from "./server.mjs";

/** One report of typing is sent in this time. */
const TYPING_MS = 8000;
/** The bounds of issue 9. */
const MAX_BYTES = 45 * 1024;
const MAX_SCRIPT_BYTES = 25 * 1024;
/** The fonts' rounding moves a row by less. */
const MAX_MOVE_PX = 0.5;
/** More than a window shows, so that it scrolls. */
const MESSAGES = 60;
/** Unread messages: beyond the first page, and beyond the largest page and the app's window. */
const UNREAD = [60, 320];
/** The people who write them, each within the limit of their rate. */
const WRITERS = ["cat", "dan", "eve", "fay"];
/** The app loads what is above the first messages half a second after them. */
const READER_MS = 900;
/** The app says that it waits for messages after less. */
const LATE_MS = 900;
/** The line being read may move by so much while older messages are loaded. */
const MAX_LINE_PX = 1;

let browser, server, cast;
before(async () => {
  [browser, server] = await Promise.all([launch(), Server.start()]);
  await server.api("ann", "PUT", "/people/me/blocks/gus"); // before the server caches whom she has blocked
  await server.room("full", "ann", ["bob"]);
  let last;
  for (let n = 0; n < MESSAGES; n++) last = await server.post(n % 3 ? "ann" : "bob", "full", `line ${n}: the quick brown fox jumps over the lazy dog`);
  // Ann has read the room: with more than a page of unread messages the app goes to their beginning.
  await server.api("ann", "PUT", "/rooms/full/read", { message: last.id });
  await server.room("lone", "ann");
  for (let n = 0; n < 3; n++) await server.post("ann", "lone", `note ${n}`);
  await server.room("elsewhere", "cat", ["gus"]);
  for (let n = 0; n < 20; n++) await server.post(n % 2 ? "cat" : "gus", "elsewhere", `line ${n}: ${"the quick brown fox ".repeat(9)}`);
});
after(async () => { await browser?.close(); await server?.close(); });
beforeEach(() => { cast = new Cast(browser, server); });
afterEach(context => cast.close(context));

/** Returns what a window transfers until its messages are painted: name, type and encoded bytes. */
async function transfers(person, action) {
  const network = await person.page.context().newCDPSession(person.page);
  await network.send("Network.enable");
  await network.send("Network.setCacheDisabled", { cacheDisabled: true });
  const requests = new Map(); // bytes are those of bodies; headers are the server's
  network.on("Network.responseReceived", e => requests.set(e.requestId, { url: new URL(e.response.url), type: e.type, headers: e.response.encodedDataLength, coding: e.response.headers["content-encoding"] ?? e.response.headers["Content-Encoding"] }));
  network.on("Network.loadingFinished", e => { const r = requests.get(e.requestId); if (r) r.bytes = e.encodedDataLength - r.headers; });
  await action();
  await until(async () => (await probe(person.page)).firstMessage > 0, "the first message is painted");
  const page = [...requests.values()].filter(r => ["Document", "Script", "Stylesheet", "Font", "Image"].includes(r.type));
  await until(() => page.every(r => r.bytes !== undefined), "all files are loaded");
  // The browser reports later than it paints: what began after the first message does not count.
  const begun = new Set(await person.page.evaluate(() => performance.getEntriesByType("resource")
    .filter(e => e.startTime < window.parleyProbe.firstMessage).map(e => new URL(e.name).pathname).concat("/")));
  return [...requests.values()].filter(r => r.bytes !== undefined && begun.has(r.url.pathname));
}

test("the page is small: an empty cache transfers 45 KB at most, 25 of them scripts", async ({ cast, server }) => {
  const ann = await cast.enter("ann", { room: "full" });
  await ann.page.addInitScript(record);
  const loaded = await transfers(ann, () => ann.page.reload());
  const files = loaded.filter(r => ["Document", "Script", "Stylesheet", "Font", "Image"].includes(r.type));
  for (const r of loaded) t.diagnostic(`${String(r.bytes).padStart(7)} B ${(r.coding ?? "plain").padEnd(5)} ${r.type.padEnd(10)} ${r.url.pathname}`);
  const sum = list => list.reduce((n, r) => n + r.bytes, 0);
  const scripts = files.filter(r => r.type === "Script");
  t.diagnostic(`${sum(files)} B of ${MAX_BYTES}, scripts ${sum(scripts)} B of ${MAX_SCRIPT_BYTES}, with the API's answers ${sum(loaded)} B`);
  assert.ok(scripts.length >= 2, "the page has no scripts");
  for (const r of files) assert.equal(r.coding, "gzip", `${r.url.pathname} is not compressed`);
  assert.ok(sum(files) <= MAX_BYTES);
  assert.ok(sum(scripts) <= MAX_SCRIPT_BYTES);
  for (const r of loaded) assert.equal(r.url.origin, server.url, "another site is asked");
});

/** Pages whose parts come one after another. */
const LOADS = [
  { what: "messages", room: "full", viewport: WIDE },
  { what: "messages", room: "full", viewport: PHONE },
  { what: "the offer of a second person, and a draft", room: "lone", viewport: PHONE, draft: "one\ntwo\nthree" },
  { what: "the offer to join, and a blocked person's messages", room: "elsewhere", viewport: PHONE },
];

for (const { what, room, viewport, draft = "" } of LOADS) {
  test(`nothing shifts while a page loads at ${viewport.width} px: ${what}`, async ({ cast, server }) => {
    const ann = await cast.enter("ann", { room, viewport });
    await ann.page.addInitScript(record);
    await ann.composer.fill(draft);
    await ann.page.reload();
    await until(async () => (await probe(ann.page)).firstMessage > 0, "the first message is painted");
    await ann.composer.waitFor();
    await ann.page.waitForTimeout(500); // the socket, presence and the read marker come after
    await expect(ann.composer).toHaveValue(draft);
    const { shifts } = await probe(ann.page);
    assert.deepEqual(shifts, []);
    await assertStill(ann, what);
  });
}

test("the words for a slow connection and then for slow messages move nothing", async ({ cast, server }) => {
  const ann = await cast.enter("ann", { room: "full" });
  await ann.page.addInitScript(record);
  let greet, answer;
  const [greeted, answered] = [new Promise(done => { greet = done; }), new Promise(done => { answer = done; })];
  await ann.page.routeWebSocket(/./, async socket => { await greeted; socket.connectToServer(); });
  await ann.page.route("**/rooms/full/messages?*", async route => { await answered; return route.continue(); });
  await ann.page.reload();
  const notice = words => ann.page.locator(".notice", { hasText: words }).waitFor();
  await notice("Connecting…");
  await ann.page.waitForTimeout(LATE_MS); // the messages are late by then, too
  greet();
  await notice("Loading messages…");
  answer();
  await until(async () => (await probe(ann.page)).firstMessage > 0, "the first message is painted");
  await expect.poll(async () => (await probe(ann.page)).shifts).toEqual([]);
});

/** Fails unless the message that was painted first is where it was then: scrolling counts as no shift. */
async function assertStill(person, name) {
  const { first } = await probe(person.page);
  const top = await person.log.locator(`article[data-id="${first.id}"]`).evaluate(e => e.getBoundingClientRect().top);
  assert.ok(Math.abs(top - first.top) <= MAX_LINE_PX, `${name}: what was painted at ${first.top} is at ${top}`);
}

/** Fills a room, and returns a function that marks about n messages as unread for Ann, and returns the first of them. */
async function busyRoom() {
  await server.room("busy", "ann", WRITERS);
  for (let n = 0; n < UNREAD.at(-1) + MESSAGES; n += WRITERS.length) {
    await Promise.all(WRITERS.map((user, i) => server.post(user, "busy", `line ${n + i}: the quick brown fox jumps over the lazy dog`)));
  }
  const all = await server.messages("ann", "busy");
  return async n => {
    // The feed may have those that were sent together in another order.
    const { unread } = await server.api("ann", "PUT", "/rooms/busy/read", { unreadFrom: all.at(-n).id });
    return all.at(-unread).id;
  };
}

/** Fails if anything has shifted since a time, or the unread line is not in sight above a message. */
async function assertOpened(person, name, id, since = 0) {
  const row = person.log.locator(`[role=separator] + article[data-id="${id}"]`);
  await row.waitFor();
  await person.page.waitForTimeout(READER_MS);
  const { shifts } = await probe(person.page);
  assert.deepEqual(shifts.filter(s => s.at > since), [], name);
  assert.ok(await row.evaluate(e => e.getBoundingClientRect().bottom <= innerHeight), `${name}: the unread line is not in sight`);
}

test("a room opens at its first unread message, and nothing shifts", async ({ cast, server }) => {
  const markUnread = await busyRoom();
  for (const viewport of [WIDE, PHONE]) {
    const ann = await cast.enter("ann", { room: "full", viewport });
    await ann.page.addInitScript(record);
    // An open room would be marked as read.
    const leave = async () => { await ann.page.evaluate(() => { location.hash = "#/full"; }); await ann.row("line 59").waitFor(); };
    for (const count of UNREAD) {
      const name = `${count} unread at ${viewport.width} px`;
      const id = await markUnread(count);
      await ann.page.evaluate(() => { history.replaceState(null, "", "#/busy"); });
      await ann.page.reload();
      await assertOpened(ann, name, id);
      await assertStill(ann, name);
      t.diagnostic(`${name}: painted after ${Math.round((await probe(ann.page)).firstMessage)} ms`);
      await leave();
    }
    const id = await markUnread(UNREAD[0]);
    const since = await ann.page.evaluate(() => { history.back(); return performance.now(); });
    await assertOpened(ann, `back at ${viewport.width} px`, id, since);
  }
});

test("pending to sent moves nothing", async ({ cast, server }) => {
  const ann = await cast.enter("ann", { room: "full" });
  await ann.quiet(); // all parts of the page are there
  let release;
  const held = new Promise(resolve => { release = resolve; });
  await ann.page.route("**/rooms/full/messages", async route => {
    if (route.request().method() === "POST") await held;
    return route.continue();
  });
  const places = () => ann.page.evaluate(() => [...document.querySelectorAll("[role=log] article, [role=log] [role=article], form, textarea")]
    .map(e => { const r = e.getBoundingClientRect(); return [r.top, r.left, r.width, r.height]; }));
  await ann.say("a line that waits");
  await expect(ann.row("a line that waits")).toHaveAttribute("data-status", "pending");
  await ann.page.waitForTimeout(300); // an animation of the new row would end
  const before = await places();
  release();
  await ann.sent("a line that waits");
  await ann.page.waitForTimeout(300);
  const after = await places();
  assert.equal(after.length, before.length);
  before.forEach((place, n) => place.forEach((value, i) =>
    assert.ok(Math.abs(value - after[n][i]) <= MAX_MOVE_PX, `element ${n} was at ${place} and is at ${after[n]}`)));
});

test("a message that comes while older ones are read moves nothing", async ({ cast, server }) => {
  const ann = await cast.enter("ann", { room: "full", viewport: PHONE }); // beside the list, the room would move up in it
  await ann.log.getByRole("article").first().waitFor();
  const box = await scroller(ann);
  await box.evaluate(e => { e.scrollTop = e.scrollHeight / 2; });
  await ann.button("Jump to newest").waitFor();
  await ann.page.evaluate(record);
  const since = await ann.page.evaluate(() => performance.now());
  const place = () => box.evaluate(e => {
    const middle = e.getBoundingClientRect().top + e.clientHeight / 2;
    const row = [...e.querySelectorAll("article, [role=article]")].find(r => r.getBoundingClientRect().bottom > middle);
    return { id: row.dataset.id, top: row.getBoundingClientRect().top };
  });
  const before = await place();
  await server.post("bob", "full", "news from below");
  await ann.sees("news from below");
  await ann.page.waitForTimeout(200);
  const after = await place();
  assert.equal(after.id, before.id, "another line is read");
  assert.ok(Math.abs(after.top - before.top) <= MAX_MOVE_PX, `from ${before.top} to ${after.top}`);
  assert.deepEqual((await probe(ann.page)).shifts.filter(s => s.at > since), [], "the way to the newest has moved");
});

test("a message costs one request, and keys at most one frame in 8 seconds", async ({ cast, server }) => {
  const ann = await cast.enter("ann", { room: "full" });
  await ann.quiet();
  const requests = [], frames = [];
  ann.page.on("request", r => requests.push(`${r.method()} ${new URL(r.url()).pathname}`));
  const network = await ann.page.context().newCDPSession(ann.page);
  await network.send("Network.enable");
  network.on("Network.webSocketFrameSent", e => frames.push(JSON.parse(e.response.payloadData).type));
  const began = Date.now();
  await ann.composer.pressSequentially("forty characters typed one by one, slow");
  const spans = 1 + Math.floor((Date.now() - began) / TYPING_MS); // a busy machine may type slowly
  await ann.composer.press("Enter");
  await ann.sent("forty characters typed");
  await ann.page.waitForTimeout(500);
  assert.deepEqual(requests.filter(r => r.startsWith("POST")), ["POST /rooms/full/messages"]);
  assert.ok(requests.length <= 2, `a message costs ${requests}`); // the read marker may follow
  const typing = frames.filter(type => type === "typing").length;
  assert.ok(typing > 0 && typing <= spans, `${typing} frames of typing in ${spans * TYPING_MS / 1000} s`);
});
