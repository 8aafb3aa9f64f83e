import { RequestError } from "./errors.js";
import { Refusal } from "./http.js";
import { Link, type Frame, type LinkOptions, type Wanted } from "./link.js";
import { MAX_PAUSE, backoff } from "./pause.js";
import { renewIn, type Tokens } from "./tokens.js";
import type { State } from "./types.js";
import { Value } from "./value.js";

/** How often rooms are read while no socket can be had. */
const POLL_EVERY = 3000;
/** So many sockets in a row must fail before reading is called polling. */
const FAILURES_TO_POLL = 3;
/** A connection must last so long for the failures before it to be forgotten. */
const STEADY = 30_000;
/** The pause after the server has refused 50 requests: the client is in error. */
const PENANCE = 60_000;

export interface SessionOptions extends Pick<LinkOptions, "WebSocket" | "trace"> {
  /** The address of the sockets, or null without. */
  socket: string | null;
  tokens: Tokens;
  now: () => number;
  /** The rooms of a hello; undefined for the person's most recent ones. */
  wanted: () => Wanted[] | undefined;
  answered: (frame: Frame, request: string) => void;
  received: (frame: Frame) => void;
  /** Reads what is new over HTTP. It throws a RequestError. */
  poll: () => Promise<void>;
}

type Timer = ReturnType<typeof setTimeout> | undefined;

/** The state machine of the connection. */
export class Session {
  readonly state = new Value<State>("connecting");
  #link: Link | undefined;
  #next: Link | undefined; // whose hello has not been answered yet
  #dialing = false;
  #begun = 0;
  #failures = 0;
  #pollFailures = 0;
  #polling = false;
  #ended = false;
  #dialTimer: Timer;
  #pollTimer: Timer;

  constructor(private readonly o: SessionOptions) {
    if (o.socket === null) void this.#poll();
    else void this.#dial();
  }

  /** Sends a request over the connection, if there is one. */
  send(type: string, fields?: object): void {
    this.#link?.send(type, fields);
  }

  /** Makes sure of the connection: the page has become visible, or the machine is online again. */
  wake(): void {
    if (this.state.value === "signed-out") return;
    if (this.#link) return this.#link.sync();
    this.#failures = this.#pollFailures = 0;
    this.#redial(0);
    this.#repoll(0);
  }

  /** Ends the connection at once, because the machine says that it is offline. */
  offline(): void {
    if (this.state.value === "signed-out") return;
    this.state.value = "offline";
    this.#drop();
    this.#redial(backoff(++this.#failures));
  }

  /** Ends everything. */
  end(state: State): void {
    clearTimeout(this.#dialTimer);
    clearTimeout(this.#pollTimer);
    this.#drop();
    this.state.value = state;
    this.#ended = true;
  }

  #drop(): void {
    this.#link?.close();
    this.#next?.close();
    this.#link = this.#next = undefined;
  }

  async #dial(): Promise<void> {
    if (this.#dialing || this.#next || this.#ended || this.o.socket === null) return;
    this.#dialing = true;
    try {
      const token = await this.o.tokens.get(!!this.#link);
      if (!this.#ended) this.#open(this.o.socket, token);
    } catch {
      this.#down(undefined, undefined);
    } finally {
      this.#dialing = false;
    }
  }

  #open(url: string, token: string): void {
    const { WebSocket, trace, received, wanted } = this.o;
    const link: Link = new Link(
      {
        url, token, WebSocket, trace, received,
        answered: (frame, request) => {
          if (request === "hello") this.#up(link, token);
          this.o.answered(frame, request);
        },
        ended: reason => this.#down(link, reason),
      },
      wanted,
    );
    this.#next = link;
  }

  #up(link: Link, token: string): void {
    this.#link?.close();
    [this.#link, this.#next, this.#begun] = [link, undefined, Date.now()];
    this.#redial(renewIn(token, this.o.now()));
    this.state.value = "online";
  }

  #down(link: Link | undefined, reason: string | undefined): void {
    if (this.#ended) return;
    if (link === this.#next) this.#next = undefined;
    else if (link === this.#link) this.#link = undefined;
    if (this.#begun && Date.now() - this.#begun >= STEADY) this.#failures = 0;
    if (!this.#link) this.#begun = 0;
    let pause = backoff(++this.#failures);
    if (reason === "refusals") pause = PENANCE;
    if (reason === "too-many-connections") pause = MAX_PAUSE / 2 + backoff(10);
    this.#redial(pause);
    if (this.#link) return; // only its successor has failed
    if (this.state.value === "online") this.state.value = "connecting";
    if (this.#failures > 1 || reason) this.#repoll(0);
  }

  #redial(ms: number): void {
    clearTimeout(this.#dialTimer);
    this.#dialTimer = setTimeout(() => void this.#dial(), ms);
  }

  #repoll(ms: number): void {
    clearTimeout(this.#pollTimer);
    this.#pollTimer = setTimeout(() => void this.#poll(), ms);
  }

  async #poll(): Promise<void> {
    if (this.#link || this.#ended || this.#polling) return;
    this.#polling = true;
    let pause = POLL_EVERY;
    try {
      await this.o.poll();
      this.#pollFailures = 0;
      if (!this.#link && !this.#ended) this.#reached();
    } catch (e) {
      const failures = ++this.#pollFailures;
      pause = Math.max(POLL_EVERY / 3, e instanceof Refusal ? e.pause(failures) : backoff(failures));
      const away = !(e instanceof RequestError) || !e.status || e.status >= 500;
      if (away && !this.#link && !this.#ended) this.state.value = "offline";
    }
    this.#polling = false;
    if (!this.#ended) this.#repoll(pause);
  }

  /** The server has answered over HTTP. */
  #reached(): void {
    const back = this.state.value === "offline" && this.o.socket !== null;
    if (back) this.#redial(0);
    const polling = !back && (this.o.socket === null || this.#failures >= FAILURES_TO_POLL);
    this.state.value = polling ? "polling" : "connecting";
  }
}
