// The messages that the person has saved. They are loaded when the first menu of a message opens.
import type { Message } from "@parley/client";
import type { Page } from "../state/page.js";

type Key = Pick<Message, "room" | "id">;

/** The API's largest page. Older ones are offered to be saved again, which does no harm. */
const mostKnown = 200;

const keyOf = ({ room, id }: Key) => `${room} ${id}`;

export const isSaved = (saved: ReadonlySet<string> | null, m: Key): boolean => !!saved?.has(keyOf(m));

/** Loads the newest saved messages, once per connection. */
export function loadSaved(page: Page): void {
  const { chat, saved } = page;
  const c = chat.value;
  if (!c || page.savedOf === c) return;
  page.savedOf = c;
  saved.value = null;
  c.request("GET", `/people/me/saved?limit=${mostKnown}`).then(
    ({ items }) => {
      if (chat.value === c) saved.value = new Set([...(saved.value ?? []), ...items.map(s => keyOf(s.message))]);
    },
    () => { page.savedOf = null; },
  );
}

/** Saves a message for the person, or removes it from the saved ones. */
export async function setSaved({ chat, saved, toast }: Page, m: Key, on: boolean): Promise<void> {
  await chat.value?.request(
    on ? "PUT" : "DELETE", `/people/me/saved/${encodeURIComponent(m.room)}/${encodeURIComponent(m.id)}`,
  );
  const next = new Set(saved.value);
  next[on ? "add" : "delete"](keyOf(m));
  saved.value = next;
  toast(on ? "Saved for you." : "No longer saved.");
}
