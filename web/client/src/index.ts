import { ChatClient } from "./chat.js";
import type { Options } from "./options.js";
import type { Request } from "./request.js";
import type { Chat } from "./types.js";

export * from "./errors.js";
export type * from "./options.js";
export type * from "./types.js";

/**
 * Connects a person to a server. It returns immediately; the chat's state shows the progress. A program that is no
 * page, such as a server that renders pages, connects only if it gives a WebSocket or a socket. Otherwise the chat
 * is empty and its state is `connecting`, as on a page that has just begun.
 */
export function connect(options: Options): Chat {
  // Browsers and React Native have it, and servers do not.
  const isPage = "XMLHttpRequest" in globalThis;
  return isPage || options.WebSocket || options.socket !== undefined ? new ChatClient(options) : empty(options);
}

/** Returns a chat that sends nothing, starts nothing and asks for no token. Requests fail. */
function empty({ url, user = "" }: Options): Chat {
  const never = new Promise<never>(() => {});
  const cause = new Error("This program is no page: give connect a WebSocket.");
  const chat = new ChatClient({ url, user, socket: null, getToken: () => never });
  chat.end("connecting");
  const request = (() => Promise.reject(cause)) as unknown as Request;
  return Object.assign(chat, { request });
}
