import type { Message, Room } from "@parley/client";
import { editing } from "./composing.js";
import { blocked, chat, href, panel, toast, toastError } from "./store.js";
import type { Acts } from "./tools.js";

/** Returns the actions of a room's messages. They stay the same while the room is shown. */
export function actsOf(room: Room, page: { confirm(m: Message): void; hold(): void }): Acts {
  return {
    edit: m => { editing.value = m.id; },
    remove: page.confirm,
    copyLink: m => void copy(new URL(href(room.id, m.id), location.href).href),
    markUnread: m => {
      page.hold(); // before the answer: the page must not mark it as read again
      room.markUnread(m.id).then(() => toast("Marked as unread."), toastError);
    },
    history: m => { panel.value = `history:${m.id}`; },
    report: m => { panel.value = `report:${m.id}`; },
    block: m => void block(m.user),
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

async function block(user: string): Promise<void> {
  try {
    await chat.value?.request("PUT", `/people/me/blocks/${encodeURIComponent(user)}`);
    blocked.value = new Set([...blocked.value, user]);
  } catch (error) {
    toastError(error);
  }
}
