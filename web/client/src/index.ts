import { ChatClient } from "./chat.js";
import type { Chat, Options } from "./types.js";

export * from "./errors.js";
export type * from "./types.js";

/** Connects a person to a server. It returns at once; the objects tell what has become of it. */
export function connect(options: Options): Chat {
  return new ChatClient(options);
}
