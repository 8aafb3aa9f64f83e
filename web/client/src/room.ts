import type { Acts } from "./acts.js";
import { UUID } from "./ids.js";
import { alters, type Change } from "./feed.js";
import { Pages, type PagesClient } from "./pages.js";
import { Presence } from "./presence.js";
import { Reading } from "./reading.js";
import type { RoomList } from "./rooms.js";
import { EMPTY, firstUnread, put, trim } from "./timeline.js";
import type { Act, Observable, Outgoing, Room, RoomInfo, RoomView, Sending, State, StoredMessage } from "./types.js";
import { unsentMessages } from "./view.js";

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

/** What a room uses of the second module, which is loaded later. */
export interface Late {
  edit(room: string, of: string, text: string): Promise<Act>;
  remove(room: string, of: string, after: number | undefined): Promise<Act>;
  retry(id: string, file: string | undefined): void;
  markRead(room: string, place: { readonly message: string } | { readonly seq: number }): Promise<Act>;
  /** Reads the caller's choices in messages, shows them, and returns the messages that were not read. */
  readChoices(room: string, ids: readonly string[]): Promise<readonly string[]>;
}

/** The part of the client that a room uses. */
export interface RoomClient extends PagesClient {
  readonly live: Subscriptions;
  readonly acts: Acts;
  readonly rooms: RoomList;
  /** Returns a new message id. */
  newId(): string;
  /** Reports the progress of the files of an unsent message. */
  watch(id: string, report: NonNullable<Sending["onProgress"]>): void;
  /** Calls a function of the second module. It rejects if that cannot be loaded. */
  late<F extends keyof Late>(name: F, ...args: Parameters<Late[F]>): Promise<Awaited<ReturnType<Late[F]>>>;
  /** Handles a change of a followed room. It is called once for each change. */
  handleChange(room: string, change: Change): void;
}

/** A room that was requested. It follows the feed from the first open to the last close. */
export class OpenRoom extends Pages<RoomClient> implements Room {
  readonly presence = new Presence(() => this.show());
  readonly reading = new Reading(id => this.span.messages.findIndex(m => m.id === id));
  #opens = 0; // that were not closed
  #seen = 0; // the number of the last change that was handled
  /** The event of a choice may be lost. */
  override readonly unchecked = new Set<string>();
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
    for (const m of this.span.messages) this.chat.acts.put(m.id);
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
    this.chat.acts.loadSoon();
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
    chat.acts.put(id, {
      kind: "message", id, room: this.id, text, metadata, extras, at: chat.acts.now(),
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
    void this.chat.late("retry", id, file);
  }

  discard(id: string): void {
    const { acts } = this.chat;
    for (const a of acts.on(id)) acts.put(a.id);
    acts.put(id);
  }

  removeFile(id: string, file: string): void {
    const m = this.chat.acts.find(id);
    const files = m?.kind === "message" && m.files?.filter(f => f.id !== file);
    if (files) this.chat.acts.put(id, files.length ? { ...m, files } : undefined);
  }

  edit(id: string, text: string): Promise<Act> {
    return this.chat.late("edit", this.id, id, text);
  }

  remove(id: string, after?: number): Promise<Act> {
    return this.chat.late("remove", this.id, id, after);
  }

  async markRead(message = this.span.messages.at(-1)?.id): Promise<Act | undefined> {
    const { chat } = this;
    // A room without messages is new until its first changes are marked.
    if (!message && !chat.rooms.entry(this.id)?.addedBy) return undefined;
    const place = message ? { message } : { seq: chat.rooms.head(this.id) ?? this.seq };
    return chat.late("markRead", this.id, place);
  }

  async markUnread(id: string): Promise<void> {
    const { chat } = this;
    chat.acts.put(`read ${this.id}`);
    this.reading.mark("");
    const { seq, unread, mentions } = await chat.http.request("PUT", `${this.path}/read`, { unreadFrom: id });
    chat.rooms.setMarker(this.id, { read: seq, unread, mentions });
    this.show({ firstUnread: id });
  }

  /** Takes the number of the marker from the server's answer. */
  marked(seq: number): void {
    this.reading.moved(seq);
    this.#remark();
  }

  /** Moves the marker again if it does not cover all that is shown up to the marked message. */
  #remark(): void {
    const { missing } = this.reading;
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

  /** Returns a loaded message as the server has it. */
  base(id: string): StoredMessage | undefined {
    return this.span.messages.find(m => m.id === id);
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
        chat.acts.put(c.message.id);
        chat.people.need(c.message.user);
        if (c.type.endsWith("created")) this.presence.stopTyping(c.message.user);
      }
      if (c.seq <= this.#seen) continue;
      this.#seen = c.seq;
      this.#old ||= alters(c, chat.user) || (!!c.member && this.value.onlineCount <= FEW);
      if (c.type === "message.created") {
        this.reading.created(c.id!, c.seq);
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
    const left = await this.chat.late("readChoices", this.id, ids).catch(() => ids); // its module may not load
    for (const id of left) this.unchecked.add(id);
  }

  override show(patch?: Partial<RoomView>): void {
    const { span, presence, chat, value } = this;
    const unsent = unsentMessages(chat.acts.messages, this.id, chat.user);
    this.value = {
      ...value, ...span, ...presence.view(chat.user),
      messages: chat.acts.shown(this.id, [...span.messages, ...unsent.filter(m => !m.thread || m.showInRoom)]),
      people: chat.people.value, live: chat.live.followed.has(this.id) && chat.live.receives(this.id),
      firstUnread: value.firstUnread ?? this.line,
      ...patch,
    };
  }
}
