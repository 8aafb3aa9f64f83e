// The messages that were not sent: of which rooms, and what becomes of one.
import type { Chat } from "@parley/client";
import type { Page } from "./page.js";

/** So long is waited for the answer to a message, in milliseconds: without an answer, it is sent later. */
const patience = 5_000;

/** Keeps page.failed while a client is the page's, until the returned function is called. */
export async function followFailed(page: Page, chat: Chat): Promise<() => void> {
  const unsent = await chat.unsent();
  const look = () => {
    const rooms = unsent.value.filter(m => m.error || m.files?.some(f => f.error)).map(m => m.room);
    if ([...rooms].sort().join() !== [...page.failed.value].sort().join()) page.failed.value = new Set(rooms);
  };
  look();
  return unsent.subscribe(look);
}

/**
 * Waits until a message is stored, and reports false if it is sent later. It throws why the message
 * was refused, which is then discarded.
 */
export async function isSent(chat: Chat, room: string, id: string): Promise<boolean> {
  const unsent = await chat.unsent();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => end(() => resolve(false)), patience);
    const stop = unsent.subscribe(() => look());
    const end = (answer: () => void) => { clearTimeout(timer); stop(); answer(); };
    const look = () => {
      const m = unsent.value.find(u => u.id === id);
      if (!m) end(() => resolve(true));
      else if (m.error) {
        end(() => reject(new Error(m.error)));
        chat.room(room).discard(id);
      }
    };
    look();
  });
}
