// The rooms and people whose ids complete a filter that is being typed.
import { useFoundPeople } from "../people/found-people.js";
import { plainNameOf, roomName } from "../state/names.js";
import { type Page, usePage } from "../state/page.js";
import { type Found, having } from "../ui/having.js";
import { type Filter, filtersOf } from "./query.js";
import { useAllRooms } from "../state/all-rooms.js";

export interface Suggestion { readonly value: string; readonly name: string }

export interface Suggestions {
  /** The filter that is being typed. */
  readonly filter: Filter;
  readonly all: readonly Suggestion[];
}

const most = 6;
/** Who the person is in a query. */
const me = "me";

/** Returns what completes the filter that ends at the cursor; undefined if none does, or if it is complete. */
export function useSuggestions(query: string, cursor: number): Suggestions | undefined {
  const page = usePage();
  const filter = filtersOf(query).find(f => f.to === cursor && /^(in|from|mentions)$/.test(f.name));
  const typed = filter?.value.replace(/^[#@]/, "") ?? "";
  const found = useFoundPeople(filter && filter.name !== "in" ? typed : "");
  const rooms = useAllRooms(filter?.name === "in");
  if (!filter) return undefined;
  const all: Suggestion[] = filter.name === "in"
    ? having(rooms.filter(r => r.kind === "room"), typed, r => roomName(page, r), r => r.id, most).map(r => ({
      value: r.id, name: `#${roomName(page, r)}`,
    }))
    : people(page, typed, found.people);
  return all.length && !all.some(s => s.value === filter.value) ? { filter, all } : undefined;
}

/** Returns the person, and the people whom the page knows or the server has found. */
function people(page: Page, text: string, found: readonly Found[]): Suggestion[] {
  const others = having(
    knownPeople(page, found).map(({ user, name }) => ({ value: user, name })),
    text,
    p => p.name,
    p => p.value,
    most - 1,
  );
  return me.startsWith(text.toLowerCase()) ? [{ value: me, name: "You" }, ...others] : others;
}

/** Returns the people whom the page knows, except the person, after those who were found. */
export function knownPeople(page: Page, found: readonly Found[] = []): Found[] {
  const known = new Map(found.map(({ user, name }) => [user, name]));
  for (const user of page.list.value.rooms.flatMap(r => r.direct ?? [])) known.set(user, plainNameOf(page, {}, user));
  for (const [user, { name }] of Object.entries({
    ...page.current.value?.value.people, ...page.chat.value?.rooms.people,
  })) {
    known.set(user, name);
  }
  known.delete(page.me.value);
  return [...known].map(([user, name]) => ({ user, name }));
}
