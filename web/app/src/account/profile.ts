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

/**
 * A card that was read this long ago, in milliseconds, may have changed: another device may have
 * set another name or status.
 */
const old = 300_000;

/** Follows the person's blocks and card, until the returned function is called. */
export function followOwn(page: Page): () => void {
  const { blocked, card, chat, connection, list } = page;
  let followed: Chat | null = null;
  let knownAt = 0; // when the card was read or changed
  const loadCard = (c: Chat) => {
    const before = card.value;
    knownAt = Date.now();
    void c.request("GET", `/people?ids=${encodeURIComponent(c.user)}`).then(
      ({ items }) => { if (chat.value === c && card.value === before) card.value = items[0] ?? null; },
      () => { knownAt = 0; }, // the user id, or the former card, is shown then
    );
  };
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
    loadCard(c);
  };
  const look = () => {
    const c = chat.value;
    if (
      c && c === followed && connection.value === "online" && document.visibilityState === "visible"
      && Date.now() - knownAt >= old
    ) loadCard(c);
  };
  const listening = new AbortController();
  addEventListener("focus", look, listening);
  document.addEventListener("visibilitychange", look, listening);
  load();
  const ends = [
    list.subscribe(load),
    connection.subscribe(look),
    card.subscribe(() => { knownAt = Date.now(); }),
    () => listening.abort(),
  ];
  return () => ends.forEach(end => end());
}
