// Checks of the connection while somebody may look at the page, in case nothing else shows that it is dead.
import type { Client } from "./client.js";
import { renew } from "./renames.js";
import { WHOLE } from "./rooms.js";

/** A room is compared after this silence, so that a dead connection shows within 50 s. */
const SILENCE = 45_000;
/** The period in which silences are noticed. */
const TICK = 1000;
/** A tick that is this much too late shows that the machine slept. */
const SLEPT = 3000;

/**
 * The heads of a list that is not whole are compared in this period, so that news arrive within a minute. They cost
 * half a unit a room.
 */
const HEADS_EVERY = 55_000;
/** The period with more than MANY rooms, whose news arrive within 5 minutes. */
const HEADS_OF_MANY_EVERY = 290_000;
const MANY = 1000;
/** Somebody who looks again waits for this part of the period at most: people switch often between windows. */
const LOOKED = 1 / 6;

/**
 * Compares silent rooms with the server while the page is visible, and wakes with the machine. A program, which has
 * no page, only reads the rooms whose changes the connection does not receive.
 */
export function lookOut(client: Client): void {
  const { live, rooms, ended } = client;
  renew(client);
  let before = Date.now();
  let looked = false; // whether nobody looked since the last comparison
  const tick = () => {
    const now = Date.now();
    const slept = now - before > TICK + SLEPT;
    before = now;
    const { visibilityState } = globalThis.document ?? {};
    const hidden = visibilityState === "hidden"; // its timers are late, too
    looked ||= hidden || slept;
    if (hidden) return;
    if (slept) return live.wake();
    if (!client.reachable) return;
    const period = (rooms.all.size > MANY ? HEADS_OF_MANY_EVERY : HEADS_EVERY) * (looked ? LOOKED : 1);
    if (rooms.all.size > WHOLE && Math.abs(now - rooms.comparedAt) >= period) {
      looked = false;
      rooms.compare().catch(() => {}); // the next period repeats it
    }
    if (live.state.value !== "online") return;
    const silent = [...live.followed.values()].filter(({ id }) => now - (live.heardAt.get(id) ?? 0) >= SILENCE);
    for (const room of silent) {
      if (live.receives(room.id)) continue;
      live.heardAt.set(room.id, now);
      room.refresh().catch(() => {}); // it is repeated after the next silence
    }
    const received = silent.filter(({ id }) => live.receives(id));
    if (visibilityState && received.length) live.check(received);
  };
  const ticks = setInterval(tick, TICK);
  ended.addEventListener("abort", () => clearInterval(ticks));
}
