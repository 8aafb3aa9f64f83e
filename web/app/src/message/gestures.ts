import type { Message, Room } from "@parley/client";
import { accessOf } from "../access/access.js";
import type { Page } from "../state/page.js";
import { actionsOf } from "./actions.js";
import { isThread } from "./find.js";
import { followTouch, type Gestures } from "./touch.js";

/** Lets fingers act on the messages of a log, until the returned function is called. */
export const follow = (page: Page, room: Room, log: HTMLElement): (() => void) =>
  followTouch(log, gestures(page, room));

function gestures(page: Page, room: Room): Gestures {
  const find = (row: HTMLElement): Message | undefined => {
    const first = isThread(room) ? room.value.first : undefined;
    return first?.id === row.dataset.id ? first : room.value.messages.find(m => m.id === row.dataset.id);
  };
  return {
    mayQuote: row => {
      const message = find(row);
      return !!message && !message.system && !message.status && !message.deletedAt && !accessOf(room.value.info).barred;
    },
    quote: row => {
      const message = find(row);
      if (message) actionsOf(page, room).quote(message);
    },
    press: (row, target) => {
      const message = find(row);
      if (message && target.closest(".chip")) actionsOf(page, room).reactors(message);
      else row.querySelector<HTMLElement>(".tools [aria-label=More]")?.click();
    },
  };
}
