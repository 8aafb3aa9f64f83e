import { isGone } from "./http.js";
import type { Frame, FrameRoom, Wanted } from "./link.js";
import type { OpenRoom } from "./room.js";
import type { RoomList } from "./rooms.js";
import { Session, type SessionOptions } from "./session.js";

/** So many rooms of the list are subscribed to in full: as many as the server takes by itself. */
const FULL = 30;
/** A connection has at most so many rooms. */
const MOST = 100;
/** A request of 4 KB has room for so many. */
const AT_ONCE = 20;
/** A subscription that failed is repeated after this time. */
const ASK_AGAIN = 20_000;

export interface LiveOptions extends SessionOptions {
  rooms: RoomList;
  /** The rooms that are followed, by id. */
  followed: ReadonlyMap<string, OpenRoom>;
  /** Told of the server's time. */
  time: (text: string) => void;
  personal: (event: NonNullable<Frame["event"]>) => void;
}

/** The subscriptions of the connection, and the way of each frame to its room. */
export class Live extends Session {
  #subscribed = new Map<string, Wanted["mode"]>();
  #asked = this.#subscribed; // by the hello
  #positions = new Map<string, { head: number; since: string }>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly to: LiveOptions) {
    super(to);
  }

  /** Follows a room, from the position that is known of it. */
  follow(room: OpenRoom): void {
    const at = this.#positions.get(room.id);
    if (at) room.position(at.head, at.since);
    else this.#subscribed.delete(room.id); // it may have been refused
    this.subscribe();
  }

  /** Ends a subscription that only an open room needed. */
  unfollow(id: string): void {
    if (!this.#wanted().some(w => w.id === id)) this.#lose(id) && this.send("unsubscribe", { rooms: [{ id }] });
  }

  /** Subscribes to what is wanted and not subscribed to. */
  subscribe(): void {
    if (this.state.value !== "online") return;
    const missing = this.#wanted().filter(({ id, mode }) => !this.#subscribed.has(id) || (this.#subscribed.get(id) && !mode));
    for (const { id, mode } of missing) this.#subscribed.set(id, mode);
    while (missing.length) this.send("subscribe", { rooms: missing.splice(0, AT_ONCE) });
  }

  override wanted(): Wanted[] | undefined {
    const wanted = this.to.rooms.loaded ? this.#wanted() : undefined;
    this.#asked = new Map(wanted?.map(w => [w.id, w.mode]));
    return wanted;
  }

  /** Returns the open rooms, and then the list's: the first in full, the others as counts. */
  #wanted(): Wanted[] {
    const { followed, rooms } = this.to;
    const wanted: Wanted[] = [...followed.values()].map(({ id, since }) => (since ? { id, since } : { id }));
    for (const { id } of rooms.value) {
      if (!followed.has(id)) wanted.push(wanted.length < FULL ? { id } : { id, mode: "counts" });
    }
    return wanted.slice(0, MOST);
  }

  #lose(id: string): boolean {
    this.#positions.delete(id);
    return this.#subscribed.delete(id);
  }

  #answered({ now, problem, rooms = [] }: Frame, request: string): void {
    if (now) this.to.time(now);
    if (problem) return this.#later();
    if (request === "hello") {
      this.#positions.clear();
      this.#subscribed = new Map(rooms.map(r => [r.id, this.#asked.get(r.id)]));
    }
    const known = new Set(rooms.map(r => r.id));
    for (const r of rooms) this.#position(r);
    // The server has lost the rooms of the connection.
    if (request === "sync" && [...this.#positions.keys()].some(id => !known.has(id))) this.send("hello", { rooms: this.wanted() });
    this.subscribe();
  }

  #position({ id, head, since, reset, unsubscribed, problem }: FrameRoom): void {
    const room = this.to.followed.get(id);
    if (problem) {
      this.#positions.delete(id);
      if (isGone(problem.status)) room?.gone();
      else this.#later();
    } else if (unsubscribed) this.#lose(id);
    else if (head !== undefined && since) {
      this.#positions.set(id, { head, since });
      this.to.rooms.position(id, head);
      if (reset) void room?.latest(true);
      else room?.position(head, since);
    }
  }

  /** Repeats refused subscriptions after a while. */
  #later(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      for (const id of this.#subscribed.keys()) if (!this.#positions.has(id)) this.#subscribed.delete(id);
      this.subscribe();
    }, ASK_AGAIN);
  }

  override taken(frame: Frame, request: string | undefined): void {
    if (request) return this.#answered(frame, request);
    const { followed, rooms, now, personal } = this.to;
    const { type, room: id = "", user, until = "", event } = frame;
    const room = followed.get(id);
    for (const { id, changes, since = "", seq, user, online } of frame.rooms ?? []) {
      if (changes) this.#positions.set(id, { head: changes.at(-1)?.seq ?? 0, since });
      if (changes) rooms.changes(id, changes);
      if (changes) followed.get(id)?.frame(changes, since);
      if (seq) rooms.position(id, seq);
      if (user) followed.get(id)?.presence.moved(user, !!online);
    }
    if (type === "typing" && user) room?.presence.types(user, Date.parse(until) - now());
    if (event) personal(event);
    if (type === "unsubscribed") {
      this.#positions.delete(id);
      room?.gone();
      rooms.doubt();
    }
  }
}
