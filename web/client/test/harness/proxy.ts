// A network between clients and a server that can fail: see Fate for requests, FrameFate for frames.
import { createServer, request as forward, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { bridge, type Link } from "./sockets.js";

/** A request as the network sees it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** The user of its token; empty without one. */
  readonly user: string;
}

/**
 * - `pass`: it arrives, and so does its answer.
 * - `lose-request`: the connection ends before the server has seen it.
 * - `lose-answer`: the server does it, and the connection ends before the answer.
 * - `repeat`: it arrives twice; the client gets the second answer.
 * - `echo`: it arrives, is answered, and arrives again later.
 * - `status`: the network answers in the place of the server.
 *
 * What a fate is promised for waits in the network.
 */
export type Fate =
  | "pass" | "lose-request" | "lose-answer" | "repeat" | "echo"
  | { readonly status: number; readonly retryAfter?: number; readonly body?: object };

/** `drop`, `repeat`: none or two arrive. */
export type FrameFate = "pass" | "drop" | "repeat";

/** A frame of a connection, parsed; `type` is undefined for frames of API Gateway. */
export interface Frame {
  readonly type?: string;
  readonly [field: string]: unknown;
}

/** What was done with a request. */
export interface Done extends Seen {
  /** Undefined while it waits. */
  fate?: Fate;
  /** The status that the server answered; 0 if it was not asked. */
  status: number;
  /** Whether its fate is complete. */
  ended: boolean;
}

const problems: Record<number, string> = { 429: "rate-limited", 503: "unavailable" };

export class Proxy {
  /** Decides about the answer to a request that has passed. */
  answer: (r: Seen) => "pass" | "lose-answer" | Promise<"pass" | "lose-answer"> = () => "pass";
  /** Decides about each request, frame of the server, frame of a client and connection. */
  request: (r: Seen) => Fate | Promise<Fate> = () => "pass";
  frame: (f: Frame, user: string) => FrameFate | Promise<FrameFate> = () => "pass";
  sent: (f: Frame) => FrameFate = () => "pass";
  /** Whether sockets can be had; without, an upgrade is answered by 503. */
  live = true;
  /** Whether connections are refused. */
  down = false;
  readonly log: Done[] = [];
  readonly frames: Frame[] = [];
  readonly sentFrames: Frame[] = [];
  readonly links = new Set<Link>();
  /** How many WebSocket connections were opened. */
  opened = 0;
  private readonly connections = new Set<Socket>();
  private readonly frozen = new WeakSet<Socket>();
  private readonly http: Server;

  private constructor(readonly target: string) {
    this.http = createServer((q, a) => { this.handle(q, a).catch(() => q.socket.destroy()); });
    this.http.keepAliveTimeout = 0; // a connection that ends while a request is sent is a fault
    this.http.on("connection", (s: Socket) => {
      if (this.down) return void s.destroy();
      this.connections.add(s);
      s.on("close", () => this.connections.delete(s));
    });
    this.http.on("upgrade", (q: IncomingMessage, s: Socket, head: Buffer) => bridge(this, q, s, head));
  }

  static async to(target: string): Promise<Proxy> {
    const p = new Proxy(target);
    await new Promise<void>(done => p.http.listen(0, "127.0.0.1", done));
    return p;
  }

  get url(): string {
    const address = this.http.address();
    if (!address || typeof address === "string") throw new Error("the network is not up");
    return `http://127.0.0.1:${address.port}`;
  }

  /** Ends all connections without a word. */
  cut(): void {
    for (const l of this.links) l.cut();
    for (const c of this.connections) c.destroy();
  }

  /** Silences all connections without ending them: nothing arrives over them any more. New ones are not affected. */
  freeze(): void {
    for (const l of this.links) l.halve();
    for (const c of this.connections) this.frozen.add(c);
  }

  /** Refuses connections until it is called with false. */
  fail(down: boolean): void {
    this.down = down;
    if (down) this.cut();
  }

