import { isGone } from "./http.js";
import type { Frame, FrameRoom, PersonalEvent, Wanted } from "./link.js";
import type { OpenRoom } from "./room.js";
import type { RoomList } from "./rooms.js";
import { Session, type SessionClient } from "./session.js";

/** A connection has at most so many rooms. */
const MOST = 100;
/** A request of 4 KB has room for so many. */
const AT_ONCE = 20;
/** A subscription that failed is repeated after this time. */
const ASK_AGAIN = 20_000;

/** What live delivery needs of the client. */
interface LiveClient extends SessionClient {
  readonly rooms: RoomList;
  /** Sets the clock to the server's time. */
  time(text: string): void;
  personal(e: PersonalEvent): void;
}

/** The subscriptions of the connection, and the way of each frame to its room. */
export class Live extends Session<LiveClient> {
  /** The rooms that are followed, by id. */
  readonly followed = new Map<string, OpenRoom>();
  #subscribed = new Set<string>();

  follow(room: OpenRoom): void {
    this.followed.set(room.id, room);
    this.ensure();
  }

  /** Ends a subscription that only an open room needed. */
  unfollow({ id }: OpenRoom): void {
    this.followed.delete(id);
    if (!this.#wanted().some(w => w.id === id) && this.#subscribed.delete(id)) this.send("unsubscribe", { rooms: [{ id }] });
  }

  /** Subscribes to what is wanted and not subscribed to. */
  ensure(): void {
    if (this.state.value !== "online") return;
    const missing = this.#wanted().filter(({ id }) => !this.#subscribed.has(id));
    for (const { id } of missing) this.#subscribed.add(id);
    while (missing.length) this.send("subscribe", { rooms: missing.splice(0, AT_ONCE) });
  }

  /** Returns the rooms of a hello; those that the server chooses until the list is known. */
  override wanted(): Wanted[] | undefined {
    return this.chat.rooms.loaded ? this.#wanted() : undefined;
  }

  /** Returns the open rooms, and then the list's. */
  #wanted(): Wanted[] {
    const open = [...this.followed.values()].map(({ id, since }) => (since ? { id, since } : { id }));
    const listed = this.chat.rooms.value.filter(({ id }) => !this.followed.has(id)).map(({ id }) => ({ id }));
    return [...open, ...listed].slice(0, MOST);
  }

  #answered({ now, problem, rooms = [] }: Frame, request: string): void {
    if (now) this.chat.time(now);
    if (problem && request === "subscribe") this.#later();
    if (problem) return;
    const ids = new Set(rooms.map(r => r.id));
    // The server may have lost the rooms of the connection.
    const lost = request === "sync" && [...this.#subscribed].some(id => !ids.has(id));
    if (request === "hello") {
      // Events of the person alone, such as new rooms, are not repeated to a connection that comes later.
      this.chat.rooms.doubt();
      this.#subscribed = ids;
    }
    for (const r of rooms) this.#position(r);
    if (lost) this.send("hello", { rooms: this.wanted() });
    this.ensure();
  }

  #position({ id, head, reset, unsubscribed, problem }: FrameRoom): void {
    const room = this.followed.get(id);
    if (isGone(problem?.status)) room?.gone();
    else if (problem) this.#later(id);
    if (unsubscribed) this.#subscribed.delete(id);
    if (head === undefined) return;
    this.chat.rooms.position(id, head);
    if (reset) void room?.latest(true);
    else room?.follower?.position(head);
    room?.meet();
  }

  /** Repeats a refused subscription, or all, after a while. */
  #later(id?: string): void {
    setTimeout(() => {
      if (id) this.#subscribed.delete(id);
      else this.#subscribed.clear();
      this.ensure();
    }, ASK_AGAIN);
  }

  override taken(frame: Frame, request: string | undefined): void {
    if (request) return this.#answered(frame, request);
    const { type, room: id = "", user = "", until, event } = frame;
    const room = this.followed.get(id);
    for (const r of frame.rooms ?? []) this.#news(r);
    if (until) room?.presence.types(user, Date.parse(until) - this.chat.now());
    if (event) this.chat.personal(event);
    if (type === "unsubscribed") {
      room?.gone();
      this.chat.rooms.doubt();
    }
  }

  /** Takes what a frame has of a room: changes, or a person who has come or left. */
  #news({ id, changes, since = "", user, online }: FrameRoom): void {
    const room = this.followed.get(id);
    if (user) room?.presence.moved(user, !!online);
    if (!changes) return;
    this.chat.rooms.changes(id, changes);
    room?.follower?.frame(changes, since);
  }
}
