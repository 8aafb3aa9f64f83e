// The names of people who are not in the room any more, or whom no answer has named yet.
import type { People, Room } from "@parley/client";
import { useEffect } from "preact/hooks";
import { useValue } from "../state/cell.js";
import { type Page, usePage } from "../state/page.js";

/** A room without people, for panels that are shown without a room. */
const roomless: Pick<Room, "value" | "subscribe"> = {
  value: { people: {} } as Room["value"], subscribe: () => () => undefined,
};

/** The most ids that one request may ask for. */
const maxIds = 100;

/** Returns the cards of people, and requests the unknown ones. */
export function useCards(room: Room | null, users: readonly string[]): People {
  const page = usePage();
  const { people } = useValue(room ?? roomless);
  const found = useValue(page.cards);
  const known: People = { __proto__: null as never, ...found, ...page.chat.value?.rooms.people, ...people };
  const missing = [...new Set(users)].filter(user => !known[user]).slice(0, maxIds).sort().join();
  useEffect(() => { if (missing) void load(page, missing); }, [missing]);
  return known;
}

/** Loads the cards of people. Somebody without a profile is called by the user id. */
async function load(page: Page, ids: string): Promise<void> {
  const unnamed = Object.fromEntries(ids.split(",").map(user => [user, { name: user, skeleton: user.toLowerCase() }]));
  try {
    const found = await page.chat.value?.request("GET", `/people?${new URLSearchParams({ ids })}`);
    if (found) {
      page.cards.value = { ...page.cards.value, ...unnamed, ...Object.fromEntries(found.items.map(p => [p.user, p])) };
    }
  } catch {
    // Their user ids are shown then.
  }
}
