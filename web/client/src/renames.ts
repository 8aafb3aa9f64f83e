// New names of the people who are shown: no frame reports them.
import type { Client } from "./client.js";
import { encode } from "./ids.js";

/** Names that were read this long ago may have changed. */
const OLD = 300_000;
/** The most people of a request. */
const MOST = 50;

/** Reads the names of the newest senders again when somebody looks at them, or the client is online again. */
export function renew({ live, people, request, state, ended }: Client): void {
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
