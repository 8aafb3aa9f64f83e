import { UUID, encode } from "./ids.js";
import { alters, type Change } from "./feed.js";
import { Marker, type MarkerClient } from "./marker.js";
import { Pages, type PagesClient } from "./pages.js";
import { Presence } from "./presence.js";
import { Reading } from "./reading.js";
import type { Queue } from "./queue.js";
import type { RoomList } from "./rooms.js";
import { EMPTY, firstUnread, put, trim } from "./timeline.js";
import type { Observable, Outgoing, Room, RoomInfo, RoomView, Sending, State, StoredMessage } from "./types.js";
import { unsentMessage } from "./view.js";

/** The messages that a closed room keeps, to show when it is opened again. */
const KEPT = 200;
/** With at most this many people online, a client reloads the settings when the members change. */
const FEW = 50;

/** The subscriptions of the connection. */
interface Subscriptions {
  readonly state: Observable<State>;
  /** The followed rooms, by id. */
  readonly followed: ReadonlyMap<string, OpenRoom>;
  follow(room: OpenRoom): void;
  unfollow(room: OpenRoom): void;
  /** Reports whether the connection receives the changes of a room. */
  receives(room: string): boolean;
  /** Sends a request over the connection, if there is one. */
  send(type: string, fields?: object): void;
  /** When each followed room was last heard of, or asked about. */
  readonly heardAt: ReadonlyMap<string, number>;
  /** Compares followed rooms with the server, at most as many as a request names. */
  check(rooms?: OpenRoom[]): void;
  /** Checks the connection, or connects: somebody looks at the page, or the machine is online, again. */
  wake(): void;
}

/** The part of the client that a room uses. */
export interface RoomClient extends PagesClient, MarkerClient {
  readonly live: Subscriptions;
  readonly queue: Queue;
  readonly rooms: RoomList;
  /** Returns a new message id. */
  newId(): string;
  /** Reports the progress of the files of an unsent message. */
  watch(id: string, report: NonNullable<Sending["onProgress"]>): void;
  /** Reads the caller's choices in messages, shows them, and returns the messages that were not read. */
  readChoices(room: string, ids: readonly string[]): Promise<readonly string[]>;
  /** Handles a change of a followed room. It is called once for each change. */
  handleChange(room: string, change: Change): void;
}

