// The public types of the client. All are data, or objects that notify their subscribers when their
// data changes. Data is never changed in place: a new value is a new object.
import type { components, operations, paths } from "./api.gen.js";
import type { RequestError } from "./errors.js";
import type { AbortSignal, Blob } from "./platform.js";
import type { Request } from "./request.js";

export type { Request, components, operations, paths };

/** The API's types by name, such as `Schemas["Member"]`. Those that the client itself returns follow. */
export type Schemas = components["schemas"];

/** A person's name and avatar. */
export type Card = Schemas["Card"];
export type Person = Schemas["Person"];
export type Problem = Schemas["Problem"];
export type RoomInfo = Schemas["Room"];
export type Quote = Schemas["Quote"];
/** A poll with its votes, whose question is the message's text. */
export type Poll = Schemas["Poll"];
/** A poll to send. */
export type NewPoll = Schemas["PollGiven"];

/** An emoji on a message, and the number of people who chose it. */
export interface Reaction {
  readonly emoji: string;
  readonly count: number;
  /** Whether the caller is one of them. */
  readonly me?: boolean;
}

export type StoredMessage = Schemas["Message"] & { readonly reactions?: readonly Reaction[] };

/** The parts of a message other than its text and metadata. */
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

/** A file to send. Its type is the blob's. */
export interface OutgoingFile {
  readonly blob: Blob;
  readonly name: string;
  /** Describes the file to people who cannot see it. */
  readonly alt?: string;
  /** Sends a picture or a video with its metadata, such as the location and the camera, which is otherwise removed. */
  readonly original?: boolean;
}

/** The parts of a message to send, other than its text and metadata. */
export interface Sending extends Extras {
  /** At most 20. With files, the text may be empty. */
  readonly files?: readonly OutgoingFile[];
  /** Called with the number of bytes that were sent, and of all bytes of the files. */
  onProgress?(sent: number, total: number): void;
  /** Discards the message when it is aborted, unless it is stored. */
  readonly signal?: AbortSignal;
}

/** A message to send. */
export interface Outgoing extends Sending {
  readonly text?: string;
  readonly metadata?: Record<string, unknown>;
}

/** Names and avatars by user id. */
export type People = Readonly<Record<string, Card>>;

/**
 * - `connecting`: the first connection, or one after a loss, is being made.
 * - `online`: a socket is open, and all rooms are subscribed to.
 * - `polling`: no socket can be opened; rooms are read every few seconds.
 * - `offline`: the server cannot be reached; messages wait in the queue.
 * - `signed-out`: `getToken` failed with `SignedOut`, or the server refused a fresh token.
 */
export type State = "connecting" | "online" | "polling" | "offline" | "signed-out" | "suspended";

/** A message of a room, stored or being sent. */
export interface Message extends StoredMessage {
  /** Absent when the server has stored the message. */
  readonly status?: "pending" | "failed";
  /** The reason for a failure, for people. */
  readonly error?: string;
  /** The files of a message that is not stored. A stored message has attachments with the same ids. */
  readonly files?: readonly UnsentFile[];
  /** What the person did with the stored message that the server may not have. The message shows what waits. */
  readonly acts?: readonly Act[];
}

/** An entry of the room list, as the server lists it. */
export interface RoomEntry extends Readonly<Schemas["OwnRoom"]> {}

/** The rooms that the list does not have, and how many of them may have something to read. */
export interface More {
  readonly rooms: number;
  readonly unread: number;
}

/** A file of an unsent message. */
export interface UnsentFile {
  /** The id of the attachment of the stored message. */
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
  /** The number of bytes that were sent. */
  readonly sent: number;
  readonly blob: Blob;
  /** The size of a picture or a video in pixels, and what it looks like (ThumbHash), once known. */
  readonly width?: number;
  readonly height?: number;
  readonly placeholder?: string;
  readonly alt?: string | undefined;
  /** Whether it is sent with its metadata. */
  readonly original?: boolean | undefined;
  /** The SHA-256 in base64 and the preview, once the file is ready to be sent. */
  readonly sha256?: string;
  readonly preview?: { readonly blob: Blob; readonly sha256: string };
  /** Whether the server has the bytes. */
  readonly stored?: boolean;
  /** Why the file was refused. The message waits until it is retried, or the file removed. */
  readonly error?: string | undefined;
}

