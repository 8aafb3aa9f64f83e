// What the person did that the server may not have: of which rooms, and what becomes of a message.
import type { Act, Chat } from "@parley/client";
import { roomName } from "./names.js";
import type { Page } from "./page.js";

/** So long is waited for the answer to a message, in milliseconds: without an answer, it is sent later. */
const patience = 5_000;

const hasFailed = (a: Act) => !!a.error || (a.kind === "message" && !!a.files?.some(f => f.error));

/** Reports whether a message is being deleted. */
export const isDeleting = (acts: readonly Act[], id: string): boolean =>
  acts.some(a => a.kind === "deletion" && !a.error && a.of === id);

/** Reports whether the pin of a message, or that the person saved it, is being taken back. */
export const isEnding = (acts: readonly Act[], kind: "pin" | "save", id: string): boolean =>
  acts.some(a => a.kind === kind && !a.on && a.of === id);

/** Keeps page.acts and page.failed while a client is the page's, until the returned function is called. */
export async function followActs(page: Page, chat: Chat): Promise<() => void> {
  const acts = await chat.unsent();
  const look = (isFirst = false) => {
    page.acts.value = acts.value;
    const counts = new Map<string, number>();
    for (const { room } of acts.value.filter(hasFailed)) counts.set(room, (counts.get(room) ?? 0) + 1);
    for (const [room, count] of counts) {
      if (isFirst || room === page.current.value?.id || count <= (page.failed.value.get(room) ?? 0)) continue;
      const entry = page.list.value.rooms.find(r => r.id === room);
      page.toast(`Not sent in ${entry ? roomName(page, entry) : "another room"}.`);
    }
    if (`${[...counts].sort()}` !== `${[...page.failed.value].sort()}`) page.failed.value = counts;
  };
  look(true);
  const ends = [
    acts.subscribe(() => look()),
    // of this window, who did it says so, too
    chat.on("refused", ({ act, error }) => { if (act.kind !== "read") page.toastError(error); }),
  ];
  return () => ends.forEach(end => end());
}

/**
 * Waits until a message is stored, and reports false if it is sent later. It throws why the message
 * was refused, which is then discarded.
 */
export async function isSent(chat: Chat, room: string, id: string): Promise<boolean> {
  const acts = await chat.unsent();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => end(() => resolve(false)), patience);
    const stop = acts.subscribe(() => look());
    const end = (answer: () => void) => { clearTimeout(timer); stop(); answer(); };
    const look = () => {
      const m = acts.value.find(a => a.id === id);
      if (!m) end(() => resolve(true));
      else if (m.error) {
        end(() => reject(new Error(m.error)));
        chat.room(room).discard(id);
      }
    };
    look();
  });
}
