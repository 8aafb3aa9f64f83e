// Measures in a real browser how far a page is behind on a bad network, and how soon it is there after a
// reload and an absence. It is no test: times depend on the machine. `make bench-live` runs it, and
// FIGURES names the file for the results.
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Gate } from "../client/test/harness/faults.ts";
import { Proxy } from "../client/test/harness/proxy.ts";
import { Cast, DOWN, Person, expect, suite } from "./fixtures.mjs";
import { median, probe, record } from "./probe.mjs";
import { Relay } from "./relay.mjs";

const LOADS = 5;
const WAKES = 3;
/** A machine sleeps longer than the page takes for a slow timer. */
const ASLEEP_MS = 8000;
/** The code that notices a sleep has been loaded. */
const LATER_MS = 5000;
/** Before an absence: the rooms and the messages of each. During it: the changes in each. */
const ROOMS = 12;
const MESSAGES = 60;
const CHANGES = 250;
/** Requests of the bench itself at one time. */
const AT_ONCE = 8;
/** Somebody talks elsewhere so often: a failure is reported with the next batch. */
const TALK_MS = 1000;
/** The longest wait for a message. */
const PATIENCE_MS = 100_000;
/** A page is complete when it has asked for nothing for this long. */
const QUIET_MS = 1500;
/** The longest text that is part of a frame takes 24 KB. */
const LONG = "x".repeat(20_000);
/** More than the queue of a connection and the buffers of the system hold. */
const FLOOD = 2000;

const test = suite();
const figures = [];
const add = (name, value, goal, unit = "ms") => {
  figures.push({ name, value, goal, unit });
  console.log(`${name}: ${Math.round(value)} ${unit}, goal ${goal} ${unit}`);
  if (process.env.FIGURES) writeFileSync(process.env.FIGURES, JSON.stringify(figures));
};

/** Calls work for 0 to n - 1, some at a time. */
const each = async (n, work) => {
  let next = 0;
  await Promise.all(Array.from({ length: AT_ONCE }, async () => { while (next < n) await work(next++); }));
};

/** Returns how long a person takes to see a text, in ms from now, or PATIENCE_MS. */
async function until(person, text) {
  const began = Date.now();
  await person.row(text).first().waitFor({ timeout: PATIENCE_MS }).catch(() => {});
  return Math.min(PATIENCE_MS, Date.now() - began);
}

/** Opens a window of a person behind a network that can fail. */
async function behind(browser, url, name, room) {
  const network = await Proxy.to(url);
  const cast = new Cast(browser, { url: network.url });
  const person = await cast.enter(name, { room });
  person.allow(/./);
  await person.settled();
  return { network, person, end: async () => { await cast.close(); await network.close(); } };
}

/** Opens a room of ann and bob behind a network that can fail. */
async function silence(browser, server, room) {
  await server.room(room, "ann", ["bob"]);
  await server.post("bob", room, "before");
  const window = await behind(browser, server.url, "ann", room);
  const die = () => window.network.links.forEach(l => l.halve());
  return { ...window, die, post: text => server.post("bob", room, text) };
}

test("a dead connection", async ({ browser, server }) => {
  const { person: ann, die, post, end } = await silence(browser, server, "dead");
  die();
  await post("while it is dead");
  add("a page that is looked at, behind a dead connection", await until(ann, "while it is dead"), 50_000);
  await end();
});

test("a sleep", async ({ browser, server }) => {
  const { person: ann, network, die, post, end } = await silence(browser, server, "asleep");
  const processes = await browser.newBrowserCDPSession();
  const signal = async name => {
    const { processInfo } = await processes.send("SystemInfo.getProcessInfo");
    for (const { type, id } of processInfo) if (type === "renderer") process.kill(id, name);
  };
  await sleep(LATER_MS);
  const wakes = [];
  for (let n = 0; n < WAKES; n++) {
    await signal("SIGSTOP"); // the page's timers stand still, as in a machine that sleeps
    die();
    const gate = new Gate();
    network.request = () => gate.passed; // what is asked on a connection from before hangs
    await post(`asleep ${n}`);
    await sleep(ASLEEP_MS);
    network.request = () => "pass";
    await signal("SIGCONT");
    wakes.push(await until(ann, `asleep ${n}`));
    gate.open();
  }
  add(`a page whose machine has slept, most of ${WAKES}`, Math.max(...wakes), 5000);
  await end();
});

