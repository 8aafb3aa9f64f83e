// After a random run under faults, devices show the same as a fresh device: nothing is missed, and nothing comes
// twice. What people did on them, also without a network and just before a device ended, is done once, or is said
// not to be done. STATE_MESSAGES sets how many messages followers get in all.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { EventEmitter, setMaxListeners } from "node:events";
import { test, type TestContext } from "node:test";
import type { Message, Room, StoredMessage } from "../src/index.js";
import { react, save, vote } from "../src/doing.js";
import { hurry, sleepThrough } from "./harness/clock.js";
import { Device, differences } from "./harness/device.js";
import { Device as Storage } from "./harness/drawer.js";
import { Life } from "./harness/life.js";
import { pick, random, runSeed, type Random } from "./harness/random.js";
import { Tail } from "./harness/tail.js";
import { tailDifferences } from "./harness/tailed.js";
import { Troubles } from "./harness/troubles.js";
import { sleep, until } from "./harness/until.js";
import { World, has } from "./harness/world.js";

/** The messages that followers get in all, and in one round: more make rounds with other seeds. */
const wanted = Number(process.env["STATE_MESSAGES"] || 0) || 20_000;
const perRound = 20_000;
/** The most differences of a failure's message. STATE_LOG names a file for all. */
const mostShown = 40;
/**
 * After the last fault, all is right within this time, or within so many comparisons on a slow machine. A terminal
 * needs up to 75 s: a pause of 20 s before it connects, 10 s for an answer, 20 s of silence before it asks what is
 * new, 10 s for that answer and 15 s to read it. Its time is real, unlike the other devices' time.
 */
const settled = Number(process.env["STATE_SETTLED_MS"] || 0) || 90_000;
const comparisons = 10;
/** Who does not hear of the last messages, and so loads the list of rooms again. */
const deaf = ["dan", "eve", "frank"];
const people = ["amsg", "bob", "carol", "dan", "eve", "frank"];
const rooms = ["seattle", "tacoma", "olympia"];
/** Further rooms of two people, who are in more than a connection follows, each with two windows. */
const quiet = Array.from({ length: 130 }, (_, n) => `quiet-${n}`);
const two = ["amsg", "bob"];

/** The view of a client in a browser, which follows the events of its window. */
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
  // A terminal that cannot begin says so and ends; troubles come later.
  await until("the terminals are live", () => tails.every(tail => tail.live));
  return { devices, tails };
}

/** Edits a message twice: the first change may come after the second answer. */
async function rewrite(room: Room, id: string, text: string): Promise<void> {
  await room.edit(id, text);
  await room.edit(id, `${text}, again`);
}

/** People do on one device with a storage what nobody else does: these emoji, and texts of their own messages. */
const tracked = ["carol", "dan", "eve", "frank"];
const foxes = ["🦊", "🐙"];

/** A message that was sent on a device, by the number in its metadata. */
interface Sent {
  readonly d: Device;
  readonly room: string;
  text: string;
  deleted: boolean;
}

/** What people did on devices. */
class Done {
  readonly #sent = new Map<number, Sent>();
  readonly #reactions = new Map<string, { d: Device; room: string; id: string; emoji: string; on: boolean }>();
  #n = 0;

