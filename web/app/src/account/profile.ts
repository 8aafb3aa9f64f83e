// What a person has beside rooms: their card and whom they have blocked.
import type { Card, Chat } from "@parley/client";
import { blocked, card, chat, list } from "../state/store.js";

/** Follows the event of a person who was blocked, or no longer is. */
function blockChanged(e: unknown): void {
  const { user, blocked: is } = e as { user: string; blocked: boolean };
  const next = new Set(blocked.value);
  if (is) next.add(user);
  else next.delete(user);
  blocked.value = next;
}

let followed: Chat | null = null;

/** Asks for the blocks and the card once a connection has shown its list: messages come first. */
function load(): void {
  const c = chat.value;
  if (!c || !list.value.loaded || followed === c) return;
  followed = c;
  c.on("block", blockChanged);
  void c.request<{ blocks: string[] }>("GET", "/people/me/blocks").then(
    page => { if (chat.value === c) blocked.value = new Set([...blocked.value, ...page.blocks]); },
    () => { followed = null; },
  );
  void c.request<{ people: Card[] }>("GET", `/people?ids=${encodeURIComponent(c.user)}`).then(
    page => { if (chat.value === c) card.value = page.people[0] ?? null; },
    () => undefined, // the user id is shown then
  );
}

/** Follows the person, until the returned function is called. */
export function followOwn(): () => void {
  load();
  return list.subscribe(load);
}
