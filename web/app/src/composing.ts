// What the timeline and the composer tell each other.
import { cell } from "./cell.js";

/** The message of the caller that is being edited; empty if none is. */
export const editing = cell("");

/** Counts the messages that the person has sent here: the timeline then shows the newest. */
export const sent = cell(0);

/** Moves the focus to the composer. */
export function focusComposer(): void {
  document.querySelector<HTMLElement>(".composer textarea")?.focus();
}

/** Does the same, but not for a finger: the focus would open a keyboard that covers the room. */
export function backToComposer(): void {
  if (matchMedia("(pointer: fine)").matches) focusComposer();
}
