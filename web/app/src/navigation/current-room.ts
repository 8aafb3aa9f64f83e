// Keeps the connection in step with the route: only the room of the route is open.
import type { Page } from "../state/page.js";
import { parse } from "../state/route.js";
import { openRoom } from "../timeline/opening.js";
import { covering } from "../ui/covering.js";

/** Reports whether the page has space for both the list and a room. */
export const isWide = (): boolean => matchMedia("(min-width: 720px)").matches;

function show(page: Page): void {
  const { chat, current, panel } = page;
  const { room: id, message } = page.route.value;
  const room = chat.value && id ? chat.value.room(id) : null;
  const former = current.value;
  if (former !== room) {
    former?.close();
    if (covering.matches || panel.value?.includes(":")) panel.value = null;
  }
  if (room) openRoom(page, room, message, former === room);
  current.value = room;
}

/**
 * Returns a function that opens the newest room if the route names none. On a phone, where a room covers
 * the list, it only opens a person's single room, and only once after sign-in.
 */
function landing(page: Page): () => void {
  let landed = false;
  return () => {
    const { rooms, loaded } = page.list.value;
    if (!loaded) {
      landed = false;
      return;
    }
    if (/^#(invite|search)=/.test(location.hash)) {
      return void import("./linked.js").then(m => m.follow(page), page.toastError);
    }
    const [newest] = rooms;
    const { room } = parse(location.hash); // the route may not have followed the address yet
    if (!room && newest && (isWide() || (!landed && rooms.length === 1))) page.route.go(newest.id, "", true);
    landed = true;
  };
}

export function followRoute(page: Page): void {
  const { chat, list, route } = page;
  const land = landing(page);
  chat.subscribe(() => show(page));
  route.subscribe(() => show(page));
  route.subscribe(land);
  list.subscribe(land);
  addEventListener("hashchange", land);
}
