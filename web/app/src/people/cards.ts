// Names of people who are no longer in the room, or whom no answer has named yet.
import type { People, Room } from "@parley/client";
import { useEffect } from "preact/hooks";
import { request } from "../api/load.js";
import type { PersonPage } from "../api/types.js";
import { cell } from "../state/cell.js";
import { chat, useValue } from "../state/store.js";

/** Where no room is shown, nobody is named. */
const roomless: Pick<Room, "value" | "subscribe"> = { value: { people: {} } as Room["value"], subscribe: () => () => undefined };

/** The most ids that one request may ask for. */
const maxIds = 100;

/** The cards that were asked for, in this window. */
const asked = cell<People>({});

/** Returns the cards of people, of whom it asks for those that nobody has named. */
export function useCards(room: Room | null, users: readonly string[]): People {
  const { people } = useValue(room ?? roomless);
  const found = useValue(asked);
  const known: People = { __proto__: null as never, ...found, ...chat.value?.rooms.people, ...people };
  const missing = [...new Set(users)].filter(user => !known[user]).slice(0, maxIds).sort().join();
  useEffect(() => { if (missing) void ask(missing); }, [missing]);
  return known;
}

/** Asks for the cards of people. Somebody without a profile is called by the user id. */
async function ask(ids: string): Promise<void> {
  const unnamed = Object.fromEntries(ids.split(",").map(user => [user, { name: user }]));
  try {
    const { people } = await request<PersonPage>("GET", `/people?${new URLSearchParams({ ids })}`);
    asked.value = { ...asked.value, ...unnamed, ...Object.fromEntries(people.map(p => [p.user, p])) };
  } catch {
    // The ids stay, which is what people without a profile have.
  }
}
