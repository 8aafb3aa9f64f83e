// Moves the focus to the field for a new message.

/** Moves the focus to the composer: that of the thread in which it is, or else the room's. */
export function focusComposer(): void {
  const thread = document.activeElement?.closest(".panel:has(.composer)");
  (thread ?? document).querySelector<HTMLElement>(".composer textarea")?.focus();
}

/** Does the same, but not for a finger: the focus would open a keyboard that covers the room. */
export function backToComposer(): void {
  if (matchMedia("(pointer: fine)").matches) focusComposer();
}
