// Keeps the connection in step with the route: the shown room is open, and no other.
import { parse } from "../state/route.js";
import { chat, current, go, list, panel, route } from "../state/store.js";
import { openRoom } from "../timeline/opening.js";
import { accept } from "./invitation.js";

/** Reports whether the page has space for a room beside the list. */
export const isWide = (): boolean => matchMedia("(min-width: 720px)").matches;

function show(): void {
  const { room: id, message } = route.value;
  const room = chat.value && id ? chat.value.room(id) : null;
  const former = current.value;
  if (former !== room) {
    former?.close();
    if (!isWide() || panel.value?.includes(":")) panel.value = null;
  }
  if (room) openRoom(room, message);
  current.value = room;
}

let landed = false;

/** Opens the newest room where no room is asked for: beside the list, or if it is the only one. */
function land(): void {
  const { rooms, loaded } = list.value;
  if (!loaded) {
    landed = false;
    return;
  }
  if (location.hash.startsWith("#invite=")) return void accept();
  const [newest] = rooms;
  const { room } = parse(location.hash); // the route may not have heard of it yet
  if (!room && newest && (isWide() || (!landed && rooms.length === 1))) go(newest.id, "", true);
  landed = true;
}

export function followRoute(): void {
  chat.subscribe(show);
  route.subscribe(show);
  route.subscribe(land);
  list.subscribe(land);
  addEventListener("hashchange", land);
}