  /** Heals everything. */
  heal(): void {
    this.request = this.answer = this.frame = this.sent = () => "pass";
    this.live = true;
    this.down = false;
  }

  async close(): Promise<void> {
    this.fail(true);
    await new Promise(done => this.http.close(done));
  }

  /** Returns the requests to post messages with this text. */
  posts(text?: string): Done[] {
    return this.log.filter(d => d.method === "POST" && d.path.endsWith("/messages") && (text === undefined || textOf(d.body) === text));
  }

  private async handle(q: IncomingMessage, a: ServerResponse): Promise<void> {
    const body = await read(q);
    const seen = { method: q.method ?? "", path: q.url ?? "", body: body.toString(), user: subject(q.headers.authorization) };
    const done: Done = { ...seen, status: 0, ended: false };
    this.log.push(done);
    if (this.frozen.has(q.socket)) return;
    const fate = done.fate = await this.request(seen);
    if (fate === "lose-request") q.socket.destroy();
    else if (typeof fate === "object") answer(a, fate.status, fate.body ?? problem(fate.status), fate.retryAfter);
    else await this.pass(q, a, body, done);
    done.ended = true;
  }

  /** Lets a request arrive, maybe twice, and its answer, maybe not. */
  private async pass(q: IncomingMessage, a: ServerResponse, body: Buffer, done: Done): Promise<void> {
    if (done.fate === "repeat") await this.ask(q, body);
    const answered = await this.ask(q, body);
    done.status = answered.status;
    if (this.frozen.has(q.socket)) return;
    if (done.fate === "lose-answer" || await this.answer(done) === "lose-answer") return void q.socket.destroy();
    a.writeHead(answered.status, answered.headers);
    a.end(answered.body);
    if (done.fate === "echo") await this.ask(q, body).catch(() => undefined);
  }

  /** Asks the server. A server that is down ends the connection, as its machine would. */
  private ask(q: IncomingMessage, body: Buffer): Promise<{ status: number; headers: string[]; body: Buffer }> {
    return new Promise((done, fail) => {
      const to = new URL(this.target);
      const headers = { ...q.headers, host: to.host, ...(q.headers.origin && { origin: to.origin }) }; // a page of the network is the server's
      const r = forward({ host: to.hostname, port: to.port, method: q.method, path: q.url, headers }, a => {
        read(a).then(b => done({ status: a.statusCode ?? 0, headers: a.rawHeaders, body: b }), fail);
      });
      r.on("error", fail);
      r.end(body);
    });
  }
}

function read(stream: IncomingMessage): Promise<Buffer> {
  return new Promise((done, fail) => {
    const parts: Buffer[] = [];
    stream.on("data", (b: Buffer) => parts.push(b));
    stream.on("end", () => done(Buffer.concat(parts)));
    stream.on("error", fail);
    stream.on("aborted", () => fail(new Error("aborted")));
  });
}

function problem(status: number): object {
  const type = problems[status];
  if (!type) return { message: "Internal Server Error" };
  return { type: `/problems/${type}`, title: type, status, detail: "Retry later.", retryable: true };
}

function answer(a: ServerResponse, status: number, body: object, retryAfter?: number): void {
  const typed = "type" in body;
  a.writeHead(status, {
    "content-type": typed ? "application/problem+json" : "application/json",
    ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
  });
  a.end(JSON.stringify(body));
}

function subject(authorization = ""): string {
  return userOf(authorization.replace(/^Bearer /, ""));
}

/** Returns the subject of a token, unchecked. */
export function userOf(token: string): string {
  try {
    const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { sub?: string };
    return claims.sub ?? "";
  } catch {
    return "";
  }
}

/** Returns the id and the text of a posted message. */
export function posted(body: string): { id?: string; text?: string } {
  return JSON.parse(body) as { id?: string; text?: string };
}

function textOf(body: string): string | undefined {
  return body ? posted(body).text : undefined;
}
