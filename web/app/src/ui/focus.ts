// Moves the focus to the field for a new message.

/** Moves the focus to the composer: the one of the thread that has the focus, or else the room's. */
export function focusComposer(): void {
  const thread = document.activeElement?.closest(".panel:has(.composer)");
  (thread ?? document).querySelector<HTMLElement>(".composer textarea")?.focus();
}

/** Moves the focus to the composer, but not on a touch screen: it would open a keyboard that covers the room. */
export function backToComposer(): void {
  if (matchMedia("(pointer: fine)").matches) focusComposer();
}

/** Moves the focus to the room's composer, also from a thread, but not on a touch screen. */
export function backToRoom(): void {
  if (matchMedia("(pointer: fine)").matches) document.querySelector<HTMLElement>(".room-pane .composer textarea")?.focus();
}