test("own messages", async ({ browser, server }) => {
  const { person: ann, network, die, post, end } = await silence(browser, server, "own");
  const stored = async text => {
    const answer = ann.page.waitForResponse(r => r.request().method() === "POST" && r.url().endsWith("/messages"));
    await ann.say(text);
    await answer;
  };
  die();
  await post("before the answer");
  await stored("own, on a dead connection");
  add("after the 201 of an own message, on a dead connection", await until(ann, "before the answer"), 5000);
  await ann.settled();
  network.frame = f => f.type === "changes" ? "drop" : "pass";
  await post("lost with its frame");
  await stored("own, without its frame");
  add("after the 201 of an own message whose frame is lost", await until(ann, "lost with its frame"), 5000);
  await end();
});

test("a failure that the server knows", async ({ browser, server }) => {
  await server.room("flooded", "ann", ["bob"]);
  await server.room("elsewhere", "bob");
  await server.post("bob", "flooded", "before");
  const relay = await Relay.to(server.url);
  const { person: ann, end } = await behind(browser, relay.url, "ann", "flooded");
  let dropped = false;
  server.lost = () => { dropped = true; };
  relay.pause();
  await each(FLOOD, async () => { if (!dropped) await server.post("bob", "flooded", LONG); });
  expect(dropped, "the server has dropped a post").toBe(true);
  await server.post("bob", "flooded", "the last");
  await sleep(TALK_MS); // it is dropped, too
  relay.resume();
  let talking = true;
  const talk = (async () => { while (talking) { await server.post("bob", "elsewhere", "and on"); await sleep(TALK_MS); } })();
  add("a failure that the server knows", await until(ann, "the last"), 10_000);
  talking = false;
  await talk;
  await end();
  await relay.close();
});

/** Signs somebody in, whose browser keeps the page and the rooms that they open. */
async function keeper(cast, name, rooms) {
  const person = await cast.window(name, { serviceWorkers: "allow" });
  person.allow(DOWN);
  await person.signIn();
  for (const room of rooms) {
    await person.go(room);
    await person.settled();
  }
  await expect.poll(() => person.page.evaluate(() => !!navigator.serviceWorker.controller), "the page is kept").toBe(true);
  await expect.poll(async () => (await keptRooms(person)).length, "the rooms are kept").toBe(rooms.length);
  return person;
}

/** Returns the rooms that the browser keeps, with the newest text of each. */
const keptRooms = ({ page }) => page.evaluate(async () => {
  const done = request => new Promise((resolve, reject) => { request.onsuccess = () => resolve(request.result); request.onerror = () => reject(request.error); });
  for (const { name } of await indexedDB.databases()) {
    const base = await done(indexedDB.open(name));
    const store = base.objectStoreNames.contains("values") && base.transaction("values").objectStore("values");
    const [keys, values] = store ? await Promise.all([done(store.getAllKeys()), done(store.getAll())]) : [[], []];
    base.close();
    const rooms = keys.map((key, n) => [key, values[n]]).filter(([key]) => key.startsWith("room "));
    if (rooms.length) return rooms.map(([key, { messages }]) => [key, messages.at(-1)?.text]);
  }
  return [];
});

