// What devices show after a life under faults is what a fresh one shows: nothing is missed, and
// nothing comes twice. STATE_MESSAGES sets how many messages followers get in all.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { EventEmitter, setMaxListeners } from "node:events";
import { test, type TestContext } from "node:test";
import type { Room } from "../src/index.js";
import { hurry, sleepThrough } from "./harness/clock.js";
import { Device, differences } from "./harness/device.js";
import { Device as Storage } from "./harness/drawer.js";
import { Life } from "./harness/life.js";
import { pick, random, runSeed, type Random } from "./harness/random.js";
import { Tail } from "./harness/tail.js";
import { tailDifferences } from "./harness/tailed.js";
import { Troubles } from "./harness/troubles.js";
import { sleep, until } from "./harness/until.js";
import { World } from "./harness/world.js";

/** The messages that followers get in all, and in one round: more make rounds with other seeds. */
const wanted = Number(process.env["STATE_MESSAGES"] || 0) || 20_000;
const perRound = 20_000;
/** Positions are so far beyond the older data that what devices have not sent does not reach them. */
const beyond = 12;
/** The most differences of a failure's message. STATE_LOG names a file for all. */
const mostShown = 40;
/** After the last fault, all is right within this time. */
const settled = 30_000;
const people = ["amsg", "bob", "carol", "dan", "eve", "frank"];
const rooms = ["seattle", "tacoma", "olympia"];

/** What looks at a client in a browser: it is told by events of its window. */
const page = new EventTarget();
setMaxListeners(0, page);
EventEmitter.defaultMaxListeners = 0; // each client listens to it
Object.assign(globalThis, { addEventListener: page.addEventListener.bind(page), removeEventListener: page.removeEventListener.bind(page) });
const look = () => { for (const e of ["visibilitychange", "pageshow", "focus", "online"]) page.dispatchEvent(new Event(e)); };

/** Opens ten followers: clients of six people, two of whom have two devices, and two terminals. */
async function followers(t: TestContext, w: World, life: Life): Promise<{ devices: Device[]; tails: Tail[] }> {
  const roots = rooms.map(id => life.root(id));
  const expiring = { getToken: () => w.server.freshToken("dan", "10s") };
  const devices = await Promise.all([
    ...people.map(u => Device.open(w, u, u, rooms, [], { storage: new Storage(), ...(u === "dan" && expiring) })),
    Device.open(w, "amsg's phone", "amsg", rooms, roots),
    Device.open(w, "bob's phone", "bob", rooms, roots),
  ]);
  const tails = [Tail.start(w, "carol", "seattle"), Tail.start(w, "eve", "seattle")];
  t.after(async () => { for (const tail of tails) await tail.stop(); });
  return { devices, tails };
}

/** Lets a person do something on a device, through the network. Errors are part of it. */
function touch(d: Device, n: number, r: Random): void {
  const room = pick(d.rooms, r);
  const own = room.value.messages.filter(m => !m.status && !m.deletedAt && m.user === d.person.user).slice(-10);
  const ignore = () => undefined;
  switch (Math.floor(r() * 5)) {
    case 0: case 1: room.send(`${d.name} writes ${n}`); break;
    case 2: if (own.length) void room.edit(pick(own, r).id, `${d.name} rewrites ${n}`).catch(ignore); break;
    case 3: if (own.length) void d.react(pick(own, r), pick(["👍", "🎉"], r), r() < 0.6).catch(ignore); break;
    default: void room.markRead().catch(ignore);
  }
}

