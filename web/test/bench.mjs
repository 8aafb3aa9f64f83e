// Measures the app's times in a real browser, and prints a table of times and goals. It is not a test: times depend
// on the machine. `make bench-web` runs it.
import { expect, suite } from "./fixtures.mjs";
import { loadAtEnd, median, probe, record, scroller, tasks, watchKeys } from "./probe.mjs";
import { importArchive } from "./server.mjs";

const LOADS = 5;
const KEYS = 60;
const SENDS = 10;
/** The archive's messages that are scrolled through. */
const SCROLLED = 10_000;
/** The messages of one trace, which the browser can hold. */
const TRACED = 1000;
/** A longer task is felt: the definition of the Long Tasks API. */
const LONG_MS = 50;

/** A mobile line of medium speed, in bytes a second and milliseconds. */
const SLOW_LINE = { latency: 100, downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8 };

const most = list => list.reduce((a, b) => Math.max(a, b), 0);
const rows = [];
const add = (name, list, goal, met = median(list) <= goal) => rows.push([name, median(list).toFixed(1), most(list).toFixed(1), goal, met ? "met" : "MISSED"]);

const test = suite({ prepare: data => importArchive("irc", data) });

test("times", async ({ browser, cast, server }) => {
  await server.room("full", "ann");
  for (let n = 0; n < 60; n++) await server.post("ann", "full", `line ${n}: the quick brown fox jumps over the lazy dog`);

  const ann = await cast.enter("ann", { room: "full" });
  await ann.page.addInitScript(record);
  const network = await ann.page.context().newCDPSession(ann.page);
  await network.send("Network.enable");
  await network.send("Network.setCacheDisabled", { cacheDisabled: true });
  const paint = async () => {
    await ann.page.reload();
    await expect.poll(async () => (await probe(ann.page)).firstMessage, "the first message is painted").toBeGreaterThan(0);
    return (await probe(ann.page)).firstMessage;
  };
  const paints = [];
  for (let n = 0; n < LOADS; n++) paints.push(await paint());
  add("empty cache to first message painted, ms", paints, 400);
  await network.send("Network.emulateNetworkConditions", { offline: false, ...SLOW_LINE });
  const slow = [];
  for (let n = 0; n < LOADS; n++) slow.push(await paint());
  add("the same at 1.6 Mbit/s with 100 ms of latency, ms", slow, 1200);

  const reader = await cast.enter("ben", { room: "ubuntu" });
  await reader.settled();
  const box = await scroller(reader);
  const seen = new Set(await reader.ids());
  const began = Date.now();
  const worked = []; // by the main thread, in each part of the way
  while (seen.size < SCROLLED) {
    const part = Math.min(SCROLLED, seen.size + TRACED);
    worked.push(...(await tasks(browser, reader.page, async () => {
      while (seen.size < part) {
        await loadAtEnd(box, "older");
        for (const id of await reader.ids()) seen.add(id);
      }
    })).filter(ms => ms > 1));
  }
  const over = worked.filter(ms => ms > LONG_MS).length;
  add(`task of over 1 ms in scrolling ${seen.size} messages, ms of processor`, worked, LONG_MS, over === 0);
  console.log(`${seen.size} messages in ${((Date.now() - began) / 1000).toFixed(1)} s, ${(await reader.ids()).length} in the window; ${over} of ${worked.length} tasks over ${LONG_MS} ms`);

  // The window is full now: keys and sends are measured in it.
  await reader.page.evaluate(watchKeys);
  await reader.composer.focus();
  for (let n = 0; n < KEYS; n++) await reader.page.keyboard.type("abcdefg hij"[n % 11], { delay: 30 });
  const keys = await reader.page.evaluate(() => window.parleyKeys);
  add("key to character laid out, full window, ms", keys.input, 16);
  rows.push(["key to frame painted, full window, ms", median(keys.painted).toFixed(1), most(keys.painted).toFixed(1), "", ""]);
  await reader.composer.fill("");
  for (let n = 0; n < SENDS; n++) {
    await reader.composer.fill(`message ${n} of the benchmark`);
    await reader.composer.press("Enter");
    await reader.sent(`message ${n} of the benchmark`);
  }
  add("Enter to pending row, ms", (await reader.page.evaluate(() => window.parleyKeys)).row, 50);

  const header = ["measured", "median", "most", "goal", ""];
  const widths = header.map((_, i) => Math.max(...[header, ...rows].map(r => String(r[i]).length)));
  for (const row of [header, ...rows]) console.log(row.map((cell, i) => i ? String(cell).padStart(widths[i]) : String(cell).padEnd(widths[i])).join("  "));
});
