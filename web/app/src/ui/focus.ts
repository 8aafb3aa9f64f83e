// Moves the focus to the field for a new message.

/** Reports whether a focused field opens no keyboard on the screen, which would cover the page. */
export const hasKeys = (): boolean => matchMedia("(pointer: fine)").matches;

/** Moves the focus to the composer: the one of the thread that has the focus, or else the room's. */
export function focusComposer(): void {
  const thread = document.activeElement?.closest(".panel:has(.composer)");
  (thread ?? document).querySelector<HTMLElement>(".composer textarea")?.focus();
}

/** Moves the focus to the composer, but not on a touch screen. */
export function backToComposer(): void {
  if (hasKeys()) focusComposer();
}

/** Moves the focus to the room's composer, also from a thread, but not on a touch screen. */
export function backToRoom(): void {
  if (hasKeys()) document.querySelector<HTMLElement>(".room-pane .composer textarea")?.focus();
}
