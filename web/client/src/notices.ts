// The sixth module of the client: of which messages the person is notified. It hears the changes of all rooms that the
// connection receives, and personal events about the others. After a lost connection, it reads what it missed.
import type { Client } from "./client.js";
import type { Change } from "./feed.js";
import { encode } from "./ids.js";
import { decide, holdBack, type Facts, type Level } from "./notify.js";
import { Alarm } from "./pause.js";
import type {
  Chat, NotificationSettings, Notice, Notices, PersonalEvent, RoomEntry, Schemas, StoredMessage,
} from "./types.js";
import { Value } from "./value.js";

export { decide, holdBack, isQuiet } from "./notify.js";

/** The most messages of a room that are read after a lost connection: the newest ones. */
const MISSED = 20;
/** The frame of a change mostly comes in this time, in milliseconds. Until then, its message is not requested. */
const PATIENCE = 400;
/** Missed changes are read this much later than they show, in milliseconds: by then, the list has the unread counts. */
const CATCH_UP_AFTER = 2500;
/** The number of followed threads that are loaded. Older threads become known when they change. */
const THREADS = 100;
/** The longest timer for the end of a level, in milliseconds: a later end is checked again. */
const DAY = 86_400_000;
/** The clocks of a server's processes differ by less, in milliseconds: a message this old may be new. */
const SKEW = 2000;
/** The number of remembered messages. A repeated event is never older. */
const REMEMBERED = 1000;

const all = new WeakMap<Chat, OpenNotices>();

/** Returns the notices of a client, always the same object. They begin with the first call, and end with the client. */
export function noticesOf(chat: Chat): Notices {
  const there = all.get(chat) ?? new OpenNotices(chat as Client);
  all.set(chat, there);
  return there;
}

interface Told extends Notice {
  readonly facts: Facts;
  /** Whether its number may be a later one, because it was read after a lost connection. */
  readonly late: boolean;
  /** Whether the list had the room: the notice then ends with the room. */
  readonly inList: boolean;
}

/** A list of messages that may have missed ones, and the head of its room. */
interface Missed { readonly path: string; readonly head: number }

/** The known facts about a message, without its contents. */
interface About { readonly seq: number; readonly mention?: boolean; readonly late?: boolean }

/** Returns the level of a room, as it applies at a time. */
const levelOf = (r: RoomEntry | undefined, now: number): Level | undefined =>
  (r?.levelUntil && Date.parse(r.levelUntil) <= now ? undefined : r?.level);

const threadOf = (m: StoredMessage): string => `${m.room} ${m.thread}`;

class OpenNotices extends Value<readonly Told[]> implements Notices {
  readonly settings = new Value<NotificationSettings | undefined>(undefined);
  isBusy = (): boolean => false;
  readonly #began: number;
  #known = new Map<string, boolean>(); // the messages that were decided about, and whether that is final
  #heads: Map<string, number> | undefined; // the newest change of each room that was heard or read
  #read = new Map<string, number>(); // the markers of which events were received, by room, or room and thread
  #followed = new Set<string>(); // by room and thread
  // replies to own messages that did not notify
  #held: readonly { readonly m: StoredMessage; readonly seq: number }[] = [];
  #work = Promise.resolve();
  #gap = false; // whether there was no connection since the last catching up
  readonly #catchUp = new Alarm();
  readonly #levelEnd = new Alarm();

