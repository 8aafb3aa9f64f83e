import type { Message, Room } from "@parley/client";
import { textOf } from "../files/files.js";
import { askToBlock } from "../people/blocking.js";
import type { Page } from "../state/page.js";
import { href } from "../state/route.js";
import { focusComposer } from "../ui/focus.js";
import { deleteSoon } from "./edits.js";
import { isThread } from "./find.js";
import { pin } from "./saved.js";

/** Returns the actions of the messages of a room or a thread. */
export function actionsOf(page: Page, room: Room) {
  const { panel, toast, toastError } = page;
  return {
    edit: (m: Message) => { page.editing.value = { id: m.id, inThread: isThread(room) }; },
    thread: (m: Message) => { panel.value = `thread:${m.thread ?? m.id}`; },
    remove: (m: Message) => {
      if (m.user !== page.me.value) {
        page.toDelete.value = m; // which asks first
        return;
      }
      document.activeElement?.closest("article")?.focus({ preventScroll: true }); // its buttons go
      deleteSoon(page, m);
    },
    react: (m: Message) => { page.reactingTo.value = m; },
    quote: (m: Message) => {
      page.quoting.value = { message: m, room };
      focusComposer();
    },
    vote: () => {
      const row = document.activeElement?.closest("article");
      (row?.querySelector<HTMLElement>(".poll :checked") ?? row?.querySelector<HTMLElement>(".poll input"))?.focus();
    },
    toQuoted: (m: Message) => { if (m.quote) page.route.go(room.id, m.quote.id); },
    pin: (m: Message) => void pin(page, m, true).then(() => toast("Pinned for everyone in the room."), toastError),
    copyText: (m: Message) => void copy(page, textOf(m), "Text copied."),
    copyLink: (m: Message) => void copy(page, linkTo(m), "Link copied."),
    forward: (m: Message) => {
      page.forwarding.value = m;
      page.dialog.value = "forward";
    },
    reactors: (m: Message) => { panel.value = `reactions:${m.id}`; },
    markUnread: (m: Message) => {
      page.reader.value?.hold(); // before the response, so that the reader does not mark it as read again
      room.markUnread(m.id).then(() => toast("Marked as unread."), toastError);
    },
    history: (m: Message) => { panel.value = `history:${m.id}`; },
    report: (m: Message) => { panel.value = `report:${m.id}`; },
    block: (m: Message, name: string) => askToBlock(page, m.user, name),
  };
}

/** Returns the address of a message. */
export const linkTo = ({ room, id }: Pick<Message, "room" | "id">): string =>
  location.origin + location.pathname + href(room, id);

async function copy({ toast }: Page, text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(done);
  } catch {
    toast(text); // without permission, the person can still copy it
  }
}