  /** Lets a person do something on a device, through the network. Errors are part of it. */
  touch(d: Device, r: Random): void {
    const room = pick(d.rooms, r);
    const { chat } = d.person;
    const newest = room.value.messages.filter(m => !m.deletedAt).slice(-20);
    const own = newest.filter(m => m.user === d.person.user && m.metadata?.["n"]).slice(-10);
    const stored = newest.filter(m => !m.status);
    const n = ++this.#n;
    const ignore = () => undefined;
    const kind = Math.floor(r() * 12);
    if (kind < 3) {
      const text = `${d.name} writes ${n}`;
      room.send(text, { n });
      if (d.keeps) this.#sent.set(n, { d, room: room.id, text, deleted: false });
    } else if (kind < 6 && own.length) this.#edit(d, room, pick(own, r), `${d.name} rewrites ${n}`);
    else if (kind < 9 && stored.length) this.#react(d, pick(stored.slice(-5), r), r);
    else if (kind === 9) {
      const polls = stored.filter(m => m.poll);
      if (polls.length) void vote(chat, pick(polls, r), r() < 0.8 ? [Math.floor(r() * 3)] : []).catch(ignore);
    } else if (kind === 10 && own.length && r() < 0.3) {
      const m = pick(own, r);
      const sent = this.#sent.get(Number(m.metadata?.["n"]));
      if (sent) sent.deleted = true;
      void room.remove(m.id).catch(ignore);
    } else void room.markRead().catch(ignore);
    if (n % 5 === 0 && stored.length) void save(chat, pick(stored, r), r() < 0.6).catch(ignore);
  }

  #edit(d: Device, room: Room, m: Message, text: string): void {
    const sent = this.#sent.get(Number(m.metadata?.["n"]));
    if (!tracked.includes(d.name)) return void rewrite(room, m.id, text).catch(() => undefined);
    if (sent) sent.text = text;
    void room.edit(m.id, text).catch(() => undefined);
  }

  #react(d: Device, m: Message, r: Random): void {
    const isTracked = tracked.includes(d.name);
    const emoji = pick(isTracked ? foxes : ["👍", "🎉"], r);
    const on = r() < 0.6;
    const act = `reaction ${m.id} ${emoji}`;
    d.refused.delete(act);
    if (isTracked) this.#reactions.set(`${d.name} ${act}`, { d, room: m.room, id: m.id, emoji, on });
    void react(d.person.chat, m, emoji, on).catch(() => undefined);
  }

  /** Returns what was not done once, and not said not to be done. */
  async lost(w: World): Promise<string[]> {
    const found: string[] = [];
    for (const room of rooms) {
      const stored = await w.messages("amsg", room);
      const sent = [...this.#sent].filter(([, s]) => s.room === room && !s.deleted);
      for (const [n, { d, text }] of sent) {
        const [m, ...others] = stored.filter(m => m.metadata?.["n"] === n);
        const reported = (await d.unsent()).some(a => a.error && (a.kind === "message" ? a.metadata?.["n"] === n : "of" in a && a.of === m?.id));
        if (others.length) found.push(`${d.name}'s message ${n} is stored ${others.length + 1} times`);
        else if (!reported && !m) found.push(`${d.name}'s message ${n} is stored 0 times`);
        else if (!reported && m && !m.deletedAt && tracked.includes(d.name) && m.text !== text) found.push(`${d.name}'s message ${n} has the text ${m.text}, not ${text}`);
      }
    }
    for (const [act, { d, room, id, emoji, on }] of this.#reactions) {
      const m = await w.ask<StoredMessage>(d.person.user, "GET", `/rooms/${room}/messages/${encodeURIComponent(id)}`);
      const is = !!m.reactions?.some(r => r.emoji === emoji && r.me);
      if (is !== on && !m.deletedAt && !d.refused.has(`reaction ${id} ${emoji}`)) found.push(`${act}: is ${is}, not ${on}`);
    }
    return found;
  }
}

/** Lets something happen in a room that few devices follow, past the network. */
async function stir(w: World, n: number, r: Random): Promise<void> {
  const path = `/rooms/${pick(quiet, r)}`;
  const user = pick(two, r);
  const { items: [newest] } = await w.ask<{ items: { id: string }[] }>(user, "GET", `${path}/messages?limit=1`);
  switch (Math.floor(r() * 8)) {
    case 0: return void await w.ask(user, "PUT", `${path}/read`, { message: newest?.id });
    case 1: return void await w.ask(user, "PUT", `/people/me${path}`, { favorite: r() < 0.5, muted: r() < 0.3 });
    case 2: return void await w.ask(user, "PUT", `${path}/read`, { unreadFrom: newest?.id });
    case 3: {
      await w.ask(user, "DELETE", `${path}/members/me`);
      return void await w.ask(user, "PUT", `${path}/members/me`, { role: "member" });
    }
    case 4: return void await w.ask(user, "POST", `${path}/messages`, { text: `you ${n}`, mentions: [pick(two, r)] });
    default: await w.ask(user, "POST", `${path}/messages`, { text: `quiet ${n}` });
  }
}

