// Bytes, requests, layout shifts and pixels, which are the same on every machine. Times are measured
// by bench.mjs.
import { PHONE, WIDE, expect, gate, suite } from "./fixtures.mjs";
import { probe, record, scroller } from "./probe.mjs";

/** One report of typing is sent in this time. */
const TYPING_MS = 8000;
/** The budgets of build.mjs, for what really is transferred. */
const MAX_BYTES = 90 * 1024;
const MAX_SCRIPT_BYTES = 60 * 1024;
/** The fonts' rounding moves a row by less. */
const MAX_MOVE_PX = 0.5;
/** More than a window shows, so that it scrolls. */
const MESSAGES = 60;
/** Unread messages: beyond the first page, and beyond the largest page and the app's window. */
const UNREAD = [60, 320];
/** The people who write them, each within the limit of their rate. */
const WRITERS = ["cat", "dan", "eve", "fay"];
/** The app says that it waits for something after less. */
const LATE_MS = 900;
/** Some frames, after which effects have run. */
const FRAMES_MS = 100;
/** The line being read may move by so much while older messages are loaded. */
const MAX_LINE_PX = 1;

const test = suite({
  fill: async server => {
    await server.api("ann", "PUT", "/people/me/blocks/gus"); // before the server caches whom she has blocked
    await server.room("full", "ann", ["bob"]);
    for (let n = 0; n < MESSAGES; n++) await server.post(n % 3 ? "ann" : "bob", "full", `line ${n}: the quick brown fox jumps over the lazy dog`);
    // Ann has read the room: with more than a page of unread messages the app goes to their beginning.
    await server.read("ann", "full");
    await server.room("lone", "ann");
    for (let n = 0; n < 3; n++) await server.post("ann", "lone", `note ${n}`);
    await server.room("elsewhere", "cat", ["gus"]);
    for (let n = 0; n < 20; n++) await server.post(n % 2 ? "cat" : "gus", "elsewhere", `line ${n}: ${"the quick brown fox ".repeat(9)}`);
  },
});

/** Waits until a window has painted its first message. */
const painted = person => expect.poll(async () => (await probe(person.page)).firstMessage, "the first message is painted").toBeGreaterThan(0);

/** Returns what a window transfers until its messages are painted: name, type and encoded bytes. */
async function transfers(person, action) {
  const network = await person.page.context().newCDPSession(person.page);
  await network.send("Network.enable");
  await network.send("Network.setCacheDisabled", { cacheDisabled: true });
  const requests = new Map(); // bytes counts bodies; headers are the server's
  network.on("Network.responseReceived", e => requests.set(e.requestId, { url: new URL(e.response.url), type: e.type, headers: e.response.encodedDataLength, coding: e.response.headers["content-encoding"] ?? e.response.headers["Content-Encoding"] }));
  network.on("Network.loadingFinished", e => { const r = requests.get(e.requestId); if (r) r.bytes = e.encodedDataLength - r.headers; });
  await action();
  await painted(person);
  // What began after the first message does not count. The browser tells of the rest later than it paints.
  const begun = new Set(await person.page.evaluate(() => performance.getEntriesByType("resource")
    .filter(e => e.startTime < window.parleyProbe.firstMessage).map(e => new URL(e.name).pathname).concat("/")));
  const loaded = () => [...requests.values()].filter(r => r.bytes !== undefined && begun.has(r.url.pathname));
  await expect.poll(() => new Set(loaded().map(r => r.url.pathname)).size, "all files are loaded").toBe(begun.size);
  return loaded();
}

test("the page is small: an empty cache transfers 90 KB at most, 60 of them scripts", async ({ cast, server }) => {
  const ann = await cast.enter("ann", { room: "full" });
  await ann.page.addInitScript(record);
  const loaded = await transfers(ann, () => ann.page.reload());
  const files = loaded.filter(r => ["Document", "Script", "Stylesheet", "Font", "Image"].includes(r.type));
  const list = loaded.map(r => `${String(r.bytes).padStart(7)} B ${(r.coding ?? "plain").padEnd(5)} ${r.type.padEnd(10)} ${r.url.pathname}`).join("\n");
  const sum = some => some.reduce((n, r) => n + r.bytes, 0);
  const scripts = files.filter(r => r.type === "Script");
  expect(scripts.length, "the page has no scripts").toBeGreaterThanOrEqual(2);
  for (const r of files) expect(r.coding, `${r.url.pathname} is not compressed`).toBe("gzip");
  expect(sum(scripts), `scripts of\n${list}`).toBeLessThanOrEqual(MAX_SCRIPT_BYTES);
  expect(sum(files), list).toBeLessThanOrEqual(MAX_BYTES);
  for (const r of loaded) expect(r.url.origin, "another site is asked").toBe(server.url);
});

