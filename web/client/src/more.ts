// The second module of the client: sending, threads, reactions and votes. The first module loads it
// after the first room, or with the first message.
export { chosen } from "./choice.js";
export { readChoices } from "./own-choices.js";
export { react } from "./react.js";
export { Sender } from "./sender.js";
export { thread } from "./thread.js";
export { vote } from "./vote.js";
