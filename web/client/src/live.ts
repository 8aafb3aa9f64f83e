import { isGone } from "./http.js";
import type { Frame, FrameRoom, Wanted } from "./link.js";
import type { OpenRoom } from "./room.js";
import type { RoomList } from "./rooms.js";
import { Session, type SessionOptions } from "./session.js";

/** A connection has at most so many rooms. */
const MOST = 100;
/** A request of 4 KB has room for so many. */
const AT_ONCE = 20;
/** A subscription that failed is repeated after this time. */
const ASK_AGAIN = 20_000;

export interface LiveOptions extends SessionOptions {
  rooms: RoomList;
  /** Told of the server's time. */
  time: (text: string) => void;
  personal: (event: NonNullable<Frame["event"]>) => void;
}

/** The subscriptions of the connection, and the way of each frame to its room. */
export class Live extends Session {
  /** The rooms that are followed, by id. */
  readonly followed = new Map<string, OpenRoom>();
  #subscribed = new Set<string>();
  #positions = new Map<string, { head: number; since: string }>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly to: LiveOptions) {
    super(to);
  }

  /** Follows a room, from the position that is known of it. */
  follow(room: OpenRoom): void {
    const at = this.#positions.get(room.id);
    this.followed.set(room.id, room);
    if (at) room.follower?.position(at.head, at.since);
    else this.#subscribed.delete(room.id); // it may have been refused
    this.subscribe();
  }

  /** Ends a subscription that only an open room needed. */
  unfollow({ id }: OpenRoom): void {
    this.followed.delete(id);
    if (!this.#wanted().some(w => w.id === id) && this.#lose(id)) this.send("unsubscribe", { rooms: [{ id }] });
  }

  /** Subscribes to what is wanted and not subscribed to. */
  subscribe(): void {
    if (this.state.value !== "online") return;
    const missing = this.#wanted().filter(({ id }) => !this.#subscribed.has(id));
    for (const { id } of missing) this.#subscribed.add(id);
    while (missing.length) this.send("subscribe", { rooms: missing.splice(0, AT_ONCE) });
  }

  /** Returns the rooms of a hello; those that the server chooses until the list is known. */
  override wanted(): Wanted[] | undefined {
    return this.to.rooms.loaded ? this.#wanted() : undefined;
  }

  /** Returns the open rooms, and then the list's. */
  #wanted(): Wanted[] {
    const open = [...this.followed.values()].map(({ id, since }) => (since ? { id, since } : { id }));
    const listed = this.to.rooms.value.filter(({ id }) => !this.followed.has(id)).map(({ id }) => ({ id }));
    return [...open, ...listed].slice(0, MOST);
  }

  #lose(id: string): boolean {
    this.#positions.delete(id);
    return this.#subscribed.delete(id);
  }

  #answered({ now, problem, rooms = [] }: Frame, request: string): void {
    if (now) this.to.time(now);
    if (problem) return this.#later();
    const ids = new Set(rooms.map(r => r.id));
    // The server may have lost the rooms of the connection.
    const lost = request === "sync" && [...this.#positions.keys()].some(id => !ids.has(id));
    if (request === "hello") {
      this.#positions.clear();
      this.#subscribed = ids;
    }
    for (const r of rooms) this.#position(r);
    if (lost) this.send("hello", { rooms: this.wanted() });
    this.subscribe();
  }

  #position({ id, head = -1, since, reset, unsubscribed, problem }: FrameRoom): void {
    const room = this.followed.get(id);
    if (since) {
      this.#positions.set(id, { head, since });
      this.to.rooms.position(id, head);
      if (reset) void room?.latest(true);
      else room?.follower?.position(head, since);
    } else if (isGone(problem?.status)) room?.gone();
    else if (problem) this.#later();
    else if (unsubscribed) this.#lose(id);
  }

  /** Repeats refused subscriptions after a while. */
  #later(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#subscribed = new Set(this.#positions.keys());
      this.subscribe();
    }, ASK_AGAIN);
  }

  override taken(frame: Frame, request: string | undefined): void {
    if (request) return this.#answered(frame, request);
    const { type, room: id = "", user, until = "", event } = frame;
    const room = this.followed.get(id);
    for (const r of frame.rooms ?? []) this.#news(r);
    if (type === "typing" && user) room?.presence.types(user, Date.parse(until) - this.to.now());
    if (event) this.to.personal(event);
    if (type === "unsubscribed") {
      this.#positions.delete(id);
      room?.gone();
      this.to.rooms.doubt();
    }
  }

  /** Takes what a frame has of a room: changes, or a person who has come or left. */
  #news({ id, changes, since = "", user, online }: FrameRoom): void {
    const room = this.followed.get(id);
    if (user) room?.presence.moved(user, !!online);
    if (!changes) return;
    this.#positions.set(id, { head: changes.at(-1)?.seq ?? 0, since });
    this.to.rooms.changes(id, changes);
    room?.follower?.frame(changes, since);
  }
}
