import type { Message, Room, Thread } from "@parley/client";
import { askToBlock } from "../people/blocking.js";
import { chat, go, href, panel, toast, toastError } from "../state/store.js";
import { focusComposer } from "../ui/focus.js";
import { doomed, holder, inThread, picking, quoting } from "./state.js";
import { editing } from "./state.js";

/** Reports whether a room is a thread. */
export const isThread = (room: Room): room is Thread => "root" in room;

/** Returns the actions of the messages of a room or a thread. */
export function actsOf(room: Room) {
  return {
    edit: (m: Message) => { editing.value = `${isThread(room) ? inThread : ""}${m.id}`; },
    thread: (m: Message) => { panel.value = `thread:${m.thread ?? m.id}`; },
    remove: (m: Message) => { doomed.value = m; },
    react: (m: Message) => { picking.value = m; },
    quote: (m: Message) => {
      quoting.value = { message: m, room };
      focusComposer();
    },
    vote: () => {
      const row = document.activeElement?.closest("article");
      (row?.querySelector<HTMLElement>(".poll :checked") ?? row?.querySelector<HTMLElement>(".poll input"))?.focus();
    },
    toQuoted: (m: Message) => { if (m.quote) go(room.id, m.quote.id); },
    pin: (m: Message) => void chat.value?.request("PUT", `/rooms/${encodeURIComponent(room.id)}/messages/${encodeURIComponent(m.id)}/pin`)
      .then(() => toast("Pinned for everyone in the room."), toastError),
    copyLink: (m: Message) => void copy(location.origin + location.pathname + href(room.id, m.id)),
    markUnread: (m: Message) => {
      holder.value?.hold(); // before the answer: the page must not mark it as read again
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
