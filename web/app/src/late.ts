// The parts of the timeline that the first paint does without, in one chunk.
import "./lateicons.js";
import { lazy } from "./lazy.js";
export { Companion } from "./companion.js";
export { Editor } from "./editor.js";
export { FetchedQuote } from "./fetchedquote.js";
export { Failure } from "./failure.js";
export { missed } from "./missed.js";
export { Tools } from "./tools.js";
export { Typing } from "./typing.js";
export { Waiting } from "./waiting.js";

/** A poll has a chunk of its own, as few messages have one. */
export const Poll = lazy(() => import("./poll.js"));
