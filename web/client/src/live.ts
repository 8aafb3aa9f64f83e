import { GAP_WAIT } from "./follower.js";
import { isGone, isPassing } from "./http.js";
import type { Kept } from "./kept.js";
import type { Frame, FrameRoom, Wanted } from "./link.js";
import type { OpenRoom } from "./room.js";
import { Alarm } from "./pause.js";
import { WHOLE, type RoomList } from "./rooms.js";
import { Session, type SessionClient } from "./session.js";
import type { Events, PersonalEvent } from "./types.js";

/** The most rooms of a request, whose limit is 4 KB. */
const MAX_REQUESTED = 20;
/** A failed subscription is repeated after this time. */
const RETRY_AFTER = 20_000;
/** The pause between two syncs of all rooms, which cost 31 units: people switch often between windows. */
const COMPARE_EVERY = 10_000;
/** The events of one look at the page arrive within this time, and lead to one sync. */
const SAME_LOOK = 500;

/** Returns how a request names a room. */
const wanted = ({ id, since }: OpenRoom): Wanted => (since ? { id, since } : { id });

/** The part of the client that live delivery uses. */
interface LiveClient extends SessionClient {
  readonly rooms: RoomList;
  readonly kept: Kept;
  /** Sets the clock to the server's time. */
  setTime(text: string): void;
  /** Handles an event that only the caller receives. */
  handlePersonal(e: PersonalEvent): void;
  /** Handles that a person came to a room of the connection, or left it. */
  handlePresence(e: Events["presence"]): void;
}

/** The subscriptions of the connection. It passes each frame to its room. */
export class Live extends Session<LiveClient> {
  /** The followed rooms, by id. */
  readonly followed = new Map<string, OpenRoom>();
  /** When each followed room was last heard of, or asked about. */
  readonly heardAt = new Map<string, number>();
  #subscribed = new Set<string>();
  #leaving = new Set<string>(); // the rooms whose subscriptions are being ended
  // the rooms whose subscriptions are not confirmed, and whether to ask again later
  #missing = new Map<string, boolean>();
  #asked = new Map<string, readonly Wanted[]>(); // the rooms of this connection's requests, by their names
  readonly #retryAlarm = new Alarm();
  #lookedAt = 0; // when somebody last looked
  #comparedAt = 0; // when all rooms were last compared
  #ensuring = false; // whether the subscriptions are about to be adapted
  readonly #compareAlarm = new Alarm();

  /** Passes frames to an open room, and subscribes to it. */
  follow(room: OpenRoom): void {
    this.followed.set(room.id, room);
    this.heardAt.set(room.id, Date.now());
    this.ensure();
  }

  /** Stops following a room, and unsubscribes unless the room list needs the subscription. */
  unfollow({ id }: OpenRoom): void {
    this.followed.delete(id);
    this.heardAt.delete(id);
    this.ensure();
  }

  /** Reports whether the connection receives the changes of a room. */
  receives(id: string): boolean {
    return this.state.value === "online" && this.#subscribed.has(id) && !this.#missing.has(id);
  }

  /** Returns the number of the newest change of a room, if the connection receives its changes. */
  head(id: string): number | undefined {
    return this.receives(id) ? this.chat.rooms.head(id) : undefined;
  }

  /** Compares all rooms, or, if that was just done, the open ones now and all soon. */
  override compare(): void {
    const now = Date.now();
    if (Math.abs(now - this.#lookedAt) < SAME_LOOK) return;
    this.#lookedAt = now;
    const ago = now - this.#comparedAt;
    if (ago < 0 || ago >= COMPARE_EVERY) return this.#compareAll(); // or the clock was set back
    this.#compareAlarm.set(COMPARE_EVERY - ago, () => this.#compareAll());
    this.check();
  }

  #compareAll(): void {
    this.#compared();
    this.send("sync");
  }

  #compared(): void {
    this.#comparedAt = Date.now();
    this.#compareAlarm.clear();
  }

  /** Compares followed rooms with the server, at most as many as a request names. */
  check(all = [...this.followed.values()]): void {
    const rooms = all.slice(0, MAX_REQUESTED);
    for (const { id } of rooms) this.heardAt.set(id, Date.now());
    if (!rooms.length) this.#compareAll();
    else this.send("sync", { rooms: rooms.map(wanted) }, "check");
  }

