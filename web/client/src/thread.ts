import type { Client } from "./client.js";
import type { Follower } from "./follower.js";
import { encode } from "./ids.js";
import { isGone, statusOf } from "./http.js";
import { follow, markRead } from "./doing.js";
import { Alarm } from "./pause.js";
import type { OpenRoom } from "./room.js";
import { showThread } from "./shown.js";
import { EMPTY, place, type Span } from "./timeline.js";
import type { Act, ChangeEvent, Chat, Outgoing, Sending, StoredMessage, Thread, ThreadView } from "./types.js";
import { Value } from "./value.js";
import { CLOSED, unsentMessages, withBlocked } from "./view.js";

/** The replies of a page. */
const PAGE = 50;
/** The list of replies may be a second behind the count in the root message. */
const LAG = 1500;

/** Returns the thread of a message in an open room. Its open loads it. */
export const thread = (chat: Chat, room: string, root: string): Thread => new OpenThread(chat as Client, room, root);

class OpenThread extends Value<ThreadView> implements Thread {
  readonly #room: OpenRoom;
  readonly #path: `/rooms/${string}/messages/${string}`;
  readonly #lag = new Alarm();
  #span: Span = EMPTY;
  #first: StoredMessage | undefined;
  #cursor = ""; // of the replies before the loaded ones
  #changes: StoredMessage[] = []; // since the last load began
  #turn = 0;
  #checked = -1; // the count of replies for which the list was last reloaded
  #read = ""; // the reply up to which the marker was moved
  #opens = 0; // that were not closed
  #busy: Promise<void> | undefined;
  #ends: (() => void)[] = [];
  #follower: Follower | undefined; // the room's when this was loaded

  constructor(
    private readonly chat: Client,
    readonly id: string,
    readonly root: string,
  ) {
    super({ ...CLOSED, following: false });
    this.#room = chat.room(id);
    this.#path = `/rooms/${encode(id)}/messages/${encode(root)}`;
  }

