// Unsent texts, by person and by room or thread. They are kept in the browser until they are sent or
// the person signs out, and all tabs see them.
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

/** The end of the keys of the people who were chosen in a draft. */
const mentions = " mentions";

const keysOf = (user: string): string[] => Object.keys(localStorage).filter(key => key.startsWith(prefixOf(user)));

/** Returns how many texts a person has begun and not sent. */
export const draftCount = (user: string): number => keysOf(user).filter(key => !key.endsWith(mentions)).length;

/** Removes a person's drafts from this browser. */
export function forgetDrafts(user: string): void {
  for (const key of keysOf(user)) localStorage.removeItem(key);
  draftChanges.value++;
}