  constructor(private readonly chat: Client) {
    super([]);
    const { rooms, ended } = chat;
    this.#began = chat.now() - SKEW;
    rooms.heard = (room, changes) => this.#heard(room, changes);
    for (const o of [rooms, this.settings]) o.subscribe(() => this.#listed());
    chat.on("block", () => this.#keep(n => !chat.blocked?.has(n.message.user)));
    chat.on("personal", e => this.#personal(e));
    chat.state.subscribe(() => {
      if (chat.state.value !== "online") this.#gap = true;
      else if (!this.settings.value) this.#load();
    });
    ended.addEventListener("abort", () => {
      this.#catchUp.clear();
      this.#levelEnd.clear();
      this.value = [];
    });
    this.#listed();
    this.#load();
  }

  async change(settings: Schemas["NotificationChange"]): Promise<void> {
    this.settings.value = await this.chat.request("PATCH", "/people/me/notifications", settings);
  }

  /** Does one piece of work after another. What fails is repeated by the next connection, or with the next change. */
  #enqueue(work: () => Promise<void>): void {
    this.#work = this.#work.then(() => (this.chat.ended.aborted ? undefined : work())).catch(() => {});
  }

  /** Loads the settings and the followed threads. */
  #load(): void {
    this.#enqueue(async () => {
      this.settings.value = await this.chat.request("GET", "/people/me/notifications");
      await this.#threads();
    });
  }

  /** Loads the followed threads, and returns those with unread replies. */
  async #threads() {
    const { items } = await this.chat.request("GET", `/people/me/threads?limit=${THREADS}`);
    for (const { message: m, read } of items) {
      this.#followed.add(`${m.room} ${m.id}`);
      this.#moved(`${m.room} ${m.id}`, read);
    }
    return items.filter(t => t.unread);
  }

  /** Handles changes of a room that the connection receives. */
  #heard(room: string, changes: readonly Change[]): void {
    for (const { type, seq, id = "", message, omitted } of changes) {
      if (seq === (this.#heads?.get(room) ?? 0) + 1) this.#heads?.set(room, seq); // or one before it was missed
      if (message && (type === "message.created" || type === "reply.created")) this.#consider([message], { seq });
      else if (omitted && !this.#known.has(id)) this.#fetch(room, id, { seq });
      if (message?.deletedAt) this.#keep(n => n.id !== message.id);
      else if (message && this.value.some(n => n.id === message.id)) {
        this.value = this.value.map(n => (n.id === message.id ? { ...n, message } : n));
      }
    }
  }

  #personal({ type, room = "", id = "", seq = 0, read = 0, following }: PersonalEvent): void {
    if (type === "notifications.changed") this.#load();
    if (type === "mention.added") this.#fetch(room, id, { seq, mention: true });
    if (type === "message.added") this.#fetch(room, id, { seq });
    if (type === "read.changed") this.#moved(room, read);
    if (type === "room.removed") this.#keep(n => n.room !== room);
    if (type !== "thread.changed") return;
    const thread = `${room} ${id}`;
    this.#followed[following ? "add" : "delete"](thread);
    this.#moved(thread, read);
    for (const { m, seq } of this.#held.filter(h => threadOf(h.m) === thread)) {
      this.#held = this.#held.filter(h => h.m !== m);
      this.#known.delete(m.id);
      if (following) this.#consider([m], { seq });
    }
    if (!following) this.#keep(n => n.kind !== "reply" || threadOf(n.message) !== thread);
  }

  /** Requests a message, unless its change is received soon. */
  #fetch(room: string, id: string, about: About): void {
    const isKnown = () => (about.mention ? this.#known.get(id) : this.#known.has(id));
    setTimeout(() => !isKnown() && this.#enqueue(async () => {
      if (!isKnown()) {
        this.#consider([await this.chat.request("GET", `/rooms/${encode(room)}/messages/${encode(id)}`)], about);
      }
    }), PATIENCE);
  }

  /** Records that a marker has moved, of a room or a thread. */
  #moved(of: string, read: number): void {
    this.#read.set(of, read);
    this.#keep(n => !this.#isRead(n));
  }

  #isRead({ room, message: m, seq, facts }: Pick<Told, "room" | "message" | "seq" | "facts">): boolean {
    const byRoom = facts.listed || facts.mention || facts.everyone;
    const upTo = Math.max(
      byRoom ? this.chat.rooms.entry(room)?.read ?? this.#read.get(room) ?? 0 : 0, this.#read.get(threadOf(m)) ?? 0,
    );
    return seq <= upTo;
  }

  /** Decides about messages, and shows the notifications. */
  #consider(messages: readonly StoredMessage[], { seq, mention, late = false }: About): void {
    const { chat } = this;
    for (const m of messages) {
      const r = chat.rooms.entry(m.room);
      const since = Math.max(this.#began, Date.parse(r?.joinedAt ?? "") || 0);
      if (mention ? this.#known.get(m.id) : this.#known.has(m.id) || Date.parse(m.receivedAt) < since) continue;
      const facts = {
        listed: !m.thread || !!m.showInRoom,
        direct: r?.kind === "direct",
        followed: !!m.thread && this.#followed.has(threadOf(m)),
        mention: mention || !!m.mentions?.includes(chat.user), everyone: !!m.mentionRoom,
      };
      this.#known.set(m.id, facts.mention); // a later mention notifies, unless the message did
      if (this.#known.size > REMEMBERED) this.#known.delete(this.#known.keys().next().value!);
      const barred = m.user === chat.user || m.kind === "system" || !!m.deletedAt || !!chat.blocked?.has(m.user)
        || this.#isRead({ room: m.room, message: m, seq, facts });
      if (!this.#decide(m.room, facts, barred)) {
        // The first reply to an own message may come before the event that says that the thread is followed.
        if (m.thread?.endsWith(`~${chat.user}`) && !facts.followed) {
          this.#held = [...this.#held.slice(-MISSED), { m, seq }];
        }
        continue;
      }
      this.#known.set(m.id, true);
      const kind = facts.mention || facts.everyone ? "mention"
        : facts.direct ? "direct"
        : facts.followed ? "reply"
        : "message";
      this.value = [
        ...this.value.filter(n => n.id !== m.id),
        { room: m.room, id: m.id, message: m, kind, facts, seq, late, inList: !!r },
      ];
    }
  }

  #decide(room: string, facts: Facts, barred: boolean, quiet?: boolean): boolean {
    const { settings: { value: settings }, chat } = this;
    const now = chat.now();
    return decide({
      barred, room: levelOf(chat.rooms.entry(room), now), person: settings?.level ?? "direct",
      quiet: quiet ?? (this.isBusy() || (!!settings && holdBack(settings, now))),
      mentionsAlways: !!settings?.mentionsAlways,
    }, facts);
  }

  /** Removes notices for which keep is false. */
  #keep(keep: (n: Told) => boolean): void {
    if (!this.value.every(keep)) this.value = this.value.filter(keep);
  }

  /** Compares the notices with the list of rooms, and the list with the changes that were heard. */
  #listed(): void {
    const { rooms } = this.chat;
    if (!rooms.loaded || rooms.cachedAt) return;
    const spare = new Map<string, number>(); // the missed messages that can be unread, by room
    for (const n of [...this.value].reverse()) {
      if (n.facts.listed) spare.set(n.room, (spare.get(n.room) ?? rooms.entry(n.room)?.unread ?? Infinity) - 1);
    }
    this.#keep(n => {
      if ((n.inList && !rooms.has(n.room)) || this.#isRead(n) || !this.#decide(n.room, n.facts, false, false)) {
        return false;
      }
      const extra = n.late && n.facts.listed ? spare.get(n.room)! : 0;
      if (extra < 0) spare.set(n.room, extra + 1); // the oldest are read
      return extra >= 0;
    });
    const heads = this.#heads ??= new Map([...rooms.ids].map(id => [id, rooms.head(id) ?? 0]));
    if (!this.#catchUp.armed && [...rooms.ids].some(id => (rooms.head(id) ?? 0) > (heads.get(id) ?? 0))) {
      this.#catchUp.set(CATCH_UP_AFTER, () => this.#enqueue(() => this.#readMissed()));
    }
    const ends = rooms.value.flatMap(r =>
      (levelOf(r, this.chat.now()) && r.levelUntil ? [Date.parse(r.levelUntil)] : []));
    this.#levelEnd.clear();
    const next = Math.min(...ends) - this.chat.now();
    if (next < DAY) this.#levelEnd.set(next, () => rooms.reload().catch(() => {}));
  }

  /** Reads the messages of rooms whose changes were not heard: there was no connection, or it does not receive them. */
  async #readMissed(): Promise<void> {
    const { request, rooms, live } = this.chat;
    const heads = this.#heads!;
    const missed = new Map<string, readonly [before: number, head: number]>();
    for (const id of rooms.ids) {
      const [before, head] = [heads.get(id) ?? 0, rooms.head(id) ?? 0];
      if (head > before) missed.set(id, [before, head]);
    }
    // Changes of a room that the connection receives are missed only if it was lost, and then personal events, too.
    const isLost = (id: string) => this.#gap || live.receives(id);
    if ([...missed.keys()].some(isLost)) {
      const { items } = await request("GET", `/people/me/mentions?limit=${MISSED}`);
      for (const { room, seq, message } of items.reverse()) {
        if (seq > (missed.get(room)?.[0] ?? Infinity)) this.#consider([message], { seq, mention: true });
      }
    }
    const [pages, threads]: [Missed[], Set<string>] = [[], new Set()];
    for (const [id, [, head]] of missed) {
      const r = rooms.entry(id);
      const wanted = r
        && (this.#decide(id, { listed: true, direct: r.kind === "direct" }, false, false) || r.mentions > 0);
      if (wanted) pages.push({ path: `/rooms/${encode(id)}/messages`, head });
      if (isLost(id) && [...this.#followed].some(t => t.startsWith(`${id} `))) threads.add(id);
    }
    for (const { message: m } of threads.size ? await this.#threads() : []) {
      const [, head] = missed.get(m.room) ?? [];
      if (head) pages.push({ path: `/rooms/${encode(m.room)}/messages/${encode(m.id)}/replies`, head });
    }
    for (const { path, head } of pages) {
      const { items } = await request<{ items: StoredMessage[] }>("GET", `${path}?limit=${MISSED}`);
      this.#consider(items.reverse(), { seq: head, late: true });
    }
    for (const [id, [, head]] of missed) heads.set(id, Math.max(heads.get(id) ?? 0, head));
    this.#gap = false;
  }
}