/** Pages whose parts come one after another. */
const LOADS = [
  { what: "messages", room: "full", viewport: WIDE },
  { what: "messages", room: "full", viewport: PHONE },
  { what: "the offer of a second person, and a draft", room: "lone", viewport: PHONE, draft: "one\ntwo\nthree" },
  { what: "the offer to join, and a blocked person's messages", room: "elsewhere", viewport: PHONE },
];

for (const { what, room, viewport, draft = "" } of LOADS) {
  test(`nothing shifts while a page loads at ${viewport.width} px: ${what}`, async ({ cast }) => {
    const ann = await cast.enter("ann", { room, viewport });
    await ann.page.addInitScript(record);
    await ann.composer.fill(draft);
    await ann.page.reload();
    await painted(ann);
    await ann.settled(); // the socket, presence and the read marker come after
    await expect(ann.composer).toHaveValue(draft);
    expect((await probe(ann.page)).shifts).toEqual([]);
    await assertStill(ann, what);
  });
}

test("the words for a slow connection and then for slow messages move nothing", async ({ cast, server }) => {
  const ann = await cast.enter("ann", { room: "full" });
  await ann.page.addInitScript(record);
  const [greeting, answer] = [gate(), gate()];
  await ann.page.routeWebSocket(/./, async socket => { await greeting.opened; socket.connectToServer(); });
  await ann.page.route("**/rooms/full/messages?*", async route => { await answer.opened; return route.continue(); });
  await ann.page.clock.install();
  await forget(ann.page);
  await ann.page.reload();
  const notice = words => ann.page.locator(".notice", { hasText: words }).waitFor();
  await notice("Connecting…");
  await ann.page.clock.runFor(LATE_MS); // the messages are late by then, too
  greeting.open();
  await notice("Loading messages…");
  answer.open();
  await painted(ann);
  await ann.still();
  await expect.poll(async () => (await probe(ann.page)).shifts).toEqual([]);
});

/** Fails unless the message that was painted first is where it was then: scrolling counts as no shift. */
async function assertStill(person, name) {
  const { first } = await probe(person.page);
  const top = await person.log.locator(`article[data-id="${first.id}"]`).evaluate(e => e.getBoundingClientRect().top);
  expect(Math.abs(top - first.top), `${name}: what was painted at ${first.top} is at ${top}`).toBeLessThanOrEqual(MAX_LINE_PX);
}

/** Fills a room. Returns a function that marks about n messages as unread for Ann, and returns how many and the first. */
async function busyRoom(server) {
  await server.room("busy", "ann", WRITERS);
  for (let n = 0; n < UNREAD.at(-1) + MESSAGES; n += WRITERS.length) {
    await Promise.all(WRITERS.map((user, i) => server.post(user, "busy", `line ${n + i}: the quick brown fox jumps over the lazy dog`)));
  }
  const all = await server.messages("ann", "busy");
  return async n => {
    // The feed may have those that were sent together in another order.
    const { unread } = await server.api("ann", "PUT", "/rooms/busy/read", { unreadFrom: all.at(-n).id });
    return { id: all.at(-unread).id, unread };
  };
}

/** Fails if anything has shifted since a time, or the unread line is not in sight above a message. */
async function assertOpened(person, name, id, since = 0) {
  const row = person.log.locator(`[role=separator] + article[data-id="${id}"]`);
  await row.waitFor();
  await person.settled();
  const { shifts } = await probe(person.page);
  expect(shifts.filter(s => s.at > since), name).toEqual([]);
  await expect(row, `${name}: the unread line is not in sight`).toBeInViewport({ ratio: 1 });
}

/** Removes what the browser keeps of rooms. It would be painted first, at the line that was unread before. */
async function forget(page) {
  await page.evaluate(async () => {
    for (const { name } of await indexedDB.databases()) if (name.endsWith(" cache")) indexedDB.deleteDatabase(name); // the page's end lets it go
  });
}