test("a reload", async ({ cast, server }) => {
  await server.room("full", "ann");
  for (let n = 0; n < MESSAGES; n++) await server.post("ann", "full", `line ${n}: the quick brown fox jumps over the lazy dog`);
  const ann = await keeper(cast, "ann", ["full"]);
  await ann.page.addInitScript(record);
  const paints = async () => {
    const times = [];
    for (let n = 0; n < LOADS; n++) {
      await ann.page.reload();
      await expect.poll(async () => (await probe(ann.page)).firstMessage, "the first message is painted").toBeGreaterThan(0);
      times.push((await probe(ann.page)).firstMessage);
      await ann.ready();
    }
    return median(times);
  };
  add("a reload to the first message", await paints(), 100);
  await ann.page.context().setOffline(true);
  add("the same without network", await paints(), 100);
  await ann.page.context().setOffline(false);
});

test("an hour away", async ({ cast, server }) => {
  const rooms = Array.from({ length: ROOMS }, (_, n) => `away-${n}`);
  for (const room of rooms) {
    await server.room(room, "ann", ["bob"]);
    await each(MESSAGES, n => server.post("bob", room, `note ${n}`));
  }
  const ann = await keeper(cast, "ann", rooms);
  await ann.go(rooms[0]);
  await ann.settled();
  const browser = ann.page.context();
  await ann.page.close();
  await each(ROOMS, async n => { await change(server, rooms[n]); });

  const again = new Person("ann", await browser.newPage(), server);
  await again.watch();
  again.allow(DOWN);
  const loaded = await transfers(again);
  await again.page.addInitScript(record);
  await again.page.goto(`${server.url}/#/${rooms[0]}`);
  await expect.poll(async () => (await probe(again.page)).firstMessage, "the first message is painted").toBeGreaterThan(0);
  await again.sees("the newest");
  await loaded.quiet();
  const times = await again.page.evaluate(() => performance.getEntriesByType("resource").filter(e => ["fetch", "xmlhttprequest"].includes(e.initiatorType)).map(e => e.responseEnd));
  const whole = (await keptRooms(again)).filter(([, text]) => text === "the newest").length;
  const of = `${ROOMS * CHANGES} changes in ${ROOMS} rooms`;
  add(`an absence with ${of}, until the first message`, (await probe(again.page)).firstMessage, 100);
  add(`the same until the last answer (${whole} of ${ROOMS} rooms are whole)`, Math.max(...times), 2000);
  add("its requests", loaded.requests(), 30, "requests");
  add("its bytes", loaded.bytes() / 1024, 300, "KB");
  await again.page.close();
});

/** Makes the changes of an absence in a room: messages, and every tenth an edit and a reaction. */
async function change(server, room) {
  let last;
  for (let n = 0; n < CHANGES - 1; n++) {
    const path = last && `/rooms/${room}/messages/${encodeURIComponent(last.id)}`;
    if (n % 10 === 4) await server.api("bob", "PATCH", path, { text: `changed ${n}` });
    else if (n % 10 === 9) await server.api("bob", "PUT", `${path}/reactions/${encodeURIComponent("👍")}`);
    else last = await server.post("bob", room, `line ${n}: the quick brown fox jumps over the lazy dog`);
  }
  await server.post("bob", room, "the newest");
}

/** Counts what a window asks the API for, and what the network brings. */
async function transfers({ page, server }) {
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  const open = new Set();
  let [requests, bytes, last] = [0, 0, Date.now()];
  page.on("request", () => { last = Date.now(); });
  network.on("Network.responseReceived", e => {
    if (e.response.fromServiceWorker || e.response.fromDiskCache || !e.response.url.startsWith(server.url)) return;
    open.add(e.requestId);
    requests++;
  });
  network.on("Network.loadingFinished", e => { if (open.has(e.requestId)) bytes += e.encodedDataLength; last = Date.now(); });
  network.on("Network.webSocketFrameReceived", e => { bytes += e.response.payloadData.length; });
  return {
    requests: () => requests, bytes: () => bytes,
    quiet: () => expect.poll(() => Date.now() - last, "nothing is asked for").toBeGreaterThan(QUIET_MS),
  };
}