/** A room that was requested. It follows the feed from the first open to the last close. */
export class OpenRoom extends Pages<RoomClient> implements Room {
  readonly presence = new Presence(() => this.show());
  readonly #marker = new Marker<string>(this.chat, async message => {
    this.#reading.mark(message);
    this.#reading.moved(await this.#move({ message }, this.chat.http.once));
  });
  readonly #reading = new Reading(id => this.span.messages.findIndex(m => m.id === id));
  #opens = 0; // that were not closed
  #seen = 0; // the number of the last change that was handled
  /** The event of a choice may be lost. */
  override readonly unchecked = new Set<string>();
  #sentAt = 0; // of the last message; unique, because it orders messages after a reload
  /** What was unread when the room was opened; undefined until it was compared with the server. */
  #atOpening: {
    readonly unread?: number | undefined; readonly lastMessage?: { readonly id: string } | undefined;
  } | undefined;
  #old = false; // whether the settings have changed since they were read
  #informed = Promise.resolve(); // the last load of the settings, so that loads do not overlap

  /** The position in the feed; undefined before the first page of messages. */
  get since(): string | undefined {
    return this.follower?.feed.since;
  }

  /** The number of the last change; 0 before the feed was read. */
  get seq(): number {
    return this.follower?.feed.seq ?? 0;
  }

  /** Loads the newest messages again: the feed does not continue, and may begin at lower numbers. */
  override reload(): Promise<void> {
    this.#seen = 0;
    return super.reload();
  }

  async open(around?: string, limit?: number): Promise<void> {
    const first = !this.#opens++;
    if (around) await this.around(around, limit);
    else if (first || !/ready|loading/.test(this.value.phase)) await this.latest(limit);
    else await this.running;
  }

  async around(id: string, limit?: number): Promise<void> {
    if (this.value.phase !== "ready" || !this.span.messages.some(m => m.id === id)) await this.load(id, limit);
  }

  async latest(limit?: number): Promise<void> {
    if (this.span.hasNewer || this.value.phase !== "ready") await this.load(undefined, limit);
  }

  close(): void {
    if (this.#opens && !--this.#opens) this.#leave("closed");
  }

  /** Closes the room for everybody who opened it, because the client ends. */
  end(): void {
    this.#opens = 0;
    this.#leave("closed");
  }

  gone(error?: Error): void {
    this.span = EMPTY;
    this.#leave("gone", error);
    this.chat.kept.drop(this.id);
    this.chat.rooms.remove(this.id);
  }

  /** Opens the room again if it was gone, and is in the list: the person was added again. */
  relist(): void {
    if (this.value.phase === "gone" && this.#opens && this.chat.rooms.entry(this.id)) void this.latest();
  }

  #leave(phase: "closed" | "gone", error?: Error): void {
    this.stop();
    this.presence.clear();
    this.span = trim(this.span, "older", KEPT);
    this.chat.live.unfollow(this);
    this.#atOpening = undefined;
    this.show({ phase, error, firstUnread: undefined });
  }

  protected override loading(): void {
    this.chat.live.follow(this);
  }

  protected override get line(): string | undefined {
    const { unread = 0, lastMessage } = this.#atOpening ?? this.chat.rooms.entry(this.id) ?? {};
    return firstUnread(this.span.messages, lastMessage?.id, unread, this.chat.user);
  }

  protected override loaded(info: RoomInfo | undefined): void {
    for (const m of this.span.messages) this.chat.queue.remove(m.id);
    if (info) {
      this.#atOpening = {
        unread: info.me?.unread, lastMessage: this.span.hasNewer ? undefined : this.span.messages.at(-1),
      };
      this.value = { ...this.value, phase: "ready", info, firstUnread: undefined, cachedAt: undefined };
    }
    this.show();
    this.chat.rooms.patch(this.id);
    this.chat.people.renew();
    this.loadOnline();
    this.chat.queue.loadSoon();
  }

  /** Loads who is online, which no frame before the subscription has said. */
  loadOnline(): void {
    this.presence.load(this.chat.http.request("GET", `${this.path}/online`)).catch(() => {});
  }

  send(message: string | Outgoing, data?: Record<string, unknown>, parts?: Sending): string {
    const { chat } = this;
    const { text = "", metadata, files, onProgress, signal, ...extras } = typeof message === "string"
      ? { ...parts, text: message, metadata: data }
      : message;
    const id = chat.newId();
    signal?.throwIfAborted();
    signal?.addEventListener("abort", () => this.discard(id));
    this.#sentAt = Math.max(this.#sentAt + 1, Date.now());
    chat.queue.add({
      id, room: this.id, text, metadata, extras, at: this.#sentAt,
      files: files?.map(
        f => ({ ...f, id: chat.newId().slice(0, UUID), type: f.blob.type, bytes: f.blob.size, sent: 0 }),
      ),
    });
    if (onProgress) chat.watch(id, onProgress);
    this.#atOpening = {}; // a person who answers has read the room
    this.show({ firstUnread: undefined });
    return id;
  }

  retry(id: string, file?: string): void {
    this.chat.queue.retry(id, file);
  }

  discard(id: string): void {
    this.chat.queue.remove(id);
  }

  removeFile(id: string, file: string): void {
    const m = this.chat.queue.unsent(id);
    const files = m?.files?.filter(f => f.id !== file);
    if (files) this.chat.queue.swap(id, files.length ? { ...m!, files } : undefined);
  }

  async edit(id: string, text: string): Promise<void> {
    this.stored(await this.chat.http.request("PATCH", `${this.path}/messages/${encode(id)}`, { text }));
    this.show();
  }

  async remove(id: string): Promise<void> {
    this.stored(await this.chat.http.request("DELETE", `${this.path}/messages/${encode(id)}`));
    this.show();
  }

  async markRead(id = this.span.messages.at(-1)?.id): Promise<void> {
    // A room without messages is new until its first changes are marked.
    if (!id) {
      return void (this.chat.rooms.entry(this.id)?.addedBy
        && await this.#move({ seq: this.chat.rooms.head(this.id) ?? this.seq }));
    }
    await this.#marker.move(id);
    this.#remark();
  }

  async markUnread(id: string): Promise<void> {
    this.#marker.drop();
    this.#reading.mark("");
    await this.#move({ unreadFrom: id });
    this.show({ firstUnread: id });
  }

  async #move(body: object, request = this.chat.http.request): Promise<number> {
    const { seq, unread, mentions } = await request("PUT", `${this.path}/read`, body);
    this.chat.rooms.setMarker(this.id, { read: seq, unread, mentions });
    return seq;
  }

  /** Moves the marker again if it does not cover all that is shown up to the marked message. */
  #remark(): void {
    const { missing } = this.#reading;
    if (missing) this.markRead(missing).catch(() => {});
  }

  typing(thread?: string): void {
    if (this.chat.live.state.value === "online" && this.presence.isDue(Date.now())) {
      this.chat.live.send("typing", { room: this.id, thread });
    }
  }

  /** Reads the changes over HTTP, and reports whether there is a position. It may throw. */
  async refresh(): Promise<boolean> {
    await this.follower?.read();
    return !!this.since;
  }

  /** Puts a stored message in its place. The caller then calls show. */
  stored(m: StoredMessage): void {
    this.span = put(this.span, this.mark(m), true);
  }

  /** Changes the loaded messages, and shows them. */
  each(change: (m: StoredMessage) => StoredMessage): void {
    this.span = { ...this.span, messages: this.span.messages.map(change) };
    this.show();
  }

  /** Shows whose messages are blocked now. */
  markAll(): void {
    this.each(m => this.mark(m));
  }

  override apply(changes: readonly Change[]): void {
    const { chat } = this;
    this.put(changes);
    for (const c of changes) {
      if (c.message) {
        chat.queue.remove(c.message.id);
        chat.people.need(c.message.user);
        if (c.type.endsWith("created")) this.presence.stopTyping(c.message.user);
      }
      if (c.seq <= this.#seen) continue;
      this.#seen = c.seq;
      this.#old ||= alters(c, chat.user) || (!!c.member && this.value.onlineCount <= FEW);
      if (c.type === "message.created") {
        this.#reading.created(c.id!, c.seq);
        this.#remark();
      }
      if (c.type === "counts.changed") this.unchecked.add(c.id!);
      chat.handleChange(this.id, c);
    }
    this.show();
    this.#inform();
  }

  override caughtUp(): void {
    if (this.follower?.feed.behind) return;
    this.#inform();
    void this.#checkChoices();
  }

  /** Reads the room's settings again if they have changed. After a failure the next answer of the feed tries again. */
  #inform(): void {
    if (!this.#old) return;
    this.#old = false;
    this.#informed = this.#informed.then(() => this.info()).then(info => this.show({ info }), () => {
      this.#old = true;
    });
  }

  /** Reads the caller's reactions and votes in the unchecked messages. */
  async #checkChoices(): Promise<void> {
    const ids = [...this.unchecked];
    if (!ids.length) return;
    this.unchecked.clear();
    const left = await this.chat.readChoices(this.id, ids).catch(() => ids); // its module may not load
    for (const id of left) this.unchecked.add(id);
  }

  override show(patch?: Partial<RoomView>): void {
    const { span, presence, chat, value } = this;
    const unsent = chat.queue.of(this.id).map(m => unsentMessage(m, chat.user));
    this.value = {
      ...value, ...span, ...presence.view(chat.user),
      messages: [...span.messages, ...unsent.filter(m => !m.thread || m.showInRoom)],
      people: chat.people.value, live: chat.live.followed.has(this.id) && chat.live.receives(this.id),
      firstUnread: value.firstUnread ?? this.line,
      ...patch,
    };
  }
}
