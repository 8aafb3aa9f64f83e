// What happens while somebody may look at the page, and nothing else shows that a connection is dead.
import type { Client } from "./client.js";
import { renew } from "./renames.js";

/** A room is compared after this silence, so that a dead connection shows within 50 s. */
const SILENCE = 45_000;
/** The period in which silences are noticed. */
const TICK = 1000;
/** A tick that is this much too late shows that the machine slept. */
const SLEPT = 3000;

/** Compares silent rooms with the server while the page is visible, and wakes with the machine. */
export function lookOut(client: Client): void {
  const { live, rooms, ended } = client;
  renew(client);
  let before = Date.now();
  const tick = () => {
    const now = Date.now();
    const slept = now - before > TICK + SLEPT;
    before = now;
    const { visibilityState } = globalThis.document ?? {};
    if (visibilityState === "hidden") return; // the timers of a hidden page are late, too
    if (slept) return live.wake();
    if (live.state.value !== "online") return;
    rooms.compare().catch(() => {}); // the next period repeats it
    if (!visibilityState) return;
    const silent = [...live.followed.values()].filter(({ id }) => now - (live.heardAt.get(id) ?? 0) >= SILENCE);
    if (silent.length) live.check(silent);
  };
  const ticks = setInterval(tick, TICK);
  ended.addEventListener("abort", () => clearInterval(ticks));
}
