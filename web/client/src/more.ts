// The second module of the client: what people do, and threads. The first module loads it after the first room, or
// with the first message.
export { deliveryOf } from "./deliver.js";
export { chosen, edit, markRead, pin, react, remove, retry, save, vote } from "./doing.js";
export { readChoices } from "./own-choices.js";
export { forget } from "./shelf.js";
export { thread } from "./thread.js";