async function round(t: TestContext, seed: number, total: number): Promise<void> {
  const r = random(seed);
  const w = await World.open(t);
  const life = new Life(w, rooms, people, r);
  await life.begin();
  const { devices, tails } = await followers(t, w, life);
  const down = async (seconds: number) => {
    hurry(t, 10);
    await sleep(seconds * 100);
    hurry(t, 1);
  };
  const steps = Math.ceil(total / 10 * 1.6);
  const close = () => {
    const closed = devices.filter(() => r() < 0.4);
    for (const d of closed) d.close();
    return () => Promise.all(closed.map(d => d.reopen()));
  };
  const troubles = new Troubles(w, { sleep: sleepThrough, look, whileDown: down, close }, steps, 2, r);
  const begun = performance.now();
  let n = 0;
  let restore = async () => {};
  for (; n < steps || life.messages * devices.length + (life.posted.get("seattle") ?? 0) * tails.length < total; n++) {
    await troubles.step(n);
    if (n === Math.floor(steps * 0.4)) restore = await backUp(w, life);
    if (n === Math.floor(steps * 0.55)) {
      await troubles.end();
      for (let more = 0; more < beyond; more++) await life.everywhere();
      for (const d of devices) await d.pause();
      await restore();
      await resetAll(w, devices, tails);
      life.renames = false; // the new process knows the last names
    }
    await life.change();
    if (n % 10 === 0) touch(pick(devices, r), n, r);
  }
  w.network.frame = () => "drop";
  await life.everywhere(); // nobody hears of the last messages
  await troubles.over();
  const lived = performance.now() - begun;
  sleepThrough(600_000);
  look();
  const ended = performance.now();
  let found: string[] = [];
  do {
    await sleep(500);
    found = [...await unequal(w, devices), ...await tailDifferences(w, tails)];
  } while (found.length && performance.now() - ended < settled);
  const received = [...devices, ...tails].reduce((sum, f) => sum + f.created, 0);
  t.diagnostic(`${n} changes in ${Math.round(lived)} ms, ${received} messages received, right after ${Math.round(performance.now() - ended)} ms; ${troubles.met.join(", ")}`);
  found.push(...[...devices, ...tails].flatMap(f => f.faults));
  if (process.env["STATE_LOG"]) await writeFile(process.env["STATE_LOG"], found.join("\n"));
  assert.deepEqual(found.slice(0, mostShown), [], `repeat with SEED=${seed}: ${found.length} differences`);
}

/** Copies the data of the server, and returns how the copy takes their place. */
async function backUp(w: World, life: Life): Promise<() => Promise<void>> {
  await w.server.end("SIGTERM");
  await w.server.backUp();
  await w.server.resume();
  const back = life.remember();
  return async () => {
    await w.server.kill();
    await w.server.restore();
    await w.server.resume();
    back();
  };
}

/**
 * Lets all notice that the server has older data. Only then life goes on: in new data a position could
 * soon mean another change. (The deployed feed has a generation for that.)
 */
async function resetAll(w: World, devices: Device[], tails: Tail[]): Promise<void> {
  w.network.cut();
  look();
  let waiting: string[] = [];
  await until("clients begin again", async () => {
    const stored = new Set((await Promise.all(rooms.map(id => w.messages("amsg", id)))).flat().map(m => m.id));
    const isReset = (r: Room) => r.value.phase === "ready" && r.value.messages.every(m => !!m.status || stored.has(m.id));
    waiting = devices.flatMap(d => d.rooms.filter(r => !isReset(r)).map(r => `${d.name} in ${r.id}: ${r.value.phase}, ${d.person.chat.state.value}`));
    return !waiting.length;
  }).catch((cause: unknown) => { throw new Error(waiting.join("\n"), { cause }); });
  for (const d of devices) await d.begin();
  await until("terminals begin again", () => tails.every(tail => tail.begun >= 2)).catch((cause: unknown) => {
    throw new Error(tails.map(tail => `${tail.name}, ${tail.begun}: ${tail.notes}`).join("\n"), { cause });
  });
}

/** Returns how devices differ from fresh ones of the same people. */
async function unequal(w: World, devices: Device[]): Promise<string[]> {
  const found: string[] = [];
  for (const d of devices) {
    const fresh = await Device.open(w, "fresh", d.person.user, rooms, d.roots, { url: w.server.url });
    await fresh.loadAll();
    const shown = d.shown();
    found.push(...differences(shown, fresh.shown(shown)).map(line => `${d.name}${line}`));
    fresh.close();
  }
  return found;
}

for (let n = 0; n * perRound < wanted; n++) {
  const seed = runSeed + n;
  test(`what is shown equals a fresh load, seed ${seed}`, t => round(t, seed, Math.min(perRound, wanted)));
}
