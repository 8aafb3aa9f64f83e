import { retryIn, statusOf } from "./http.js";
import { Link, type Frame, type Listener, type Wanted } from "./link.js";
import { Alarm, MAX_PAUSE, backoff } from "./pause.js";
import { OLD, renewIn, type Tokens } from "./tokens.js";
import type { Options, State } from "./types.js";
import { Value } from "./value.js";

/** How often rooms are read while no socket can be had. */
const POLL_EVERY = 3000;
/** So many sockets in a row must fail before reading is called polling. */
const FAILURES_TO_POLL = 3;
/** A connection must last so long for the failures before it to be forgotten. */
const STEADY = 30_000;
/** The pause after the server has refused 50 requests: the client is in error. */
const PENANCE = 60_000;

/** What a session needs of the client. */
export interface SessionClient {
  readonly o: Options;
  readonly url: string;
  readonly tokens: Tokens;
  now(): number;
  /** Reads what is new over HTTP. It throws a RequestError. */
  refresh(): Promise<void>;
  /** Ends the client in a state. */
  end(state: State): void;
}

/** The state machine of the connection. */
export abstract class Session<C extends SessionClient> implements Listener {
  readonly state = new Value<State>("connecting");
  #url: string | null | undefined; // of the sockets
  #link: Link | undefined;
  #next: Link | undefined; // whose hello has not been answered yet
  #token = "";
  readonly #dialing = new Alarm();
  readonly #polling = new Alarm();
  #begun = 0;
  #failures = 0;
  #pollFailures = 0;
  #busy = false; // with a poll
  #asking = false; // for a token
  #over = false;

  constructor(protected readonly chat: C) {
    const { socket, WebSocket = globalThis.WebSocket } = chat.o;
    this.#url = WebSocket && socket === undefined ? `${chat.url.replace("http", "ws")}/ws` : socket;
    this.#redial(0);
    if (!this.#url) this.#repoll(0);
  }

  abstract wanted(): Wanted[] | undefined;
  abstract taken(frame: Frame, request: string | undefined): void;

  /** Sends a request over the connection, if there is one. */
  send(type: string, fields?: object): void {
    this.#link?.send(type, fields);
  }

  /** Makes sure of the connection: the page has become visible, or the machine is online again. */
  wake(): void {
    if (this.#link) return this.send("sync");
    this.#failures = this.#pollFailures = 0;
    this.#redial(0);
    this.#repoll(0);
  }

  /** Ends the connection for a while, because the machine says that it is offline. */
  offline(): void {
    this.#drop("offline");
    this.#redial(backoff(++this.#failures));
  }

  /** Ends everything. */
  finish(state: State): void {
    this.#over = true;
    this.#dialing.clear();
    this.#polling.clear();
    this.#drop(state);
  }

  #drop(state: State): void {
    this.#link?.close();
    this.#next?.close();
    this.#link = this.#next = undefined;
    this.state.value = state;
  }

  /** Connects, or puts off the end of the connection with another token. */
  async #dial(): Promise<void> {
    const { tokens } = this.chat;
    if (this.#asking || this.#next || !this.#url) return;
    this.#asking = true;
    try {
      const token = await tokens.get("", !!this.#link);
      const renews = Date.now() - this.#begun < OLD && token !== this.#token && this.#link;
      this.#token = token;
      renews ? renews.send("renew", { token }) : this.#connect();
    } catch {
      this.ended(undefined, undefined);
    }
    this.#asking = false;
  }

  #connect(): void {
    if (!this.#over) this.#next = new Link(this.#url!, this.#token, this, this.chat.o);
  }

  received(link: Link, frame: Frame, request: string | undefined): void {
    if (request === "renew" && frame.problem) return this.#connect();
    const begins = /hello|renew/.test(request!);
    if (link === this.#next && begins) {
      this.#link?.close();
      this.#link = link;
      this.#next = undefined;
      this.#begun = Date.now();
    }
    this.taken(frame, request);
    if (!begins) return;
    this.#redial(renewIn(this.#token, this.chat.now(), Date.now() - this.#begun));
    this.state.value = "online";
  }

  ended(link: Link | undefined, reason: string | undefined): void {
    if (this.#over) return;
    if (reason === "suspended") return this.chat.end(reason);
    if (link && link === this.#link) {
      this.#link = undefined;
      if (Date.now() - this.#begun >= STEADY) this.#failures = 0;
    } else this.#next = undefined;
    const grown = backoff(++this.#failures);
    this.#redial(reason === "refusals" ? PENANCE : reason === "too-many-connections" ? MAX_PAUSE / 2 + backoff(9) : grown);
    if (this.#link) return; // only its successor has failed
    if (this.state.value === "online") this.state.value = "connecting";
    if (this.#failures > 1) this.#repoll(0);
  }

  #redial(ms: number): void {
    if (!this.#over) this.#dialing.set(ms, () => void this.#dial());
  }

  #repoll(ms: number): void {
    if (!this.#over) this.#polling.set(ms, () => void this.#poll());
  }

  async #poll(): Promise<void> {
    if (this.#link || this.#busy) return;
    this.#busy = true;
    let pause = POLL_EVERY;
    let state: State;
    try {
      await this.chat.refresh();
      this.#pollFailures = 0;
      state = this.#reached();
    } catch (e) {
      pause = Math.max(POLL_EVERY / 3, retryIn(e, ++this.#pollFailures));
      const status = statusOf(e);
      state = !status || status >= 500 ? "offline" : this.state.value;
    }
    this.#busy = false;
    if (!this.#link && !this.#over) this.state.value = state;
    this.#repoll(pause);
  }

  /** Returns the state after the server has answered over HTTP. */
  #reached(): State {
    if (!this.#url) return "polling";
    if (this.state.value !== "offline") return this.#failures < FAILURES_TO_POLL ? this.state.value : "polling";
    this.#redial(0);
    return "connecting";
  }
}
