import type { Message, Room } from "@parley/client";
import { askToBlock } from "./blocking.js";
import { editing } from "./composing.js";
import { href, panel, toast, toastError } from "./store.js";

/** What the actions of messages need of the timeline. */
export interface Page {
  /** Asks whether to delete a message. */
  confirm(m: Message): void;
  /** Leaves visible messages unread. */
  hold(): void;
}

/** Returns the actions of a room's messages. */
export function actsOf(room: Room, page: Page) {
  return {
    edit: (m: Message) => { editing.value = m.id; },
    remove: (m: Message) => page.confirm(m),
    copyLink: (m: Message) => void copy(location.origin + location.pathname + href(room.id, m.id)),
    markUnread: (m: Message) => {
      page.hold(); // before the answer: the page must not mark it as read again
      room.markUnread(m.id).then(() => toast("Marked as unread."), toastError);
    },
    history: (m: Message) => { panel.value = `history:${m.id}`; },
    report: (m: Message) => { panel.value = `report:${m.id}`; },
    block: (m: Message, name: string) => askToBlock(m.user, name),
  };
}

async function copy(link: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(link);
    toast("Link copied.");
  } catch {
    toast(link); // without permission, the person can still copy it
  }
}
