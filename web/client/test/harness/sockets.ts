// The WebSocket half of the network: it joins a client's connection to one of its own to the server,
// and decides about each frame.
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { WebSocket, WebSocketServer } from "ws";
import { userOf, type Frame, type FrameFate, type Proxy } from "./proxy.js";

/** A client's connection through the network. */
export interface Link {
  readonly user: string;
  /** Sends the client a frame, as if the server had. */
  say(frame: Frame): void;
  /** Ends it on both sides without a word. */
  cut(): void;
  /** Holds back all that is sent, until it is called with false. */
  stall(on: boolean): void;
  /** Loses all that is sent from now on, and the end of it, too: neither side hears of that. */
  halve(): void;
}

/** Connects an upgrade to the server, and refuses it as the server does. */
export function bridge(network: Proxy, q: IncomingMessage, socket: Socket, head: Buffer): void {
  socket.on("error", () => undefined);
  if (!network.live || network.down) return void socket.end("HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
  const protocols = (q.headers["sec-websocket-protocol"] ?? "").split(",").map(p => p.trim()).filter(Boolean);
  const up = new WebSocket(network.target.replace(/^http/, "ws") + (q.url ?? ""), protocols);
  up.on("error", () => socket.destroy());
  up.on("unexpected-response", (_r: unknown, a: IncomingMessage) => {
    socket.end(`HTTP/1.1 ${a.statusCode} ${a.statusMessage}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
    up.terminate();
  });
  // Frames may come before the client's side is open.
  const early: string[] = [];
  const wait = (b: Buffer) => { early.push(b.toString()); };
  up.on("message", wait);
  up.on("open", () => {
    const server = new WebSocketServer({ noServer: true, handleProtocols: () => up.protocol || false });
    server.handleUpgrade(q, socket, head, down => {
      up.off("message", wait);
      link(network, up, down, early, userOf((protocols.find(p => p.startsWith("bearer.")) ?? "").slice("bearer.".length)));
    });
  });
}

/** Carries frames both ways until one side ends. */
function link(network: Proxy, up: WebSocket, down: WebSocket, early: string[], user: string): void {
  let held: (() => void)[] | undefined;
  let lost = false;
  const carry = (fate: FrameFate | Promise<FrameFate>, text: string, to: WebSocket) => {
    const work = () => void deliver(fate, text, to);
    if (!lost) held ? held.push(work) : work();
  };
  const l: Link = {
    user, say: frame => down.send(JSON.stringify(frame)), cut: () => { up.terminate(); down.terminate(); },
    stall: on => {
      const waiting = held ?? [];
      held = on ? waiting : undefined;
      if (!on) for (const work of waiting) work();
    },
    halve: () => { lost = true; },
  };
  network.links.add(l);
  network.opened++;
  const fromServer = (text: string) => {
    const frame = JSON.parse(text) as Frame;
    network.frames.push(frame);
    carry(network.frame(frame, user), text, down);
  };
  early.forEach(fromServer);
  up.on("message", (b: Buffer) => fromServer(b.toString()));
  down.on("message", (b: Buffer) => {
    const frame = JSON.parse(b.toString()) as Frame;
    network.sentFrames.push(frame);
    carry(network.sent(frame), b.toString(), up);
  });
  const end = (other: WebSocket) => () => {
    if (lost && other === down) return; // the client waits on
    network.links.delete(l);
    other.terminate();
  };
  up.on("close", end(down));
  down.on("close", end(up));
  up.on("error", end(down));
  down.on("error", end(up));
}

/** Delivers a frame immediately, unless its fate is promised. */
async function deliver(given: FrameFate | Promise<FrameFate>, text: string, to: WebSocket): Promise<void> {
  const fate = typeof given === "string" ? given : await given;
  for (let n = { drop: 0, pass: 1, repeat: 2 }[fate]; n > 0 && to.readyState === 1; n--) to.send(text);
}