/** What a person did that the server may not have. */
interface Doing {
  /** A later act with the same id takes this one's place. The id of a message is its own. */
  readonly id: string;
  readonly room: string;
  /** When the person did it, by the machine's clock: milliseconds since 1970. */
  readonly at: number;
  /** Why it was not done; absent while it waits. */
  readonly error?: string | undefined;
  /** Whether a try may have reached the server. */
  readonly tried?: boolean | undefined;
}

/** A message that the server may not have. */
export interface Unsent extends Doing {
  readonly kind: "message";
  readonly text: string;
  readonly metadata?: Record<string, unknown> | undefined;
  readonly extras?: Extras;
  readonly files?: readonly UnsentFile[] | undefined;
  /** Whether the server refused the first id for its clock. */
  readonly renewed?: boolean;
}

/** An act on a message. */
interface OnMessage extends Doing {
  /** The id of the message. */
  readonly of: string;
}

export interface Edit extends OnMessage {
  readonly kind: "edit";
  readonly text: string;
  /** The revision that it changes, if that is known; any otherwise. */
  readonly revision?: number | undefined;
  /** The text of an earlier edit that this one replaces and that the server may have. */
  readonly former?: string | undefined;
  /** The revision of another edit, for which this one was refused. A retry replaces that one. */
  readonly elsewhere?: number | undefined;
}

export interface Deletion extends OnMessage {
  readonly kind: "deletion";
  /** It is sent at this time, so that it can be taken back before. */
  readonly due: number;
}

/** A reaction, or its removal. */
export interface Reacting extends OnMessage {
  readonly kind: "reaction";
  readonly emoji: string;
  readonly on: boolean;
}

/** Pins a message, saves it for the person, or follows its thread; or takes that back. */
export interface Marking extends OnMessage {
  readonly kind: "pin" | "save" | "follow";
  readonly on: boolean;
}

/** Marks a room as read up to a message, or a room or a thread up to a number in the room's feed. */
export interface Read extends Doing {
  readonly kind: "read";
  readonly thread?: string | undefined;
  readonly message?: string | undefined;
  readonly seq?: number | undefined;
}

export interface Vote extends OnMessage {
  readonly kind: "vote";
  readonly choices: readonly number[];
  /** The choices before. */
  readonly before: readonly number[];
}

/** What a person did that the server may not have, as a device stores it. */
export type Act = Unsent | Edit | Deletion | Reacting | Marking | Vote | Read;

/** The current contents of a room. */
export interface RoomView {
  /** The loaded messages, oldest first, and the unsent ones at the end. */
  readonly messages: readonly Message[];
  /** Whether older and newer messages than the loaded ones exist. */
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
  /** `closed` until open is called; `gone` if the room is unknown, hidden or deleted. */
  readonly phase: "closed" | "loading" | "ready" | "gone" | "failed";
  /** Why it failed or is gone, if a request said so: a RequestError, or what getToken threw. */
  readonly error?: Error | undefined;
  /**
   * Whether the connection receives the room's changes. Without that, as of the open rooms beyond the newest 100, or
   * while there is no connection, they arrive within a minute.
   */
  readonly live: boolean;
  /** The room's settings and the caller's own state, once loaded. */
  readonly info?: RoomInfo;
  /** The user ids of the people who are typing in the room, or in the thread, without the caller's. */
  readonly typing: readonly string[];
  /** The user ids of at most 50 people who are online, and the number of all. */
  readonly online: readonly string[];
  readonly onlineCount: number;
  readonly people: People;
  /**
   * The first message after the read marker when the room was opened, for a line above it. Of a room that this
   * device kept, it is known once the list of rooms is there, unless newer messages came meanwhile.
   */
  readonly firstUnread?: string | undefined;
  /**
   * When the contents were last compared with the server, if this device kept them and they were not compared
   * since: milliseconds since 1970.
   */
  readonly cachedAt?: number | undefined;
}

/** A type of which later servers may have more values: handle the unknown ones, or skip them. */
type Open<T extends string> = T | (string & {});

