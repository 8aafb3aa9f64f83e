// Which messages the person has saved. They are asked for when somebody opens the menu of one.
import type { Message } from "@parley/client";
import { cell } from "../state/cell.js";
import { type chat as Chats, chat, toast, toastError } from "../state/store.js";

type Connection = typeof Chats.value;
type Named = Pick<Message, "room" | "id">;

/** The API's largest page. Older ones are offered to be saved again, which does no harm. */
const mostKnown = 200;

const keyOf = ({ room, id }: Named) => `${room} ${id}`;

/** The saved messages as far as they are known; null before. */
const saved = cell<ReadonlySet<string> | null>(null);
let asked: Connection = null;

export { saved as savedMessages };
export const isSaved = (m: Named): boolean => !!saved.value?.has(keyOf(m));

/** Asks once for the newest saved messages. */
export function learnSaved(): void {
  const c = chat.value;
  if (!c || asked === c) return;
  asked = c;
  saved.value = null;
  c.request<{ items: { message: Message }[] }>("GET", `/people/me/saved?limit=${mostKnown}`).then(
    page => { if (chat.value === c) saved.value = new Set([...(saved.value ?? []), ...page.items.map(s => keyOf(s.message))]); },
    () => { asked = null; },
  );
}

/** Saves a message for the person alone, or no longer. */
export async function setSaved(m: Named, on: boolean): Promise<void> {
  await chat.value?.request(on ? "PUT" : "DELETE", `/people/me/saved/${encodeURIComponent(m.room)}/${encodeURIComponent(m.id)}`);
  const next = new Set(saved.value);
  next[on ? "add" : "delete"](keyOf(m));
  saved.value = next;
  toast(on ? "Saved for you." : "No longer saved.");
}

/** Does the same for a menu, which tells a refusal. */
export const keep = (m: Named, on: boolean): void => void setSaved(m, on).catch(toastError);
