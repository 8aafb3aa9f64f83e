// The second module of the client. The first loads it when it is to send messages: it then also has
// what a connection does beside showing rooms.
export { chosen } from "./choice.js";
export { react } from "./react.js";
export { Sender } from "./sender.js";
export { thread } from "./thread.js";
export { vote } from "./vote.js";