  async open(): Promise<void> {
    if (this.#opens++) return this.latest();
    const { chat } = this;
    this.#ends = [
      showThread(chat, this),
      chat.on("change", e => this.#heard(e)),
      chat.on("personal", ({ type, room, id, following }) => {
        if (type === "thread.changed" && room === this.id && id === this.root) this.show({ following: !!following });
      }),
      chat.on("block", () => this.each(m => this.#mark(m))),
      this.#room.subscribe(() => this.#roomChanged()),
      // Events may have been missed while there was no connection.
      chat.state.subscribe(() => void (chat.state.value === "online" && this.#load())),
    ];
    await this.#load();
  }

  close(): void {
    if (!this.#opens || --this.#opens) return;
    this.#turn++;
    this.#lag.clear();
    for (const end of this.#ends) end();
    this.#ends = [];
  }

  /** Reloads the thread after the room was reloaded, which publishes no changes. */
  #roomChanged(): void {
    const { value, follower } = this.#room;
    if (value.phase === "ready" && follower !== this.#follower) void this.#load();
    else this.show();
  }

  async #load(): Promise<void> {
    const turn = ++this.#turn;
    this.#changes = [];
    this.#follower = this.#room.follower;
    if (this.value.phase !== "ready") this.show({ phase: "loading", error: undefined });
    try {
      const [first, page] = await Promise.all([this.chat.request("GET", this.#path), this.#page("")]);
      if (turn !== this.#turn) return;
      const known = this.#span.messages;
      this.#first = this.#mark(first);
      this.#span = EMPTY;
      this.#extend(page);
      // The list may be a second behind changes that were received before.
      const newer = (m: StoredMessage) => known.find(({ id, revision }) => id === m.id && revision > m.revision) ?? m;
      this.#span = { ...this.#span, messages: this.#span.messages.map(newer) };
      for (const m of this.#changes) this.stored(m);
      this.show({ phase: "ready" });
      this.#check();
    } catch (e) {
      if (turn === this.#turn) this.show({ phase: isGone(statusOf(e)) ? "gone" : "failed", error: e as Error });
    }
  }

  async #page(cursor: string): Promise<{ items: StoredMessage[]; next?: string }> {
    const page = await this.chat.request(
      "GET", `${this.#path}/replies?include=people&limit=${PAGE}${cursor && `&cursor=${encode(cursor)}`}`);
    this.chat.people.add(page.people);
    return page;
  }

  #extend({ items, next }: { items: readonly StoredMessage[]; next?: string }): void {
    const span = items.reduce((all, m) => place(all, this.#mark(m)), { ...this.#span, hasOlder: false });
    this.#span = { ...span, hasOlder: !!next };
    this.#cursor = next ?? "";
  }

  older(): Promise<void> {
    return (this.#busy ??= this.#older().finally(() => (this.#busy = undefined)));
  }

  async #older(): Promise<void> {
    const turn = this.#turn;
    if (!this.#cursor) return;
    const page = await this.#page(this.#cursor);
    if (turn !== this.#turn) return;
    this.#extend(page);
    this.show();
  }

  /** Reloads the replies when the root message counts more of them than the list had. */
  #check(): void {
    const count = this.#first?.replies?.count ?? 0;
    if (
      this.#span.hasOlder
      || count === this.#checked
      || count <= this.#span.messages.filter(m => !m.deletedAt).length
    ) return;
    this.#checked = count;
    this.#lag.set(LAG, () => void this.#load());
  }

  #heard(c: ChangeEvent): void {
    if (c.room !== this.id || !c.message) return;
    this.#changes.push(c.message);
    if (c.message.thread === this.root) this.#read = ""; // a reply may be shown before its number is known
    this.stored(c.message);
    this.show();
    this.#check();
  }

  /** Puts a stored message of the room in its place. The caller then calls show. */
  stored(m: StoredMessage): void {
    const marked = this.#mark(m);
    if (m.thread === this.root) this.#span = place(this.#span, marked, true);
    else if (m.id === this.root && this.#first) {
      this.#first = place({ ...EMPTY, messages: [this.#first] }, marked, true).messages[0];
    }
  }

  #mark(m: StoredMessage): StoredMessage {
    for (const user of [m.user, ...(m.mentions ?? []), ...(m.quote ? [m.quote.user] : [])]) this.chat.people.need(user);
    return withBlocked(m, this.chat.blocked?.has(m.user));
  }

  /** Returns the root message or a loaded reply as the server has it. */
  base(id: string): StoredMessage | undefined {
    return [this.#first, ...this.#span.messages].find(m => m?.id === id);
  }

  /** Changes the root message and the loaded replies, and shows them. */
  each(change: (m: StoredMessage) => StoredMessage): void {
    this.#first &&= change(this.#first);
    this.#span = { ...this.#span, messages: this.#span.messages.map(change) };
    this.show();
  }

  show(patch?: Partial<ThreadView>): void {
    const { chat, value } = this;
    const unsent = unsentMessages(chat.acts.messages, this.id, chat.user);
    const [first] = chat.acts.shown(this.id, this.#first ? [this.#first] : []);
    this.value = {
      ...value, ...this.#span, ...(first && { first }),
      ...(this.#room.value.info && { info: this.#room.value.info }),
      messages: chat.acts.shown(this.id, [...this.#span.messages, ...unsent.filter(m => m.thread === this.root)]),
      people: chat.people.value,
      live: this.#room.value.live,
      typing: this.#room.presence.view(chat.user, this.root).typing,
      ...patch,
    };
  }

  send(message: string | Outgoing, metadata?: Record<string, unknown>, parts?: Sending): string {
    const { root: thread } = this;
    return typeof message === "string"
      ? this.#room.send(message, metadata, { ...parts, thread })
      : this.#room.send({ ...message, thread });
  }

  retry(id: string, file?: string): void {
    this.#room.retry(id, file);
  }

  discard(id: string): void {
    this.#room.discard(id);
  }

  removeFile(id: string, file: string): void {
    this.#room.removeFile(id, file);
  }

  edit(id: string, text: string): Promise<Act> {
    return this.#room.edit(id, text);
  }

  remove(id: string, after?: number): Promise<Act> {
    return this.#room.remove(id, after);
  }

  async markRead(): Promise<Act | undefined> {
    const last = this.#span.messages.at(-1)?.id;
    const seq = this.#room.follower?.feed.seq;
    if (!last || last === this.#read || seq === undefined) return undefined;
    const before = this.#read;
    this.#read = last;
    try {
      return await markRead(this.chat, this.id, { thread: this.root, seq });
    } catch (e) {
      this.#read = before;
      throw e;
    }
  }

  async setFollowing(following: boolean): Promise<Act> {
    const before = this.value.following;
    this.show({ following });
    try {
      return await follow(this.chat, { room: this.id, id: this.root }, following);
    } catch (e) {
      this.show({ following: before });
      throw e;
    }
  }

  markUnread(id: string): Promise<void> {
    return this.#room.markUnread(id);
  }

  async latest(): Promise<void> {
    if (this.value.phase !== "ready") await this.#load();
  }

  typing(): void {
    this.#room.typing(this.root);
  }

  // A thread is loaded from its newest replies on.
  async newer(): Promise<void> {}
  async around(): Promise<void> {}
  trim(): void {}
}
