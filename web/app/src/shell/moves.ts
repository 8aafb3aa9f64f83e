// Moves by keys: between the rooms as the list shows them, to the next unread room or thread, and to the
// oldest unread mention. The code is loaded after the first paint.
import { openThread } from "../inbox/card.js";
import { enter } from "../rooms/enter.js";
import type { Page } from "../state/page.js";
import { parse } from "../state/route.js";

/** A place that the keys lead to. */
interface Stop { readonly here: boolean; readonly unread: boolean; go(): void }

/** Goes to the next place below or above, or to the next one with something to read. After the last comes the first. */
export function move(page: Page, step: number, unread: boolean): void {
  const stops = unread ? [...rooms(page), ...elsewhere(page), ...threads(page)] : rooms(page);
  const at = stops.findLastIndex(stop => stop.here);
  const start = at < 0 && step < 0 ? stops.length : at;
  const others = stops.map((_, i) => stops[(start + step * (i + 1) + 2 * stops.length) % stops.length]!);
  const next = others.find(stop => !stop.here && (!unread || stop.unread));
  if (next) next.go();
  else if (unread) page.toast("There are no unread messages.");
}

const rooms = (page: Page): Stop[] => [...document.querySelectorAll<HTMLAnchorElement>(".rooms a.room")].map(link => ({
  here: !!link.ariaCurrent, unread: link.classList.contains("unread"),
  go: () => {
    enter(page, parse(link.hash).room);
    link.scrollIntoView({ block: "nearest" });
  },
}));

const elsewhere = ({ elsewhere, route }: Page): Stop[] =>
  elsewhere.value.map(
    ({ id, first }) => ({ here: route.value.room === id, unread: true, go: () => route.go(id, first.id) }),
  );

const threads = (page: Page): Stop[] => page.unreadThreads.value.map(({ message: { room, id } }) => ({
  here: `${page.panel.value} `.startsWith(`thread:${id} `), unread: true, go: () => openThread(page, room, id),
}));

/** A page of mentions. */
const pageSize = 100;

/** Goes to the oldest unread message that mentions the person, or else to a room with an unread mention of everyone. */
export async function toOldestMention(page: Page): Promise<void> {
  const { rooms } = page.list.value;
  let oldest;
  let after = "";
  do {
    const found = await page.chat.value?.request("GET", `/people/me/mentions?limit=${pageSize}${after}`);
    // The list of rooms has newer markers.
    const unread = (found?.items ?? []).filter(m => m.unread && m.seq > (rooms.find(r => r.id === m.room)?.read ?? 0));
    oldest = unread.at(-1)?.message ?? oldest;
    // a page without any is the last
    after = unread.length && found?.next ? `&cursor=${encodeURIComponent(found.next)}` : "";
  } while (after);
  const everyone = rooms.findLast(r => r.mentions);
  if (oldest?.thread && !oldest.showInRoom) openThread(page, oldest.room, oldest.thread, oldest.id);
  else if (oldest) page.route.go(oldest.room, oldest.id);
  else if (everyone) enter(page, everyone.id);
  else page.toast("There are no unread mentions.");
}
