// Goes to a room by keyboard or by a dialog.
import type { Page } from "../state/page.js";
import { backToRoom } from "../ui/focus.js";

/** Shows a room, and moves the focus to its composer once it is there, also from a panel or a dialog. */
export function enter({ route }: Page, room: string): void {
  if (route.value.room !== room || route.value.message) route.go(room);
  setTimeout(backToRoom);
}
