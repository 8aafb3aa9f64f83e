// The edge of one client: its fetch, sockets and tokens, by which a test knows what it waits for.
import { WebSocket as Ws } from "ws";
import type { Options, Trace } from "../../src/index.js";
import type { Frame } from "./proxy.js";

/** Node's own WebSocket spells its header differently, and Node 20 has none. */
export const socketOption = { WebSocket: Ws };

export class Edge {
  /** The frames that the client has received. */
  readonly received: Frame[] = [];
  /** How often a token was asked for, and how often after a refusal. */
  readonly asked = { times: 0, refused: 0 };
  private calls = 0; // for tokens, and for answers to requests
  private readonly sockets = new Set<Set<unknown>>(); // what each waits for

  constructor(private readonly o: Pick<Options, "fetch" | "getToken" | "trace">) {}

  /** Reports whether the client waits for nothing but time and frames. */
  get idle(): boolean {
    return this.calls === 0 && [...this.sockets].every(awaited => awaited.size === 0);
  }

  get options(): Pick<Options, "fetch" | "getToken" | "trace" | "WebSocket"> {
    const { fetch = globalThis.fetch } = this.o;
    return {
      fetch: (url, how) => { this.calls++; return fetch(url, how); }, // until its trace
      trace: e => this.traced(e),
      getToken: how => this.token(how),
      WebSocket: countedSocket(this.sockets),
    };
  }

  private traced(e: Trace): void {
    if (e.kind === "request") this.calls--;
    if (e.kind === "received") this.received.push(JSON.parse(e.frame) as Frame);
    this.o.trace?.(e);
  }

  private async token(how: { refused: boolean }): Promise<string> {
    this.calls++;
    this.asked.times++;
    if (how.refused) this.asked.refused++;
    try {
      return await this.o.getToken(how);
    } finally {
      this.calls--;
    }
  }
}

/** Returns a class of sockets that record what they wait for: to open, and answers to frames. */
function countedSocket(sockets: Set<Set<unknown>>): NonNullable<Options["WebSocket"]> {
  const idOf = (text: string) => (JSON.parse(text) as { id?: string }).id;
  class Counted extends Ws {
    private readonly awaited = new Set<unknown>([this]);
    constructor(url: string, protocols: string[]) {
      super(url, protocols);
      sockets.add(this.awaited);
      this.on("open", () => this.awaited.delete(this));
      this.on("message", (b: Buffer) => this.awaited.delete(idOf(b.toString())));
      this.on("close", () => sockets.delete(this.awaited));
    }
    override send(text: string): void {
      this.awaited.add(idOf(text));
      super.send(text);
    }
    override close(): void {
      sockets.delete(this.awaited);
      super.close();
    }
  }
  return Counted;
}
