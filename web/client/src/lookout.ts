// Checks of the connection while somebody may look at the page, in case nothing else shows that it is dead.
import type { Client } from "./client.js";
import { encode } from "./ids.js";
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

/** Names that were read this long ago may have changed. */
const OLD = 300_000;
/** The most people of a request. */
const MOST = 50;

/** Reads the names of the newest senders again when somebody looks at them, or the client is online again. */
function renew({ live, people, request, state, ended }: Client): void {
  let readAt = Date.now();
  const look = () => {
    const users = new Set([...live.followed.values()].flatMap(r => r.value.messages.slice(-MOST).map(m => m.user)));
    if (
      Date.now() - readAt < OLD
      || state.value !== "online"
      || !users.size
      || globalThis.document?.visibilityState === "hidden"
    ) return;
    readAt = Date.now();
    request("GET", `/people?ids=${[...users].slice(0, MOST).map(encode).join()}`).then(
      ({ items }) => people.add(Object.fromEntries(items.map(card => [card.user, card]))),
      () => (readAt = 0),
    );
  };
  state.subscribe(look);
  const events = ["visibilitychange", "focus", "pageshow", "online"];
  for (const event of events) globalThis.addEventListener?.(event, look);
  ended.addEventListener("abort", () => events.forEach(event => globalThis.removeEventListener?.(event, look)));
}
