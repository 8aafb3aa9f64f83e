// Unsent texts and files, by person and by room or thread. Texts are kept in the browser until they are
// sent or the session ends, and all tabs see them. Files are kept until the page is left.
import type { OutgoingFile } from "@parley/client";
import { cell } from "./cell.js";

const prefixOf = (user: string) => `parley.draft ${user} `;

/** Counts the changes of drafts, in this tab and in others. */
export const draftChanges = cell(0);

addEventListener("storage", e => {
  if (!e.key || e.key.startsWith("parley.draft ")) draftChanges.value++;
});

/** Returns the draft of a place: a room, or a room and the first message of a thread. */
export function draftOf(user: string, place: string): string {
  return localStorage.getItem(prefixOf(user) + place) ?? "";
}

export function keepDraft(user: string, place: string, text: string): void {
  if (text === draftOf(user, place)) return;
  try {
    if (text) localStorage.setItem(prefixOf(user) + place, text);
    else localStorage.removeItem(prefixOf(user) + place);
  } catch {
    // The storage is full: the text stays in the field.
  }
  draftChanges.value++;
}

const none: readonly OutgoingFile[] = [];
const files = new Map<string, readonly OutgoingFile[]>();

/** Returns the files that are chosen for a place. */
export const filesOf = (user: string, place: string): readonly OutgoingFile[] =>
  files.get(prefixOf(user) + place) ?? none;

export function keepFiles(user: string, place: string, chosen = none): void {
  if (chosen.length) files.set(prefixOf(user) + place, chosen);
  else files.delete(prefixOf(user) + place);
  draftChanges.value++;
}

/** The end of the keys of the people who were chosen in a draft. */
const mentions = " mentions";

const keysOf = (user: string): string[] =>
  [...new Set([...Object.keys(localStorage), ...files.keys()])].filter(key => key.startsWith(prefixOf(user)));

/** Returns how many messages a person has begun and not sent. */
export const draftCount = (user: string): number => keysOf(user).filter(key => !key.endsWith(mentions)).length;

/** Reports whether a person has begun a message in a place. */
export const hasDraft = (user: string, place: string): boolean =>
  draftOf(user, place) !== "" || filesOf(user, place).length > 0;

/** Drops the files that a person has chosen. Their texts are gone from the storage. */
export function forgetFiles(user: string): void {
  for (const key of files.keys()) if (key.startsWith(prefixOf(user))) files.delete(key);
  draftChanges.value++;
}
