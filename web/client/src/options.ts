// The options of a client, and the storage of what was not sent and of what was read.
import type { Fetch } from "./platform.js";
import type { Act } from "./types.js";

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
   * Stores what was not sent and what was read. By default both are in IndexedDB if it exists. Otherwise what was not
   * sent is in memory, and what was read is not kept.
   */
  storage?: Storage;
  fetch?: Fetch;
  /** The constructor of sockets; by default the browser's. In Node, use the constructor of the package `ws`. */
  WebSocket?: new (url: string, protocols: string[]) => Socket;
  /** Called for each request and frame, without tokens. */
  trace?(t: Trace): void;
}

/** Keeps what one person did and was not sent, across reloads. */
export interface Storage {
  all(): Promise<Act[]>;
  /** Stores an act in place of the one with its id. */
  put(act: Act): Promise<void>;
  /** Removes an act, unless it was done after a time: another page may have put a later one in its place. */
  delete(id: string, at?: number): Promise<void>;
  /** Reports whether an act with an id is stored. Pages of a person that share a storage ask before they send it. */
  has?(id: string): Promise<boolean>;
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
