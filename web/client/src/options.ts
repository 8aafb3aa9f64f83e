// The options of a client, and the storage of unsent and of read messages.
import type { Unsent } from "./types.js";

/** A request or a frame, for logs. */
export type Trace =
  | {
    readonly kind: "request";
    readonly method: string;
    readonly path: string;
    readonly body?: string;
    readonly status: number;
    readonly ms: number;
    readonly at: Date;
  }
  | { readonly kind: "sent" | "received"; readonly frame: string; readonly at: Date };

/** The part of a WebSocket that a client uses. */
export interface Socket {
  readonly readyState: number;
  // The events of browsers and of ws have no common type.
  onopen: ((e: never) => void) | null;
  onmessage: ((e: never) => void) | null;
  onerror: ((e: never) => void) | null;
  onclose: ((e: never) => void) | null;
  send(frame: string): void;
  close(): void;
}

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
  /**
   * Stores unsent messages and what was read. By default both are in IndexedDB if it exists. Otherwise unsent
   * messages are in memory, and what was read is not kept.
   */
  storage?: Storage;
  fetch?: typeof fetch;
  /** The constructor of sockets; by default the browser's. In Node, use the constructor of the package `ws`. */
  WebSocket?: new (url: string, protocols: string[]) => Socket;
  /** Called for each request and frame, without tokens. */
  trace?(t: Trace): void;
}

/** Keeps unsent messages of one person across reloads. */
export interface Storage {
  all(): Promise<Unsent[]>;
  put(m: Unsent): Promise<void>;
  delete(id: string): Promise<void>;
  /** Keeps what the person has read. Without it, each load reads everything from the server. */
  readonly cache?: CacheStorage;
}

/** Keeps values that can be cloned, by key. It may fail, and lose any value at any time. */
export interface CacheStorage {
  get(key: string): Promise<unknown>;
  /**
   * Reads a value, and writes the entries that write returns, in one transaction. An undefined
   * value removes its key.
   */
  update(key: string, write: (value: unknown) => Readonly<Record<string, unknown>>): Promise<void>;
  /** Removes all values. */
  clear(): Promise<void>;
}
