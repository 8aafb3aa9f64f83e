// The person's card and whom they have blocked.
import type { Chat, PersonalEvent } from "@parley/client";
import type { Page } from "../state/page.js";

/** Applies the event of a person who was blocked or unblocked. */
function blockChanged({ blocked }: Page, { user = "", blocked: is }: PersonalEvent): void {
  const next = new Set(blocked.value);
  if (is) next.add(user);
  else next.delete(user);
  blocked.value = next;
}

/** Follows the person's blocks and card, until the returned function is called. */
export function followOwn(page: Page): () => void {
  const { blocked, card, chat, list } = page;
  let followed: Chat | null = null;
  // A connection asks for them once it has shown its list: messages come first.
  const load = () => {
    const c = chat.value;
    if (!c || !list.value.loaded || followed === c) return;
    followed = c;
    c.on("block", e => blockChanged(page, e));
    void c.request("GET", "/people/me/blocks").then(
      ({ items }) => { if (chat.value === c) blocked.value = new Set([...blocked.value, ...items.map(b => b.user)]); },
      () => { followed = null; },
    );
    void c.request("GET", `/people?ids=${encodeURIComponent(c.user)}`).then(
      ({ items }) => { if (chat.value === c) card.value = items[0] ?? null; },
      () => undefined, // the user id is shown then
    );
  };
  load();
  return list.subscribe(load);
}
