// The messages that the person has saved, which are loaded when the first menu of a message opens, and pins.
import type { Message } from "@parley/client";
import type { Page } from "../state/page.js";

type Key = Pick<Message, "room" | "id">;

/** The API's largest page. Older ones are offered to be saved again, which does no harm. */
const mostKnown = 200;

const keyOf = ({ room, id }: Key) => `${room} ${id}`;

export function isSaved({ acts, saved }: Page, m: Key): boolean {
  const act = acts.value.find(a => a.kind === "save" && a.of === m.id);
  return act?.kind === "save" ? act.on : !!saved.value?.has(keyOf(m));
}

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

/** Saves a message for the person, or removes it from the saved ones. It resolves when the server has that. */
export async function setSaved(page: Page, m: Key, on: boolean): Promise<void> {
  const { chat, saved, toast } = page;
  const { save } = await import("@parley/client/more");
  const sent = chat.value && save(chat.value, m, on);
  toast(on ? "Saved for you." : "No longer saved.");
  await sent;
  const next = new Set(saved.value);
  next[on ? "add" : "delete"](keyOf(m));
  saved.value = next;
}

/** Pins a message for everyone in the room, or takes its pin away. It resolves when the server has that. */
export async function pin({ chat, connection, toast }: Page, m: Key, on: boolean): Promise<void> {
  const more = await import("@parley/client/more");
  if (connection.value === "offline") toast(`${on ? "Pinned" : "Unpinned"} when the server can be reached.`);
  if (chat.value) await more.pin(chat.value, m, on);
}
