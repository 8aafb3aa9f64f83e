// What the timeline and the composer tell each other.
import { cell } from "../state/cell.js";

/** The message of the caller that is being edited, with `thread ` before it where that is in a thread; empty if none is. */
export const editing = cell("");

/** Counts the messages that the person has sent here: the timeline then shows the newest. */
export const sent = cell(0);