  /** Adapts the subscriptions to the wanted rooms, once for all changes of one piece of work. */
  ensure(): void {
    if (this.#ensuring) return;
    this.#ensuring = true;
    queueMicrotask(() => {
      this.#ensuring = false;
      if (this.state.value === "online") this.#adapt();
    });
  }

  /**
   * Unsubscribes from rooms that are not wanted, and subscribes to those that are. A room takes the place of another
   * after the answer about that one: a server may handle two requests in another order.
   */
  #adapt(): void {
    const wanted = this.#wanted();
    const ids = new Set(wanted.map(({ id }) => id));
    const old = this.chat.rooms.loaded ? [...this.#subscribed].filter(id => !ids.has(id)).map(id => ({ id })) : [];
    for (const { id } of old) {
      this.#subscribed.delete(id);
      this.#leaving.add(id);
    }
    const missing = wanted.filter(({ id }) => !this.#subscribed.has(id) && !this.#leaving.has(id))
      .slice(0, WHOLE - this.#subscribed.size - this.#leaving.size);
    for (const { id } of missing) {
      this.#subscribed.add(id);
      this.#missing.set(id, false);
    }
    this.#request("unsubscribe", old);
    this.#request("subscribe", missing);
  }

  /** Sends requests that name rooms. */
  #request(type: string, all: Wanted[]): void {
    while (all.length) {
      const rooms = all.splice(0, MAX_REQUESTED);
      const name = `${type}-${this.#asked.size}`;
      this.#asked.set(name, rooms);
      this.send(type, { rooms }, name);
    }
  }

  /** Shows the open rooms again. */
  show(): void {
    for (const room of this.followed.values()) room.show();
  }

  /** Returns the rooms of a hello; undefined lets the server choose until the list is loaded. */
  override wanted(): Wanted[] | undefined {
    return this.chat.rooms.loaded ? this.#wanted() : undefined;
  }

  /** Returns the open rooms, and then the rooms of the list. */
  #wanted(): Wanted[] {
    const open = [...this.followed.values()].map(wanted);
    const listed = [...this.chat.rooms.ids].filter(id => !this.followed.has(id)).map(id => ({ id }));
    return [...open, ...listed].slice(0, WHOLE);
  }

  /** Handles the answer to a request. */
  #answered({ now, problem, rooms = [] }: Frame, name: string): void {
    const request = name.split("-")[0]!;
    if (now) this.chat.setTime(now);
    for (const { id } of this.#asked.get(name) ?? []) {
      if (problem && request === "subscribe") this.#refuse(id, isPassing(problem.status));
      if (request === "unsubscribe") this.#leaving.delete(id);
    }
    if (problem) return;
    const ids = new Set(rooms.map(r => r.id));
    // The server may have lost some of the connection's subscriptions.
    const lost = request === "sync" && [...this.#subscribed].some(id => !ids.has(id));
    if (request === "hello") {
      // A new connection does not receive earlier personal events, such as new rooms.
      this.chat.rooms.reloadSoon();
      this.#subscribed = ids;
      this.#missing.clear();
      this.#asked.clear();
      this.#leaving.clear();
      this.#compared();
    }
    for (const r of rooms) this.#position(r, request);
    if (lost) this.send("hello", { rooms: this.wanted() });
    this.ensure();
  }

  /** Handles the position of a room in an answer to a request, or in a frame. */
  #position({ id, head, reset, unsubscribed, problem }: FrameRoom, request?: string): void {
    const room = this.followed.get(id);
    if (isGone(problem?.status)) room?.gone();
    // 409: another request has changed the subscription.
    else if (problem) this.#refuse(id, isPassing(problem.status) || problem.status === 409);
    // The answer to an unsubscribe may come after the next subscribe.
    if (unsubscribed && request !== "unsubscribe") this.#subscribed.delete(id);
    if (head === undefined) return;
    this.chat.rooms.setHead(id, head);
    if (request !== "check") this.#missing.delete(id);
    if (!room) return;
    this.heardAt.set(id, Date.now());
    if (reset) void room.reload();
    // The answer is old, or the room was restored from a copy.
    else if (request && head < room.seq) room.refresh().catch(() => {});
    else room.follower?.position(head, request ? 0 : GAP_WAIT);
    if (request === "check") return;
    room.show();
    room.caughtUp();
    if (request) room.loadOnline();
  }

  /** Handles that a subscription was refused. It is asked for again later if the refusal passes. */
  #refuse(id: string, passes: boolean): void {
    this.#missing.set(id, passes);
    this.followed.get(id)?.show();
    if (!this.#retryAlarm.armed) this.#retryAlarm.set(RETRY_AFTER, () => {
      for (const [id, passing] of this.#missing) if (passing && this.#missing.delete(id)) this.#subscribed.delete(id);
      this.ensure();
    });
  }

  override handle(frame: Frame, request: string | undefined): void {
    if (request) return this.#answered(frame, request);
    const { type, room: id = "", user = "", until, thread, event } = frame;
    const room = this.followed.get(id);
    for (const r of frame.rooms ?? []) {
      this.#position(r); // of heads
      this.#update(r);
    }
    if (type === "heads") this.chat.rooms.reloadSoon(); // personal events may be lost, too
    if (until) room?.presence.typing(user, Date.parse(until) - this.chat.now(), thread);
    if (event) this.chat.handlePersonal(event);
    if (type === "unsubscribed") {
      this.#subscribed.delete(id);
      room ? room.gone() : this.chat.kept.drop(id);
      this.chat.rooms.reloadSoon(id);
    }
  }

  /** Handles what a frame contains about a room: changes, or a person's presence. */
  #update({ id, changes, since = "", user, online }: FrameRoom): void {
    const room = this.followed.get(id);
    if (user) {
      room?.presence.setOnline(user, !!online);
      this.chat.handlePresence({ room: id, user, online: !!online });
    }
    if (!changes) return;
    // Old numbers are a repetition, or the room was restored from a copy: the next tick compares it.
    if (room) this.heardAt.set(id, changes.at(-1)!.seq > room.seq ? Date.now() : 0);
    this.chat.rooms.apply(id, changes);
    if (!room) this.chat.kept.writer?.frame(id, changes, since);
    room?.follower?.frame(changes, since);
  }
}
