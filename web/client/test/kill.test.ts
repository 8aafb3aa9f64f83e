// A server that is killed and started again while people send.
import assert from "node:assert/strict";
import { test } from "node:test";
import { random, runSeed } from "./harness/random.js";
import { sleep } from "./harness/until.js";
import { World, opened, sent } from "./harness/world.js";

/** From the middle of a start to some messages later. */
const maxUptime = 500;
/** A slow machine must not pile up more than it can send. */
const perPerson = 60;

test(`kill -9 under load loses nothing and repeats nothing, seed ${runSeed}`, async t => {
  const r = random(runSeed);
  const w = await World.open(t);
  await w.room("seattle", "amsg", "bob");
  const people = await w.online("amsg", "bob");
  const rooms = await Promise.all(people.map(p => opened(p, "seattle")));
  const ids = rooms.map(() => [] as string[]);
  let ended = false;
  const sending = Promise.all(rooms.map(async (room, who) => {
    for (let n = 0; n < perPerson && !ended; n++) {
      ids[who]?.push(room.send(`${who}: ${n}`));
      await sleep(40);
    }
  }));
  for (let round = 0; round < 3; round++) {
    await sleep(r() * maxUptime);
    await w.server.kill();
    await sleep(r() * 200);
    await w.server.resume();
  }
  ended = true;
  await sending;
  for (const room of rooms) await sent(room);
  const stored = await w.messages("amsg", "seattle");
  for (const [who, p] of people.entries()) {
    assert.deepEqual(stored.filter(m => m.user === p.user).map(m => m.id), ids[who], `${p.user}'s messages, in the order of sending`);
    await w.agrees(p, "seattle");
  }
  assert.ok(w.network.log.some(d => d.status === 0), "no request met a dead server");
});
