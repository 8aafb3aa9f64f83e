// Where the next page of messages is loaded. It is pure.
import { below, type Metrics } from "./scroll.js";

/** A page is loaded when less than this is left to read: some screens, and far less than the window
 * of 300 messages has, so that loading at one end never uncovers the other. */
const ahead = 2000;

export const nearOlder = (m: Metrics): boolean => m.top < ahead;
export const nearNewer = (m: Metrics): boolean => below(m) < ahead;
