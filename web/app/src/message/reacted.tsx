// The names of the people who reacted with one emoji, next to its button.
import type { Chat, Message } from "@parley/client";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ReactorPage } from "../api/types.js";
import { nameOf } from "../state/names.js";
import { type Page, usePage } from "../state/page.js";
import { place } from "../ui/place.js";

/** The most names to show. The panel has all. */
const mostNames = 8;

/** The names that were loaded, by connection, message, emoji and count. */
const known = new WeakMap<Chat, Map<string, Promise<string>>>();

/** Returns who reacted to a message with an emoji, in words. */
function load(page: Page, { room, id }: Message, emoji: string, count: number, mine: boolean): Promise<string> {
  const chat = page.chat.value;
  if (!chat) return Promise.resolve("");
  const cache = known.get(chat) ?? new Map<string, Promise<string>>();
  known.set(chat, cache);
  const key = [room, id, emoji, count, mine].join(" ");
  const reactions = `/rooms/${encodeURIComponent(room)}/messages/${encodeURIComponent(id)}/reactions` as const;
  const query = `emoji=${encodeURIComponent(emoji)}&limit=${mostNames}&include=people` as const;
  const called = (found: ReactorPage, user: string) =>
    (user === page.me.value ? "You" : nameOf(page, found.people ?? {}, user));
  const words = cache.get(key) ?? chat.request("GET", `${reactions}?${query}`)
    .then(found => wordsOf(found.items.map(({ user }) => called(found, user)), count))
    .catch(() => { cache.delete(key); return ""; });
  cache.set(key, words);
  return words;
}

/** Returns names as a list: "You, Bob and 3 others". */
function wordsOf(names: readonly string[], count: number): string {
  const others = Math.max(0, count - names.length);
  const all = others ? [...names, others === 1 ? "1 other" : `${others} others`] : names;
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}

export default function Reacted({ id, message, emoji, count, mine, anchor }: {
  id: string; message: Message; emoji: string; count: number; mine: boolean; anchor: HTMLElement;
}) {
  const page = usePage();
  const tip = useRef<HTMLSpanElement>(null);
  const [words, setWords] = useState("");
  useEffect(() => {
    let wanted = true;
    void load(page, message, emoji, count, mine).then(found => { if (wanted) setWords(found); });
    return () => { wanted = false; };
  }, [message.id, emoji, count, mine]);
  useLayoutEffect(() => {
    if (!words || !tip.current || !anchor.isConnected) return;
    tip.current.showPopover();
    place(tip.current, anchor);
  }, [words]);
  return words ? (
    <span ref={tip} id={id} role="tooltip" popover="manual" class="tip small" dir="auto">
      {words} reacted with {emoji}
    </span>
  ) : null;
}
