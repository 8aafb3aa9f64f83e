// Deletions of the person's own messages, which can be undone for some seconds. A deletion is stored
// until the server has it, so that neither a closed window nor a lost connection loses it. The time
// decides between undo and request: before it only undo acts, afterwards only the request.
import { type Message, RequestError } from "@parley/client";
import { type Page, toastTime, wordsOf } from "../state/page.js";
import { setPending } from "./edits.js";

/** A deletion that the server may not have. */
interface Deletion {
  readonly room: string;
  readonly id: string;
  /** When the time to undo it ends, in milliseconds since 1970. */
  readonly at: number;
}

/** Where the browser keeps the deletions of all of the person's windows. */
const keyOf = ({ me }: Page) => `parley.deletions ${me.value}`;
/** Another window sends a deletion only this long after its time: the window of the deletion does so before. */
const grace = 60_000;
/** A timer may be so much ahead of the clock, in milliseconds. */
const margin = 50;
/** An answer with such a status does not stay so: the deletion is sent again later. */
const isTemporary = (status: number) => status === 0 || status === 401 || status === 429 || status >= 500;

const followed = new WeakSet<Page>();
/** The ids of the messages that were deleted in this window. */
const own = new Set<string>();

/** Returns the person's deletions that the server may not have. */
export function unsentDeletions(page: Page): Deletion[] {
  try {
    return JSON.parse(localStorage.getItem(keyOf(page)) ?? "[]") as Deletion[];
  } catch {
    return [];
  }
}

/** Changes the stored deletions. */
function store(page: Page, change: (all: Deletion[]) => Deletion[]): void {
  const all = change(unsentDeletions(page));
  if (all.length) localStorage.setItem(keyOf(page), JSON.stringify(all));
  else localStorage.removeItem(keyOf(page));
}

/** Shows a message as deleted, and deletes it after the time to undo that. */
export function deleteSoon(page: Page, { room, id }: Message): void {
  const deletion = { room, id, at: Date.now() + toastTime };
  const undo = () => restore(page, id);
  own.add(id);
  store(page, all => [...all, deletion]);
  setPending(page, id, { kind: "deletion", error: "", undo });
  page.toast("Message deleted.", undo);
  setTimeout(() => void sendDue(page), toastTime + margin);
}

/** Takes a deletion back, if its time has not ended. */
function restore(page: Page, id: string): void {
  const deletion = unsentDeletions(page).find(d => d.id === id);
  if (!deletion || Date.now() >= deletion.at) return page.toast("It is too late: the message was deleted.");
  store(page, all => all.filter(d => d.id !== id));
  document.activeElement?.closest("article")?.focus({ preventScroll: true }); // its Undo goes
  setPending(page, id);
  page.toast("The message is back.");
}

const path = ({ room, id }: Deletion) =>
  `/rooms/${encodeURIComponent(room)}/messages/${encodeURIComponent(id)}` as const;

/** Sends the person's deletions whose time has ended. */
async function sendDue(page: Page): Promise<void> {
  const now = Date.now();
  const due = unsentDeletions(page).filter(d => d.at + (own.has(d.id) ? 0 : grace) <= now);
  for (const d of due) setPending(page, d.id, { kind: "deletion", error: "" });
  await Promise.all(due.map(d => send(page, d)));
}

async function send(page: Page, deletion: Deletion): Promise<void> {
  const { id } = deletion;
  try {
    await page.chat.value?.request("DELETE", path(deletion));
  } catch (error) {
    const status = error instanceof RequestError ? error.status : 0;
    if (isTemporary(status)) return;
    setPending(page, id, status === 404 ? undefined : { kind: "deletion", error: wordsOf(error) });
  }
  store(page, all => all.filter(d => d.id !== id));
}

/** Ends the time of this window's deletions, which nobody can undo any more, and sends them. */
function leave(page: Page): void {
  store(page, all => all.map(d => (own.has(d.id) ? { ...d, at: 0 } : d)));
  void sendDue(page);
}

/**
 * Sends deletions when the page is left or the person signs out, and those that wait whenever the
 * server can be reached again.
 */
export function followDeletions(page: Page): void {
  if (followed.has(page)) return;
  followed.add(page);
  addEventListener("pagehide", () => leave(page));
  page.leaving.subscribe(() => leave(page));
  const look = () => {
    if (page.chat.value && page.me.value && /online|polling/.test(page.connection.value)) void sendDue(page);
  };
  page.connection.subscribe(look);
  page.me.subscribe(look);
  setInterval(look, grace);
  look();
}
