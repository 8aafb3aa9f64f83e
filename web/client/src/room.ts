import { encode } from "./ids.js";
import { alters, type Change } from "./feed.js";
import { Pages, type PagesClient } from "./pages.js";
import { Presence } from "./presence.js";
import type { Queue } from "./queue.js";
import type { RoomList } from "./rooms.js";
import { EMPTY, firstUnread, put, trim } from "./timeline.js";
import type { Extras, Room, RoomInfo, RoomView, StoredMessage } from "./types.js";
import { rowOf } from "./view.js";

/** A closed room keeps so many messages, for a first view when it is opened again. */
const KEPT = 100;
/** So few people each read the number of members again when somebody comes or leaves. */
const FEW = 50;

/** The subscriptions of the connection. */
interface Subscriptions {
  follow(room: OpenRoom): void;
  unfollow(room: OpenRoom): void;
  /** Sends a request over the connection, if there is one. */
  send(type: string, fields?: object): void;
}

/** What a room needs of the client. */
export interface RoomClient extends PagesClient {
  readonly live: Subscriptions;
  readonly queue: Queue;
  readonly rooms: RoomList;
  /** Returns a new message id. */
  newId(): string;
  /** Handles a change of a followed room, once. */
  changed(room: string, change: Change): void;
}

export class OpenRoom extends Pages<RoomClient> implements Room {
  readonly presence = new Presence(() => this.show());
  #seen = 0; // the number of the last change that was told
  #sentAt = 0; // of the last message, which orders them after a reload: no two have the same
  #unread = 0; // when the room was opened
  #newest: string | undefined; // the id of the newest message then, if it was loaded
  #informed = Promise.resolve(); // of the settings: the last answer counts

  get since(): string | undefined {
    return this.follower?.feed.since;
  }

  async open(around?: string, limit?: number): Promise<void> {
    const there = around ? this.span.messages.some(m => m.id === around) : !this.span.hasNewer;
    if (this.value.phase !== "ready" || !there) await this.load(around, limit);
  }

  async latest(always = this.span.hasNewer): Promise<void> {
    if (always || this.value.phase !== "ready") await this.load();
  }

  close(): void {
    this.#leave("closed");
  }

  /** The room is unknown, hidden or deleted. */
  gone(): void {
    this.span = EMPTY;
    this.#leave("gone");
  }

  #leave(phase: "closed" | "gone"): void {
    this.stop();
    this.presence.clear();
    this.span = trim(this.span, "older", KEPT);
    this.chat.live.unfollow(this);
    this.show({ phase });
  }

  protected override loading(): void {
    this.chat.live.follow(this);
  }

  protected override loaded(info: RoomInfo | undefined): void {
    for (const m of this.span.messages) this.chat.queue.remove(m.id);
    if (info) {
      this.#unread = info.me?.unread ?? 0;
      this.#newest = this.span.hasNewer ? undefined : this.span.messages.at(-1)?.id;
      this.value = { ...this.value, phase: "ready", info, firstUnread: undefined };
    }
    this.show();
    this.meet();
    this.chat.queue.soon();
  }

  /** Reads who is online: what was told before the subscription is missing. */
  meet(): void {
    this.presence.load(this.chat.http.request("GET", `${this.path}/online`)).catch(() => {});
  }

  send(text: string, metadata?: Record<string, unknown>, extras?: Extras): string {
    const id = this.chat.newId();
    this.#sentAt = Math.max(this.#sentAt + 1, Date.now());
    this.chat.queue.add({ id, room: this.id, text, ...(metadata && { metadata }), ...(extras && { extras }), at: this.#sentAt });
    this.#unread = 0; // who answers has read
    this.show({ firstUnread: undefined });
    return id;
  }

  retry(id: string): void {
    this.chat.queue.retry(id);
  }

  discard(id: string): void {
    this.chat.queue.remove(id);
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
    if (id) await this.#move({ message: id });
  }

  async markUnread(id: string): Promise<void> {
    await this.#move({ unreadFrom: id });
    this.show({ firstUnread: id });
  }

  async #move(body: object): Promise<void> {
    const { seq, unread } = await this.chat.http.request("PUT", `${this.path}/read`, body);
    this.chat.rooms.marked(this.id, seq, unread);
  }

  typing(): void {
    if (this.presence.tell(Date.now())) this.chat.live.send("typing", { room: this.id });
  }

  /** Reads the changes over HTTP, and reports whether it could ask. It throws a RequestError. */
  async refresh(): Promise<boolean> {
    await this.follower?.read();
    return !!this.since;
  }

  /** Takes a message that the server has stored, and leaves it to the caller to show it. */
  stored(m: StoredMessage): void {
    this.span = put(this.span, this.mark(m), true);
  }

  /** Changes the loaded messages. */
  each(change: (m: StoredMessage) => StoredMessage): void {
    this.span = { ...this.span, messages: this.span.messages.map(change) };
    this.show();
  }

  /** Shows other blocks. */
  remark(): void {
    this.each(m => this.mark(m));
  }

  override take(changes: readonly Change[]): void {
    const { chat } = this;
    let own = false;
    this.put(changes);
    for (const c of changes) {
      if (c.message) {
        chat.queue.remove(c.message.id);
        chat.people.need(c.message.user);
        if (c.type.endsWith("created")) this.presence.stops(c.message.user);
      }
      if (c.seq <= this.#seen) continue;
      this.#seen = c.seq;
      own ||= alters(c, chat.user) || (!!c.member && this.value.onlineCount <= FEW);
      chat.changed(this.id, c);
    }
    this.show();
    if (own) this.#informed = this.#informed.then(() => this.info()).then(info => this.show({ info }), () => {});
  }

  override show(patch?: Partial<RoomView>): void {
    const { span, presence, chat, value } = this;
    this.value = {
      ...value, ...span, ...presence.of(chat.user),
      messages: [...span.messages, ...chat.queue.of(this.id).map(m => rowOf(m, chat.user)).filter(m => !m.thread || m.showInRoom)],
      people: chat.people.value,
      firstUnread: value.firstUnread ?? firstUnread(span.messages, this.#newest, this.#unread, chat.user),
      ...patch,
    };
  }
}
