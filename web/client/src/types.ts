// The public types of the client. Everything here is data, or an object that tells its subscribers
// when its data has changed. Data is never changed in place: a new value is a new object.
import type { components } from "./api.gen.js";
import type { Request } from "./request.js";

export type { Request };

type Schemas = components["schemas"];

export type Card = Schemas["Card"];
export type Person = Schemas["Person"];
export type Problem = Schemas["Problem"];
export type RoomInfo = Schemas["Room"];
export type Quote = Schemas["Quote"];
/** A poll with its votes, whose question is the message's text. */
export type Poll = Schemas["Poll"];
/** A poll to send. */
export type NewPoll = Schemas["PollGiven"];

/** An emoji at a message, and how many people chose it. */
export interface Reaction {
  readonly emoji: string;
  readonly count: number;
  /** Whether the caller is one of them. */
  readonly me?: boolean;
}

export type StoredMessage = Schemas["Message"] & { readonly reactions?: readonly Reaction[] };

/** What a message has beside its text and metadata. */
export interface Extras {
  /** The id of a message of the room that it quotes. */
  readonly quote?: string;
  /** The id of the message that it replies to, and whether the room lists it, too. */
  readonly thread?: string;
  readonly showInRoom?: boolean;
  /** The people whom it mentions, by user id, and whether it mentions everyone in the room. */
  readonly mentions?: readonly string[];
  readonly mentionRoom?: boolean;
  /** The poll, whose question is the text. It never changes. */
  readonly poll?: NewPoll;
}

/** Names and avatars by user id. */
export type People = Readonly<Record<string, Card>>;

/**
 * - `connecting`: the first connection, or one after a loss, is being made.
 * - `online`: a socket is open, and all rooms are subscribed to.
 * - `polling`: no socket can be had; rooms are read every few seconds.
 * - `offline`: neither is possible; messages wait in the queue.
 * - `signed-out`: `getToken` failed with `SignedOut`, or the server refused a fresh token.
 */
export type State = "connecting" | "online" | "polling" | "offline" | "signed-out" | "suspended";

/** A message of a room, stored or on its way. */
export interface Message extends StoredMessage {
  /** Absent when the server has stored the message. */
  readonly status?: "pending" | "failed";
  /** The reason of a failure, for people. */
  readonly error?: string;
}

/** An entry of the room list: as the server lists it, with the direct room's people named. */
export interface RoomEntry extends Readonly<Schemas["OwnRoom"]> {}

/** What a room shows now. */
export interface RoomView {
  /** The loaded messages, oldest first, and the unsent ones at the end. */
  readonly messages: readonly Message[];
  /** Whether older and newer messages than the loaded ones exist. */
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
  /** `closed` until open is called; `gone` if the room is unknown, hidden or deleted. */
  readonly phase: "closed" | "loading" | "ready" | "gone" | "failed";
  /** The room's settings and the caller's own state, once loaded. */
  readonly info?: RoomInfo;
  /** Who types now, without the caller. */
  readonly typing: readonly string[];
  /** Who is online, of at most 50; the count of rooms with more. */
  readonly online: readonly string[];
  readonly onlineCount: number;
  readonly people: People;
  /** The first message after the read marker when the room was opened, for a line above it. */
  readonly firstUnread?: string | undefined;
}

/** Anything that can be shown by useSyncExternalStore: subscribe and an immutable value. */
export interface Observable<T> {
  readonly value: T;
  /** Calls fn after each change, until the returned function is called. */
  subscribe(fn: () => void): () => void;
}

