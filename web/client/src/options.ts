// What a program gives a client: its options, and the storage of unsent messages.
import type { Unsent } from "./types.js";

/** A request or a frame, for logs. */
export type Trace =
  | { readonly kind: "request"; readonly method: string; readonly path: string; readonly body?: string; readonly status: number; readonly ms: number; readonly at: Date }
  | { readonly kind: "sent" | "received"; readonly frame: string; readonly at: Date };

export interface Options {
  /** The address of the API, such as `https://chat.example.com`. */
  url: string;
  /** The address of the sockets; by default `/ws` below url. `null` polls instead. */
  socket?: string | null;
  /**
   * Returns an access token that is valid for a minute at least. It is called for each connection
   * and after a 401 (with `refused: true`). It throws SignedOut when the person must sign in again.
   */
  getToken(o: { refused: boolean }): Promise<string>;
  /** The caller's user id. By default it is read from the token or, once, from the server. */
  user?: string;
  /** Stores unsent messages. By default they are in IndexedDB if it exists, or else in memory. */
  storage?: Storage;
  fetch?: typeof fetch;
  WebSocket?: new (url: string, protocols: string[]) => WebSocket;
  /** Called for each request and frame, without tokens. */
  trace?(t: Trace): void;
}

/** Keeps unsent messages of one person across reloads. */
export interface Storage {
  all(): Promise<Unsent[]>;
  put(m: Unsent): Promise<void>;
  delete(id: string): Promise<void>;
}