/** A change of a followed room. Its type determines its fields. Changes arrive in order, and once each. */
export interface ChangeEvent {
  readonly type: Open<
    "message.created" | "message.edited" | "message.deleted" | "reply.created" | "counts.changed"
    | "member.changed" | "room.changed" | "pins.changed">;
  /** The room's id. */
  readonly room: string;
  /** The number of the change in the room's feed. */
  readonly seq: number;
  /** The id of the message. */
  readonly id?: string;
  /** The message in its current state, unless it no longer exists. */
  readonly message?: StoredMessage;
  readonly pinned?: boolean;
  /** The person whose membership has changed. The role is absent for a person in no list. */
  readonly member?: { readonly user: string; readonly role?: string };
}

/** An event that only the caller's own connections receive. Its type determines its fields. */
export interface PersonalEvent {
  readonly type: Open<
    "read.changed" | "thread.changed" | "room.added" | "room.removed" | "block.changed" | "reaction.changed"
    | "poll.changed" | "mention.added" | "message.added" | "preferences.changed" | "notifications.changed">;
  readonly room?: string;
  /** The id of the message. */
  readonly id?: string;
  /** The number of the change that sent the message or the mention. */
  readonly seq?: number;
  /** The number up to which the room is read. */
  readonly read?: number;
  /** Whether the caller follows the thread. */
  readonly following?: boolean;
  readonly user?: string;
  readonly blocked?: boolean;
  readonly emoji?: string;
  readonly me?: boolean;
  readonly choices?: readonly number[];
  /** The caller's preferences about the room. */
  readonly favorite?: boolean;
  readonly muted?: boolean;
  /** The level of notifications for the room, and its end. */
  readonly level?: Schemas["OwnRoom"]["level"];
  readonly levelUntil?: string;
}

/** The events of a chat by name. */
export interface Events {
  /** A change of a followed room. */
  readonly change: ChangeEvent;
  /** Events that concern only the caller, such as a read marker that another device moved. */
  readonly personal: PersonalEvent;
  /** The personal event `block.changed`, after the client knows it. */
  readonly block: PersonalEvent;
  /** The server has refused an act, which is over then. Messages, edits and deletions stay, with the reason. */
  readonly refused: { readonly act: Act; readonly error: RequestError };
  /** Somebody came online in a room of the list, or left it. Frames may be lost. */
  readonly presence: { readonly room: string; readonly user: string; readonly online: boolean };
}

/** An immutable value with subscribers, as React's useSyncExternalStore needs it. */
export interface Observable<T> {
  readonly value: T;
  /** Calls fn after each change, until the returned function is called. */
  subscribe(fn: () => void): () => void;
}

/**
 * A room as this client sees it. `Chat.room` creates it at the first call with its id, and returns the same object
 * from then on, until the client is closed. It makes no request before it is opened, and then follows the feed until
 * each open has had its close. Its value is the window of loaded messages, in order and without holes, with what
 * waits to be sent; each change is a new object. While it is closed it keeps the last messages, to show them
 * immediately when it is opened again. Messages can be sent while it is closed, and without a network.
 */
