// A server that is killed and started again while people send.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isPost } from "./harness/faults.js";
import type { Seen } from "./harness/proxy.js";
import { random, runSeed } from "./harness/random.js";
import { until } from "./harness/until.js";
import { World, opened, sent } from "./harness/world.js";

const perRound = 12;

test(`kill -9 under load loses nothing and repeats nothing, seed ${runSeed}`, async t => {
  const r = random(runSeed);
  const w = await World.open(t);
  await w.room("seattle", "amsg", "bob");
  const people = await w.online("amsg", "bob");
  const rooms = await Promise.all(people.map(p => opened(p, "seattle")));
  const ids = rooms.map(() => [] as string[]);
  // The server dies before a post has reached it, or with the answer on its way.
  for (const moment of ["request", "answer", "request", "answer"] as const) {
    let left = Math.ceil(r() * perRound);
    let killed = false;
    const fateOf = async <T>(d: Seen, lost: T) => {
      if (!isPost(d) || --left !== 0) return "pass" as const;
      await w.server.kill();
      killed = true;
      return lost;
    };
    if (moment === "request") w.network.request = d => fateOf(d, "pass" as const);
    else w.network.answer = d => fateOf(d, "lose-answer" as const);
    for (let n = 0; n < perRound; n++) rooms.forEach((room, who) => ids[who]?.push(room.send(`${who}: ${n}`)));
    await until("the server is killed", () => killed);
    await w.server.resume();
    w.network.heal();
  }
  for (const room of rooms) await sent(room);
  const stored = await w.messages("amsg", "seattle");
  for (const [who, p] of people.entries()) {
    assert.deepEqual(stored.filter(m => m.user === p.user).map(m => m.id), ids[who], `${p.user}'s messages, in the order of sending`);
    await w.agrees(p, "seattle");
  }
  assert.ok(w.network.posts().some(d => d.fate === "pass" && d.status === 0), "no post met a dead server");
});
