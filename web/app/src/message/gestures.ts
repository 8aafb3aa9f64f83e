import type { Message, Room, Thread } from "@parley/client";
import { useEffect } from "preact/hooks";
import { accessOf } from "../access/access.js";
import { type Page, usePage } from "../state/page.js";
import { actionsOf, isThread } from "./actions.js";
import { followTouch, type Gestures } from "./touch.js";

/** Lets fingers act on the messages of a log. */
export function useGestures(room: Room | Thread, log: { readonly current: HTMLElement | null }): void {
  const page = usePage();
  useEffect(() => (log.current && matchMedia("(any-pointer: coarse)").matches ? followTouch(log.current, gestures(page, room)) : undefined), [room]);
}

function gestures(page: Page, room: Room): Gestures {
  const find = (row: HTMLElement): Message | undefined => {
    const first = isThread(room) ? room.value.first : undefined;
    return first?.id === row.dataset.id ? first : room.value.messages.find(m => m.id === row.dataset.id);
  };
  return {
    mayQuote: row => {
      const message = find(row);
      return !!message && !message.status && !message.deletedAt && !accessOf(room.value.info).barred;
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