export interface Room extends Observable<RoomView> {
  readonly id: string;
  /**
   * Loads the newest messages, or the messages around one, and follows the room. Limit is 1 to 200, by default 50.
   * Each open needs a close. In an open room it loads only missing messages. Messages that this device kept are shown
   * immediately, with `cachedAt` until they are compared.
   */
  open(around?: string, limit?: number): Promise<void>;
  /** Takes back an open. The last close stops following. Loaded messages stay until the next open. */
  close(): void;
  /** Loads the messages around one of an open room, unless it is loaded. */
  around(id: string, limit?: number): Promise<void>;
  /** Loads up to limit messages more at one end, by default 50. It joins a call that is running. */
  older(limit?: number): Promise<void>;
  newer(): Promise<void>;
  /** Loads the newest messages of an open room, if they are not loaded. */
  latest(limit?: number): Promise<void>;
  /** Drops loaded messages at one end, and keeps as many as keep says. */
  trim(end: "older" | "newer", keep: number): void;
  /**
   * Queues a message and returns its id. The message is shown immediately, as pending. Messages are
   * sent in order, but not behind one whose files are being uploaded.
   */
  send(text: string, metadata?: Record<string, unknown>, extras?: Sending): string;
  send(message: Outgoing): string;
  /**
   * Sends a failed act again, by its id: a message with the files that failed, or with only the one whose id is given.
   */
  retry(id: string, file?: string): void;
  /** Removes a file of an unsent message. Without its last file, the message is discarded, with its text. */
  removeFile(id: string, file: string): void;
  /** Discards a message that was not sent, with the acts on it, or another act that was not sent, by its id. */
  discard(id: string): void;
  /**
   * Replaces the text of a message. It shows immediately, is kept across reloads, and resolves when the server has
   * it. It rejects with a RequestError if it is refused: with 412 if the message was edited elsewhere since. It then
   * stays in the message's acts, to be sent by retry in place of the other edit, or discarded.
   */
  edit(id: string, text: string): Promise<Act>;
  /** Deletes a message, as edit, after some milliseconds in which discard takes it back; by default at once. */
  remove(id: string, after?: number): Promise<Act>;
  /**
   * Marks all as read up to a message, by default the newest loaded one; undefined if there is none to mark. As edit,
   * it waits while the server cannot be reached. The newest of several messages is marked, and resolves all calls.
   */
  markRead(id?: string): Promise<Act | undefined>;
  /** Marks a message and all later ones as unread. */
  markUnread(id: string): Promise<void>;
  /** Reports that the caller is typing. Call it for each key: it reports at most once in 8 s. */
  typing(): void;
}

/** The current contents of a thread: its replies are the messages. */
export interface ThreadView extends RoomView {
  /** The message that the replies reply to, once loaded. It has no text when it is deleted. */
  readonly first?: StoredMessage;
  /** Whether the caller follows the thread, by the last answer or event. */
  readonly following: boolean;
}

/**
 * The thread of a message, as a room whose messages are the replies. The room itself must be open:
 * its changes are the thread's. Newer, around and trim do nothing.
 */
export interface Thread extends Room {
  readonly value: ThreadView;
  /** The id of the message that the replies reply to. */
  readonly root: string;
  /** Marks the thread as read, as a room. It sends a request only if there is a new reply. */
  markRead(): Promise<Act | undefined>;
  /** Follows or unfollows the thread. */
  setFollowing(on: boolean): Promise<Act>;
}

export interface Rooms extends Observable<readonly RoomEntry[]> {
  /** The unread messages of the rooms of the list, and of muted ones only the mentions. */
  readonly unread: number;
  readonly people: People;
  /** Whether the list has been loaded. */
  readonly loaded: boolean;
  /** As RoomView.cachedAt, of the list. */
  readonly cachedAt: number | undefined;
  /** The rooms that the list lacks, for a person with more than 100 rooms. They are hidden until they are loaded. */
  readonly more: More;
  reload(): Promise<void>;
  /** Loads up to 50 of the rooms that the list does not have: those with something to read, and then the newest. */
  loadMore(): Promise<void>;
}

/** The names and avatars of the people that were shown. */
export interface Names extends Observable<People> {
  /** Loads a person's, unless it is known. */
  need(user: string): void;
}

/** The addresses of files and of people's pictures. */
export interface Links {
  /**
   * Returns the addresses of an attachment, which work for some minutes. Ask again for each use:
   * addresses are cached while they work, and requested for all messages of a tick together. Fresh
   * requests new ones, because a cached one did not work. It rejects if the caller cannot read the
   * file, or no longer can.
   */
  of(message: Pick<Message, "room" | "id">, attachment: { readonly id: string }, fresh?: boolean): Promise<FileLinks>;
  /** Returns an address with which a browser saves the file, whatever it is. */
  download(message: Pick<Message, "room" | "id">, attachment: { readonly id: string }): Promise<string>;
  /**
   * Returns the address of the picture that a person has uploaded, as their card's `picture` names it; empty
   * if they have removed it. Addresses are cached while they work, for at most an hour, and requested for all
   * people of a tick together. Fresh requests another, because a cached one did not work.
   */
  picture(user: string, picture: string, fresh?: boolean): Promise<string>;
  /**
   * Uploads a picture of the caller: WebP, JPEG or PNG, at most 64 KB. It returns the SHA-256 with which
   * `PATCH /people/me` shows it, as `picture`. `squareOf` of the third module makes a picture small.
   */
  uploadPicture(blob: Blob): Promise<string>;
}

