// A walk of random steps of several people in several rooms, under random faults. At its end the
// network heals, and everything equals the server's.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Room, RoomEntry } from "../src/index.js";
import { everyNth, isPost, requestFaultKinds } from "./harness/faults.js";
import { posted } from "./harness/proxy.js";
import { nightly, pick, random, runSeed, type Random } from "./harness/random.js";
import { eventually, sleep, until } from "./harness/until.js";
import { Shelf, World, type Person } from "./harness/world.js";

const steps = Number(process.env["STEPS"] || 0) || (nightly ? 1000 : 120);
/** Every so many requests and frames, one meets a fault. */
const faultEvery = 6;
const users = ["amsg", "bob", "carol"];
const ids = ["seattle", "tacoma"];

/** A person whose page may be reloaded. */
interface Walker {
  person: Person;
  readonly storage: Shelf;
  readonly written: Set<string>;
}

/** Makes one step. Errors of requests are part of the walk. */
async function step(w: World, walker: Walker, n: number, r: Random): Promise<void> {
  const { chat, user } = walker.person;
  const room = chat.room(pick(ids, r));
  const own = room.value.messages.filter(m => !m.status && !m.deletedAt && m.user === user);
  const failed = room.value.messages.find(m => m.status === "failed");
  const ignore = () => undefined;
  switch (Math.floor(r() * 16)) {
    case 0: case 1: case 2: case 3: case 4:
      walker.written.add(`${user} ${n}`);
      room.send(`${user} ${n}`);
      break;
    case 5: case 6: if (own.length) void room.edit(pick(own, r).id, `${user} ${n} edited`).catch(ignore); break;
    case 7: if (own.length) void room.remove(pick(own, r).id).catch(ignore); break;
    case 8: void room.older().catch(ignore); break;
    case 9: room.trim(pick(["older", "newer"] as const, r), 10); break;
    case 10: void room.newer().catch(ignore); break;
    case 11: if (room.value.phase === "ready") void room.markRead().catch(ignore); break;
    case 12: w.network.cut(); break;
    case 13: await outage(w, r); break;
    case 14: reload(w, walker); break;
    default: if (failed) room.retry(failed.id); else room.typing();
  }
}

/** Takes the network away for a while. */
async function outage(w: World, r: Random): Promise<void> {
  w.network.fail(true);
  await sleep(r() * 300);
  w.network.fail(false);
}

/** Closes a person's page, and opens it again with what waits. */
function reload(w: World, walker: Walker): void {
  walker.person.chat.close();
  walker.person = w.connect(walker.person.user, { storage: walker.storage });
  for (const id of ids) void walker.person.chat.room(id).open().catch(() => undefined);
}

/** Checks that each text was written with one id, and stored once. */
async function once(w: World, walkers: Walker[]): Promise<void> {
  const idsOf = new Map<string, Set<string>>();
  for (const d of w.network.log.filter(isPost)) {
    const { id = "", text = "" } = posted(d.body);
    idsOf.set(text, (idsOf.get(text) ?? new Set()).add(id));
  }
  for (const [text, known] of idsOf) assert.equal(known.size, 1, `${text} had ${known.size} ids`);
  const stored = [...await w.messages("amsg", "seattle"), ...await w.messages("amsg", "tacoma")];
  const written = walkers.reduce((sum, walker) => sum + walker.written.size, 0);
  assert.equal(stored.length, written, "stored and written messages");
}

test(`a random walk of ${steps} steps converges, seed ${runSeed}`, async t => {
  const r = random(runSeed);
  const w = await World.open(t);
  for (const id of ids) await w.room(id, ...users);
  const walkers = users.map<Walker>(user => {
    const storage = new Shelf();
    return { person: w.connect(user, { storage }), storage, written: new Set() };
  });
  for (const { person } of walkers) for (const id of ids) await person.chat.room(id).open();
  everyNth(faultEvery, w.network, r);
  const faulty = () => w.network.log.filter(d => d.fate !== "pass").length;
  // The faults that every walk meets, in addition to the random ones.
  const planned: Record<number, () => unknown> = {
    [Math.floor(steps / 4)]: () => outage(w, r),
    [Math.floor(steps / 2)]: async () => { await w.server.kill(); await w.server.resume(); },
    [Math.floor(steps * 3 / 4)]: () => walkers.forEach(walker => reload(w, walker)),
  };
  for (let n = 0; n < steps; n++) {
    await step(w, pick(walkers, r), n, r);
    await sleep(r() * 60);
    await planned[n]?.();
  }
  w.network.heal();
  w.network.cut(); // a last frame that was lost shows at the next connection
  t.diagnostic(`${w.network.log.length} requests, ${faulty()} with a fault, ${w.network.frames.length} frames, ${w.network.opened} connections`);
  assert.ok(faulty() >= requestFaultKinds / 2, "too little happened");
  for (const { person } of walkers) {
    await until(`${person.user} is online`, () => person.chat.state.value === "online");
    for (const id of ids) await ready(person.chat.room(id));
  }
  // A page sends what an earlier one has left when it has been open for a while.
  await eventually(() => {
    for (const { person } of walkers) retryFailed(person);
    return once(w, walkers);
  });
  for (const { person } of walkers) for (const id of ids) await w.agrees(person, id);
  for (const { person } of walkers) await eventually(async () => {
    const listed = await w.ask<{ items: RoomEntry[] }>(person.user, "GET", "/people/me/rooms");
    const parts = (e: RoomEntry) => [e.id, e.unread, e.lastActivityAt, e.lastMessage?.id];
    assert.deepEqual(person.chat.rooms.value.map(parts), listed.items.map(parts), `${person.user}'s rooms`);
  });
});

function retryFailed({ chat }: Person): void {
  for (const room of ids.map(id => chat.room(id))) for (const m of room.value.messages) if (m.status === "failed") room.retry(m.id);
}

/** Waits until a room is loaded. */
async function ready(room: Room): Promise<void> {
  await until(`${room.id} is ready`, () => room.value.phase === "ready" || (room.value.phase === "failed" && void room.latest()));
}
