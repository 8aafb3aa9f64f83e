import type { Change } from "./feed.js";
import type { Problem, Trace } from "./types.js";

/** How long an answer to a request may take: the server gives up after 15 s. */
const ANSWER_TIME = 16_000;
/** Below the 10 minutes after which an idle connection is closed. */
const SYNC_EVERY = 480_000;
const OPEN = 1;

/** A room to subscribe to. */
export interface Wanted {
  id: string;
  since?: string;
  mode?: "counts";
}

/** A room in an answer. */
export interface Position {
  readonly id: string;
  readonly head?: number;
  readonly since?: string;
  readonly reset?: boolean;
  readonly unsubscribed?: boolean;
  readonly problem?: Problem;
}

/** A frame of the server. Its type says which of the fields it has. */
export interface Frame {
  readonly type?: string;
  readonly id?: string;
  readonly now?: string;
  readonly reason?: string;
  readonly room?: string;
  readonly user?: string;
  readonly until?: string;
  readonly event?: { type: string; room?: string; read?: number; user?: string; blocked?: boolean };
  readonly problem?: Problem;
  readonly rooms?: readonly (Position & { changes?: readonly Change[]; seq?: number; count?: number; user?: string; online?: boolean })[];
}

export interface LinkOptions {
  url: string;
  token: string;
  WebSocket: new (url: string, protocols: string[]) => WebSocket;
  trace: (t: Trace) => void;
  /** Told of each answer with positions, and the type of its request. */
  answered: (frame: Frame, request: string) => void;
  /** Told of each other frame. */
  received: (frame: Frame) => void;
  /** Told once that the connection has ended, with the reason that the server gave. */
  ended: (reason: string | undefined) => void;
}

/** One connection. It begins with a hello as soon as it is open. */
export class Link {
  #socket: WebSocket;
  #waiting = new Map<string, { type: string; until: number }>();
  #requests = 0;
  #reason: string | undefined;
  #over = false;
  #synced = Date.now();
  #timer: ReturnType<typeof setInterval>;

  constructor(
    private readonly o: LinkOptions,
    hello: () => Wanted[] | undefined,
  ) {
    this.#socket = new o.WebSocket(o.url, ["parley.v1", `bearer.${o.token}`]);
    this.#socket.onopen = () => this.send("hello", { rooms: hello() });
    this.#socket.onmessage = (e: MessageEvent) => this.#receive(String(e.data));
    this.#socket.onclose = this.#socket.onerror = () => this.#end();
    const begun = Date.now();
    this.#timer = setInterval(() => this.#tick(begun), 1000);
  }

  /** Sends a request. It is lost if the connection is not open, or ends. */
  send(type: string, fields: object = {}): void {
    if (this.#socket.readyState !== OPEN) return;
    const id = String(++this.#requests);
    this.#waiting.set(id, { type, until: Date.now() + ANSWER_TIME });
    const frame = JSON.stringify({ type, id, ...fields });
    this.#socket.send(frame);
    this.o.trace({ kind: "sent", frame, at: new Date() });
  }

  /** Asks for all positions, which shows whether the connection works. */
  sync(): void {
    this.#synced = Date.now();
    this.send("sync");
  }

  /** Closes the connection and tells nobody. */
  close(): void {
    this.#over = true;
    clearInterval(this.#timer);
    this.#socket.onmessage = null;
    this.#socket.close();
  }

  #end(): void {
    if (this.#over) return;
    this.close();
    this.o.ended(this.#reason);
  }

  #tick(begun: number): void {
    const now = Date.now();
    const late = [...this.#waiting.values()].some(w => w.until < now);
    if (late || (!this.#requests && begun + ANSWER_TIME < now)) this.#end();
    else if (now - this.#synced > SYNC_EVERY) this.sync();
  }

  #receive(text: string): void {
    this.o.trace({ kind: "received", frame: text, at: new Date() });
    let frame: Frame;
    try {
      frame = JSON.parse(text) as Frame;
    } catch {
      return this.#end(); // nothing can be known about the next one
    }
    const { type } = frame;
    if (type === "closing") this.#reason = frame.reason;
    if (!type && this.#waiting.size) return this.#end(); // a function has crashed: nobody answers
    if (type !== "ack" && type !== "problem") return this.o.received(frame);
    const request = this.#waiting.get(frame.id ?? "")?.type;
    this.#waiting.delete(frame.id ?? "");
    if (request === "hello" && type === "problem") this.#end();
    else if (request) this.o.answered(frame, request);
  }
}
