// The part of ws that the harness uses. Its types are a package of their own.
declare module "ws" {
  import type { EventEmitter } from "node:events";
  import type { IncomingMessage, Server } from "node:http";
  import type { Duplex } from "node:stream";

  export type Data = Buffer | ArrayBuffer | Buffer[];

  export class WebSocket extends EventEmitter {
    constructor(url: string, protocols?: string[], options?: { headers?: Record<string, string> });
    readonly protocol: string;
    readonly readyState: number;
    send(data: string): void;
    close(code?: number, reason?: string): void;
    terminate(): void;
  }

  export class WebSocketServer {
    constructor(options: { noServer?: boolean; server?: Server; handleProtocols?: (protocols: Set<string>) => string | false });
    handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, done: (ws: WebSocket) => void): void;
  }
}