async function round(t: TestContext, seed: number, total: number): Promise<void> {
  const r = random(seed);
  const w = await World.open(t);
  const life = new Life(w, rooms, people, r);
  await life.begin();
  await w.rooms(quiet, ...two);
  const { devices, tails } = await followers(t, w, life);
  const down = async (seconds: number) => {
    hurry(t, 10);
    await sleep(seconds * 100);
    hurry(t, 1);
  };
  const done = new Done();
  const steps = Math.ceil(total / 10 * 1.6);
  const close = () => {
    const closed = devices.filter(() => r() < 0.4);
    for (const d of closed) {
      for (let i = 0; i < 3; i++) done.touch(d, r); // is not sent any more
      d.close();
    }
    return () => Promise.all(closed.map(d => d.reopen()));
  };
  const troubles = new Troubles(w, { sleep: sleepThrough, look, whileDown: down, close }, steps, 2, r);
  const begun = performance.now();
  let n = 0;
  for (; n < steps || life.messages * devices.length + (life.posted.get("seattle") ?? 0) * tails.length < total; n++) {
    life.renames = n < troubles.calmAt;
    await troubles.step(n);
    await life.change();
    if (n % 10 === 0) done.touch(pick(devices, r), r);
    if (n % 25 === 0) await stir(w, n, r);
  }
  w.network.frame = (_, user) => deaf.includes(user) ? "drop" : "pass";
  for (const id of await life.everywhere()) await until("a last message is in a frame", () => w.network.frames.some(has(id)));
  await troubles.over();
  const lived = performance.now() - begun;
  sleepThrough(600_000);
  look();
  const ended = performance.now();
  let found: string[] = [];
  let compared = 0;
  do {
    await sleep(500);
    compared++;
    found = [...await unequal(w, devices), ...await tailDifferences(w, tails), ...await done.lost(w)];
  } while (found.length && (performance.now() - ended < settled || compared < comparisons));
  const received = [...devices, ...tails].reduce((sum, f) => sum + f.created, 0);
  t.diagnostic(`${n} changes in ${Math.round(lived)} ms, ${received} messages received, right after ${Math.round(performance.now() - ended)} ms; ${troubles.met.join(", ")}`);
  found.push(...[...devices, ...tails].flatMap(f => f.faults));
  if (process.env["STATE_LOG"]) await writeFile(process.env["STATE_LOG"], found.join("\n"));
  assert.deepEqual(found.slice(0, mostShown), [], `repeat with SEED=${seed}: ${found.length} differences`);
}

/** Returns how devices differ from fresh ones of the same people. */
async function unequal(w: World, devices: Device[]): Promise<string[]> {
  const found: string[] = [];
  for (const d of devices) {
    const fresh = await Device.open(w, "fresh", d.person.user, rooms, d.roots, { url: w.server.url });
    await fresh.loadAll();
    await Promise.all([d, fresh].map(each => each.loadList()));
    const shown = d.shown();
    found.push(...differences(shown, fresh.shown(shown)).map(line => `${d.name}${line}`));
    const waiting = (await d.unsent()).filter(a => !a.error).map(a => `${a.kind} in ${a.room}, at ${a.at}`);
    if (waiting.length) found.push(`${d.name} has not sent: ${waiting.join("; ")}`);
    fresh.close();
  }
  return found;
}

for (let n = 0; n * perRound < wanted; n++) {
  const seed = runSeed + n;
  test(`what is shown equals a fresh load, seed ${seed}`, t => round(t, seed, Math.min(perRound, wanted)));
}
