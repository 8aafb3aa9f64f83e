// The parts of the timeline that the first paint does without, in one chunk.
import "../ui/lateicons.js";
import { lazy } from "../ui/lazy.js";
export { Companion } from "./controls.js";
export { Editor } from "../message/editor.js";
export { FetchedQuote } from "../message/fetchedquote.js";
export { Failure } from "../message/failure.js";
export { missed } from "./missing.js";
export { Tools } from "../message/menu.js";
export { Typing } from "../composer/typing.js";
export { Waiting } from "../message/waiting.js";

/** A poll has a chunk of its own, as few messages have one. */
export const Poll = lazy(() => import("../polls/poll.js"));
