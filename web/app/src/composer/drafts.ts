// Unsent texts of a person in this browser, one for each room.

const keyOf = (user: string, room: string) => `parley.draft ${user} ${room}`;

export function draftOf(user: string, room: string): string {
  return localStorage.getItem(keyOf(user, room)) ?? "";
}

export function keepDraft(user: string, room: string, text: string): void {
  try {
    if (text) localStorage.setItem(keyOf(user, room), text);
    else localStorage.removeItem(keyOf(user, room));
  } catch {
    // The storage is full: the text stays in the field.
  }
}

const mentions = " mentions"; // the end of the keys of those who are mentioned in a draft

const keysOf = (user: string) => Object.keys(localStorage).filter(key => key.startsWith(keyOf(user, "")));

/** Returns how many texts a person has begun and not sent. */
export const draftCount = (user: string): number => keysOf(user).filter(key => !key.endsWith(mentions)).length;

/** Removes a person's drafts from this browser. */
export function forgetDrafts(user: string): void {
  for (const key of keysOf(user)) localStorage.removeItem(key);
}
