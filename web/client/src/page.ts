// The client that pages load from a server, at /client.js. Packages have index.ts.
import { ChatClient } from "./chat.js";
import type { Options } from "./options.js";
import type { Chat } from "./types.js";

export * from "./errors.js";

/** Connects a person to a server. It returns immediately; the chat's state shows the progress. */
export function connect(options: Options): Chat {
  return new ChatClient(options);
}
