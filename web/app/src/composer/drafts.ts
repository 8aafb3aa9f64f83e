// Unsent texts of this window, a room each. They outlive a reload, and end with the window.

const keyOf = (user: string, room: string) => `parley.draft ${user} ${room}`;

export function draftOf(user: string, room: string): string {
  return sessionStorage.getItem(keyOf(user, room)) ?? "";
}

export function keepDraft(user: string, room: string, text: string): void {
  try {
    if (text) sessionStorage.setItem(keyOf(user, room), text);
    else sessionStorage.removeItem(keyOf(user, room));
  } catch {
    // The storage is full: the text stays in the field.
  }
}