test("a room opens at its first unread message, and nothing shifts", async ({ cast, server }) => {
  const markUnread = await busyRoom(server);
  for (const viewport of [WIDE, PHONE]) {
    const ann = await cast.enter("ann", { room: "full", viewport });
    await ann.page.addInitScript(record);
    // An open room would be marked as read.
    const leave = async () => { await ann.page.evaluate(() => { location.hash = "#/full"; }); await ann.row("line 59").waitFor(); };
    for (const count of UNREAD) {
      const name = `${count} unread at ${viewport.width} px`;
      const { id } = await markUnread(count);
      await forget(ann.page);
      await ann.page.evaluate(() => { history.replaceState(null, "", "#/busy"); });
      await ann.page.reload();
      await assertOpened(ann, name, id);
      await assertStill(ann, name);
      await leave();
    }
    const { id, unread } = await markUnread(UNREAD[0]);
    await expect(ann.page.locator('a[href="#/busy"] .badge'), "the list counts them").toHaveText(String(unread));
    await ann.still();
    const since = await ann.page.evaluate(() => { history.back(); return performance.now(); });
    await assertOpened(ann, `back at ${viewport.width} px`, id, since);
  }
});

test("pending to sent moves nothing", async ({ cast }) => {
  const ann = await cast.enter("ann", { room: "full", prepare: page => page.clock.install() });
  await ann.settled(); // all parts of the page are there
  await ann.page.clock.pauseAt(await ann.page.evaluate(() => Date.now() + 1000)); // a long wait has words
  const { open, opened } = gate();
  await ann.page.route("**/rooms/full/messages", async route => {
    if (route.request().method() === "POST") await opened;
    return route.continue();
  });
  const places = () => ann.page.evaluate(() => [...document.querySelectorAll("[role=log] article, [role=log] [role=article], form, textarea")]
    .map(e => { const r = e.getBoundingClientRect(); return [r.top, r.left, r.width, r.height]; }));
  await ann.say("a line that waits");
  await expect(ann.row("a line that waits")).toHaveAttribute("data-status", "pending");
  await ann.page.clock.runFor(FRAMES_MS);
  await ann.still();
  const before = await places();
  open();
  await ann.sent("a line that waits");
  await ann.page.clock.runFor(FRAMES_MS);
  await ann.still();
  const after = await places();
  expect(after).toHaveLength(before.length);
  before.forEach((place, n) => place.forEach((value, i) =>
    expect(Math.abs(value - after[n][i]), `element ${n} was at ${place} and is at ${after[n]}`).toBeLessThanOrEqual(MAX_MOVE_PX)));
});

test("a message that comes while older ones are read moves nothing", async ({ cast, server }) => {
  const ann = await cast.enter("ann", { room: "full", viewport: PHONE }); // with the list visible, the room would move up in it
  await ann.settled();
  const box = await scroller(ann);
  await box.evaluate(e => { e.scrollTop = e.scrollHeight / 2; });
  await ann.button("Jump to newest").waitFor();
  await ann.settled();
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
  await ann.still();
  const after = await place();
  expect(after.id, "another line is read").toBe(before.id);
  expect(Math.abs(after.top - before.top), `from ${before.top} to ${after.top}`).toBeLessThanOrEqual(MAX_MOVE_PX);
  expect((await probe(ann.page)).shifts.filter(s => s.at > since), "the way to the newest has moved").toEqual([]);
});

test("a message costs one request, and keys at most one frame in 8 seconds", async ({ cast }) => {
  const ann = await cast.enter("ann", { room: "full", prepare: page => page.clock.install() });
  await ann.settled();
  const posts = [], frames = [];
  ann.page.on("request", r => { if (r.method() === "POST") posts.push(new URL(r.url()).pathname); });
  const network = await ann.page.context().newCDPSession(ann.page);
  await network.send("Network.enable");
  network.on("Network.webSocketFrameSent", e => frames.push(JSON.parse(e.response.payloadData).type));
  const typing = count => expect.poll(() => frames.filter(type => type === "typing").length, "frames of typing").toBe(count);
  await ann.page.clock.pauseAt(await ann.page.evaluate(() => Date.now() + 1000));
  await ann.composer.pressSequentially("forty characters typed one by one, slow");
  await typing(1);
  await ann.page.clock.resume();
  await ann.composer.press("Enter");
  await ann.sent("forty characters typed");
  await ann.settled(); // the read marker may follow
  expect(posts).toEqual(["/rooms/full/messages"]);
  await ann.page.clock.runFor(TYPING_MS);
  await ann.composer.pressSequentially("and some more");
  await typing(2);
});
