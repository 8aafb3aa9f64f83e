import type { Frame, Position, Wanted } from "./link.js";
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

export interface LiveOptions extends Pick<SessionOptions, "socket" | "WebSocket" | "trace" | "tokens" | "now" | "poll"> {
  rooms: RoomList;
  /** The rooms that are followed, by id. */
  followed: ReadonlyMap<string, OpenRoom>;
  /** Told of the server's time. */
  time: (text: string) => void;
  personal: (event: NonNullable<Frame["event"]>) => void;
}

/** The subscriptions of the connection, and the way of each frame to its room. */
export class Live {
  readonly session: Session;
  #subscribed = new Map<string, Wanted["mode"]>();
  #positions = new Map<string, { head: number; since: string }>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly o: LiveOptions) {
    this.session = new Session({
      ...o,
      wanted: () => (o.rooms.loaded ? this.#wanted() : undefined),
      answered: (frame, request) => this.#answered(frame, request),
      received: frame => this.#received(frame),
    });
  }

  /** Follows a room, from the position that is known of it. */
  follow(room: OpenRoom): void {
    const at = this.#positions.get(room.id);
    if (at && this.#subscribed.has(room.id)) room.position(at.head, at.since);
    this.subscribe();
  }

  /** Ends a subscription that only an open room needed. */
  unfollow(id: string): void {
    if (this.#wanted().some(w => w.id === id) || !this.#subscribed.delete(id)) return;
    this.session.send("unsubscribe", { rooms: [{ id }] });
  }

  /** Subscribes to what is wanted and not subscribed to. */
  subscribe(): void {
    if (this.session.state.value !== "online") return;
    const missing = this.#wanted().filter(w => !this.#subscribed.has(w.id) || (this.#subscribed.get(w.id) && !w.mode));
    for (const w of missing) this.#subscribed.set(w.id, w.mode);
    for (let i = 0; i < missing.length; i += AT_ONCE) {
      this.session.send("subscribe", { rooms: missing.slice(i, i + AT_ONCE) });
    }
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  /** Returns the open rooms, and then the list's: the first in full, the others as counts. */
  #wanted(): Wanted[] {
    const { followed, rooms } = this.o;
    const open: Wanted[] = [...followed.values()].map(r => ({ id: r.id, ...(r.since && { since: r.since }) }));
    const listed: Wanted[] = rooms.value.filter(r => !followed.has(r.id)).map((r, i) => (i < FULL ? { id: r.id } : { id: r.id, mode: "counts" }));
    return [...open, ...listed].slice(0, MOST);
  }

  #answered(frame: Frame, request: string): void {
    if (frame.now) this.o.time(frame.now);
    if (frame.problem && request === "subscribe") this.#later();
    if (frame.type !== "ack") return;
    if (request === "hello") this.#subscribed = new Map(this.#wanted().map(w => [w.id, w.mode]));
    const known = new Set(frame.rooms?.map(r => r.id));
    for (const r of frame.rooms ?? []) this.#position(r);
    if (request === "hello" || request === "sync") {
      const lost = [...this.#subscribed.keys()].filter(id => !known.has(id));
      for (const id of lost) this.#subscribed.delete(id);
      if (lost.length && request === "sync") this.session.send("hello", { rooms: this.#wanted() });
    }
    this.subscribe();
  }

  #position({ id, head, since, reset, unsubscribed, problem }: Position): void {
    const room = this.o.followed.get(id);
    if (head === undefined || since === undefined) {
      this.#subscribed.delete(id);
      this.#positions.delete(id);
      if (problem && (problem.status === 404 || problem.status === 403)) {
        this.#subscribed.set(id, undefined); // not to be asked for once more
        room?.gone();
      } else if (!unsubscribed) this.#later();
      return;
    }
    this.#positions.set(id, { head, since });
    this.o.rooms.position(id, head);
    if (reset) void room?.reload();
    else room?.position(head, since);
  }

  /** Repeats refused subscriptions after a while. */
  #later(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#subscribed.clear();
      this.subscribe();
    }, ASK_AGAIN);
  }

  #received(frame: Frame): void {
    const { followed, rooms } = this.o;
    const room = followed.get(frame.room ?? "");
    switch (frame.type) {
      case "changes":
        for (const { id, changes = [], since = "" } of frame.rooms ?? []) {
          const last = changes.at(-1);
          if (last) this.#positions.set(id, { head: last.seq, since });
          rooms.changes(id, changes);
          followed.get(id)?.frame(changes, since);
        }
        break;
      case "counts":
        for (const { id, seq } of frame.rooms ?? []) if (seq !== undefined) rooms.position(id, seq);
        break;
      case "typing":
        if (frame.user) room?.presence.types(frame.user, Date.parse(frame.until ?? "") - this.o.now());
        break;
      case "presence":
        for (const { id, user, online } of frame.rooms ?? []) if (user) followed.get(id)?.presence.moved(user, !!online);
        break;
      case "unsubscribed":
        this.#subscribed.set(frame.room ?? "", undefined);
        room?.gone();
        rooms.doubt();
        break;
      case "personal":
        if (frame.event) this.o.personal(frame.event);
    }
  }
}