export interface Room extends Observable<RoomView> {
  readonly id: string;
  /** Loads the newest messages, 50 or limit (1 to 200), or those around one, and follows the room. */
  open(around?: string, limit?: number): Promise<void>;
  /** Stops following the room. Loaded messages stay until the next open. */
  close(): void;
  /** Loads up to 50 messages more at one end, or limit. Repeated calls while one runs do nothing. */
  older(limit?: number): Promise<void>;
  newer(): Promise<void>;
  /** Goes to the newest messages. */
  latest(): Promise<void>;
  /** Forgets the messages beyond the newest, or oldest, count of the loaded ones. */
  trim(end: "older" | "newer", keep: number): void;
  /** Queues a message and returns its id. It is shown at once, as pending. */
  send(text: string, metadata?: Record<string, unknown>, extras?: Extras): string;
  /** Sends a failed message again. */
  retry(id: string): void;
  /** Forgets a message that was not sent. */
  discard(id: string): void;
  /** Replaces the text of a stored message. It throws a RequestError. */
  edit(id: string, text: string): Promise<void>;
  remove(id: string): Promise<void>;
  /** Marks all as read up to a message, by default the newest loaded one. */
  markRead(id?: string): Promise<void>;
  /** Marks a message and all later ones as unread. */
  markUnread(id: string): Promise<void>;
  /** Tells the others that the caller types: call it for each key. It sends at most one in 8 s. */
  typing(): void;
}

/** What a thread shows now: its replies are the messages. */
export interface ThreadView extends RoomView {
  /** The message that the replies reply to, once loaded; without its text when it is deleted. */
  readonly first?: StoredMessage;
  /** Whether the caller follows the thread, as far as the last answer told. */
  readonly following: boolean;
}

/**
 * The thread of a message, as a room whose messages are the replies. The room itself must be open:
 * its changes are the thread's. Newer, latest, trim and typing do nothing.
 */
export interface Thread extends Room {
  readonly value: ThreadView;
  /** The id of the message that the replies reply to. */
  readonly root: string;
  /** Moves the caller's marker in the thread to what the room has now, once for each new reply. */
  markRead(): Promise<void>;
  /** Follows the thread, or ceases to. */
  setFollowing(on: boolean): Promise<void>;
}

/** One request or frame, for a page that explains itself. */
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
  /** The caller's user id. By default it is asked for once, which needs the server. */
  user?: string;
  /** Where unsent messages wait. Default: IndexedDB where there is one, or else memory. */
  storage?: Storage;
  fetch?: typeof fetch;
  WebSocket?: new (url: string, protocols: string[]) => WebSocket;
  /** Told of each request and frame, without tokens. */
  trace?(t: Trace): void;
}

/** An unsent message as the queue stores it. */
export interface Unsent {
  readonly id: string;
  readonly room: string;
  readonly text: string;
  readonly metadata?: Record<string, unknown>;
  readonly extras?: Extras;
  /** When the person sent it, by the machine's clock: milliseconds since 1970. */
  readonly at: number;
  /** The reason of a failure; absent while it waits. */
  readonly error?: string;
  /** Whether a try may have reached the server: the id then stays. */
  readonly tried?: boolean;
  /** Whether the server refused the first id for its clock. */
  readonly renewed?: boolean;
}

/** Keeps unsent messages of one person across reloads. */
export interface Storage {
  all(): Promise<Unsent[]>;
  put(m: Unsent): Promise<void>;
  delete(id: string): Promise<void>;
}

export interface Rooms extends Observable<readonly RoomEntry[]> {
  /** The unread messages of all rooms. */
  readonly unread: number;
  readonly people: People;
  /** Whether the list was loaded once. */
  readonly loaded: boolean;
  reload(): Promise<void>;
}

export interface Chat {
  /** The caller's user id; empty until it is known. */
  readonly user: string;
  readonly state: Observable<State>;
  readonly rooms: Rooms;
  room(id: string): Room;
  readonly request: Request;
  /** The machine's clock, corrected by the server's: milliseconds since 1970. */
  now(): number;
  /** The personal event `block.changed`, each event of the caller alone, and every change of a room that is followed. */
  on(event: "block" | "personal" | "change", fn: (e: unknown) => void): () => void;
  /** Closes the socket and forgets all state but the queue. */
  close(): void;
  /** Closes, and forgets the unsent messages too. */
  signOut(): Promise<void>;
}
