import type { Change } from "./feed.js";
import type { Options, Socket } from "./options.js";
import type { PersonalEvent, Problem } from "./types.js";

/** An answer that takes longer is late: most take 0.1 s, and the first of a function 1 s. */
const LATE_AFTER = 2000;
/** The longest wait for the answer to a request: the server gives up after 15 s. */
const ANSWER_TIME = 16_000;
/** API Gateway closes a connection that is idle for 10 minutes. */
const SYNC_EVERY = 480_000;

/** A room to subscribe to. */
export interface Wanted {
  id: string;
  since?: string;
}

/** A room in a frame. */
export interface FrameRoom {
  readonly id: string;
  readonly head?: number;
  readonly since?: string;
  readonly reset?: boolean;
  readonly unsubscribed?: boolean;
  readonly problem?: Problem;
  readonly changes?: readonly Change[];
  readonly user?: string;
  readonly online?: boolean;
}

/** A frame of the server. Its type determines its fields. */
export interface Frame {
  readonly type?: string;
  readonly id?: string;
  readonly now?: string;
  readonly reason?: string;
  readonly room?: string;
  readonly user?: string;
  readonly until?: string;
  readonly thread?: string;
  readonly event?: PersonalEvent;
  readonly problem?: Problem;
  readonly rooms?: readonly FrameRoom[];
}

/** The receiver of a connection's events. */
export interface Listener {
  /** Returns the rooms of the hello, or undefined for the most recent ones. */
  wanted(): Wanted[] | undefined;
  /** Handles a frame, with the type of its request if it is an answer. */
  received(link: Link, frame: Frame, request: string | undefined): void;
  /** Handles that an answer is late, to a request or to the opening itself. */
  late(link: Link): void;
  /** Handles the end of the connection, with the server's reason. No other call follows. */
  ended(link: Link, reason: string | undefined): void;
}

/** A connection. It sends a hello as soon as it is open. */
export class Link {
  /** Whether an answer was late. */
  isLate = false;
  #socket: Socket;
  #waiting = new Map<string, ReturnType<typeof setTimeout>>();
  #requests = 0;
  #sync: ReturnType<typeof setInterval> | undefined;

  constructor(
    url: string,
    token: string,
    private readonly listener: Listener,
    private readonly options: Pick<Options, "WebSocket" | "trace">,
  ) {
    const { WebSocket = globalThis.WebSocket } = options;
    const socket = (this.#socket = new WebSocket(url, ["parley.v1", `bearer.${token}`]));
    this.#wait("");
    socket.onopen = () => {
      this.#answered("");
      this.send("hello", { rooms: listener.wanted() });
    };
    socket.onmessage = (e: { readonly data: unknown }) => this.#receive(String(e.data));
    socket.onclose = socket.onerror = () => this.#end();
  }

  /** Sends a request, whose answer has its name. It is lost if the connection ends. */
  send(type: string, fields?: object, name = type): void {
    if (this.#socket.readyState !== 1) return;
    const id = `${name} ${++this.#requests}`;
    const frame = JSON.stringify({ type, id, ...fields });
    this.#wait(id);
    this.#socket.send(frame);
    // A renewal is answered like a sync. Its token must not be in a trace.
    const renews = type === "renew";
    if (renews || type === "hello") {
      clearInterval(this.#sync);
      this.#sync = setInterval(() => this.send("sync"), SYNC_EVERY);
    }
    if (!renews) this.options.trace?.({ kind: "sent", frame, at: new Date() });
  }

  /** Closes the connection without another call of the listener. */
  close(): void {
    const socket = this.#socket;
    socket.onmessage = socket.onclose = socket.onopen = null;
    socket.onerror = () => {};
    clearInterval(this.#sync);
    for (const timer of this.#waiting.values()) clearTimeout(timer);
    socket.close();
  }

  #end(reason?: string): void {
    this.close();
    this.listener.ended(this, reason);
  }

  #wait(id: string): void {
    const late = () => {
      this.#waiting.set(id, setTimeout(() => this.#end(), ANSWER_TIME - LATE_AFTER));
      this.isLate = true;
      this.listener.late(this);
    };
    this.#waiting.set(id, setTimeout(late, LATE_AFTER));
  }

  #answered(id: string): boolean {
    clearTimeout(this.#waiting.get(id));
    return this.#waiting.delete(id);
  }

  #receive(frame: string): void {
    this.options.trace?.({ kind: "received", frame, at: new Date() });
    let read: Frame;
    try {
      read = JSON.parse(frame);
    } catch {
      return this.#end(); // later frames may be corrupt, too
    }
    const { type, id = "", reason } = read;
    if (type === "closing") return this.#end(reason); // the server waits for it
    if (!type && this.#waiting.size) return this.#end(); // a function has crashed, and will not answer
    const answer = type === "ack" || type === "problem";
    if (answer && !this.#answered(id)) return;
    const request = id.split(" ")[0];
    if (request === "hello" && type === "problem") this.#end();
    else this.listener.received(this, read, answer ? request : undefined);
  }
}
