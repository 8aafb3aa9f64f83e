// A wire to a server that can stop carrying what the server sends, so that the server's buffers fill.
import { connect, createServer } from "node:net";

export class Relay {
  #server;
  /** The halves of each connection: to the client by that to the server. */
  #down = new Map();

  /** Returns a relay to the server with an address. */
  static async to(url) {
    const relay = new Relay();
    relay.#server = createServer(down => {
      const up = connect(Number(new URL(url).port), "127.0.0.1");
      relay.#down.set(up, down);
      up.on("close", () => relay.#down.delete(up));
      for (const [from, to] of [[up, down], [down, up]]) {
        from.pipe(to);
        from.on("error", () => to.destroy());
        from.on("close", () => to.destroy());
      }
    });
    await new Promise(done => relay.#server.listen(0, "127.0.0.1", done));
    return relay;
  }

  get url() { return `http://127.0.0.1:${this.#server.address().port}`; }

  /** Stops to read from the server, on all connections. */
  pause() { for (const [up, down] of this.#down) up.unpipe(down); }

  resume() { for (const [up, down] of this.#down) up.pipe(down); }

  close() { return new Promise(done => { this.#server.close(done); for (const up of this.#down.keys()) up.destroy(); }); }
}