/** A person's settings of notifications on all devices. */
export interface NotificationSettings extends Readonly<Schemas["Notifications"]> {}

/** A message of which the person is notified, until they have read it. */
export interface Notice {
  readonly room: string;
  /** The id of the message. */
  readonly id: string;
  /** The number of its change in the room, or a later one. */
  readonly seq: number;
  readonly message: StoredMessage;
  /**
   * Why: it mentions them or everyone, its room is direct, it is a reply in a thread that they
   * follow, or the level is `all`.
   */
  readonly kind: "mention" | "direct" | "reply" | "message";
}

/** The messages of which the person is notified and which they have not read, oldest first. */
export interface Notices extends Observable<readonly Notice[]> {
  /** The person's settings; undefined until they are loaded. */
  readonly settings: Observable<NotificationSettings | undefined>;
  /** Whether the person is not to be disturbed now for a reason of the app's, such as a status. */
  isBusy: () => boolean;
  /** Changes settings, for all devices. It throws a RequestError. */
  change(settings: Schemas["NotificationChange"]): Promise<void>;
}

/** The query of a search, and its options. */
export interface SearchOptions {
  /** The id of the only room to search. Without it, the query may have `in:`. */
  readonly room?: string | undefined;
  /** Whether each result has the messages before and after it. */
  readonly around?: boolean;
  /** The most results of a page, 1 to 50; by default 20. */
  readonly limit?: number;
  /** Ends the search, which then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/** A part of a text, in UTF-16 code units. */
export type Mark = Schemas["Mark"];
/** A message that a search found, in its current state, with what the query matches. */
export type SearchResult = Schemas["SearchResult"];
/** A page of results. It may be empty even if others follow, because a request reads a limited amount. */
export type SearchPage = Schemas["SearchPage"];

/** The addresses of a file and of its preview. */
export interface FileLinks {
  readonly url: string;
  readonly preview?: string;
}

/**
 * The client of one person. `connect` creates it; a page has one, and its components share it. It has one connection,
 * which it renews and replaces until `close`, `signOut` or a token that is refused for good; without a connection it
 * polls. It keeps the list of rooms, the names of people, and the rooms that were requested. Given a storage, it also
 * keeps what was not sent and what was read for the next visit, and shares them with other tabs. Its methods can be
 * called at any time, before the connection too. After its end it sends nothing, and cannot be used again.
 */
export interface Chat {
  /** The caller's user id; empty until it is known. */
  readonly user: string;
  readonly state: Observable<State>;
  /** Why the server cannot be reached: what getToken threw, or the last RequestError. Undefined after a success. */
  readonly error: Observable<Error | undefined>;
  readonly rooms: Rooms;
  readonly people: Names;
  /** Returns the room with an id, always the same object. */
  room(id: string): Room;
  /** Returns what reads files, and reads and uploads pictures of people. It loads the third module. */
  files(): Promise<Links>;
  /** Returns of which messages the caller is notified. It loads the sixth module, and begins with the first call. */
  notices(): Promise<Notices>;
  /**
   * Finds messages that the caller may read, newest first. It requests further pages as they are
   * needed, and loads the fourth module. It throws a RequestError: 422 for a query that cannot be read.
   */
  search(query: string, options?: SearchOptions): AsyncIterable<SearchResult>;
  readonly request: Request;
  /** The machine's clock, corrected by the server's: milliseconds since 1970. */
  now(): number;
  /** Calls fn for each event of a kind, until the returned function is called. */
  on<E extends keyof Events>(event: E, fn: (e: Events[E]) => void): () => void;
  /** Returns what the person did in all rooms and pages that the server may not have. */
  unsent(): Promise<Observable<readonly Act[]>>;
  /** Closes the connection and the rooms. What was not sent stays in the storage. */
  close(): void;
  /** Closes, and removes what was not sent from the storage. */
  signOut(): Promise<void>;
}
