import { retryIn, statusOf, type Http } from "./http.js";
import { Link, type Frame, type Listener, type Wanted } from "./link.js";
import { Alarm, MAX_PAUSE, backoff } from "./pause.js";
import { MAX_RENEW_AGE, renewIn, type Tokens } from "./tokens.js";
import type { Options } from "./options.js";
import type { State } from "./types.js";
import { Value } from "./value.js";

/** The interval of polls, while no socket can be opened. */
const POLL_EVERY = 3000;
/** The consecutive failures of sockets after which the state is polling. */
const FAILURES_TO_POLL = 3;
/** A connection that lasts this long resets the count of failures. */
const STABLE_AFTER = 30_000;
/**
 * The pause after a late answer that did arrive, unless somebody looks. A server that is slow for
 * everybody then gets few connections in vain.
 */
const FALSE_ALARM_PAUSE = 30_000;
/** The pause after the server has closed a connection for 50 refused requests. */
const REFUSALS_PAUSE = 60_000;

/** The part of the client that a session uses. */
export interface SessionClient {
  readonly options: Options;
  readonly url: string;
  readonly tokens: Tokens;
  readonly http: Http;
  now(): number;
  /** Reads new changes over HTTP. It throws a RequestError. */
  refresh(): Promise<void>;
  /** Shows why the server cannot be reached. */
  report(e: unknown): void;
  /** Ends the client in a state. */
  end(state: State): void;
}

/**
 * The state machine of the connection. It opens sockets, renews them, and polls without them. When an
 * answer is late, it dials a second socket, and keeps the one that answers first.
 */
export abstract class Session<C extends SessionClient> implements Listener {
  readonly state = new Value<State>("connecting");
  #url: string | null | undefined; // of the sockets; null to poll
  #link: Link | undefined;
  readonly #dialed = new Set<Link>(); // which wait for the answer to their hello
  #inDoubt = false; // whether the link has a late answer
  #hasLost = false; // whether a connection was lost, or in doubt, since the last hello
  #trustedUntil = 0; // the link is not doubted before, after a false alarm
  #repeat = () => {}; // repeats the requests that were running at the last dial
  #token = "";
  readonly #dialAlarm = new Alarm();
  readonly #pollAlarm = new Alarm();
  #openedAt = 0;
  #failures = 0;
  #pollFailures = 0;
  #isPolling = false; // while a poll runs
  #isDialing = false; // while a token is requested
  #finished = false;

  constructor(protected readonly chat: C) {
    const { socket, WebSocket = globalThis.WebSocket } = chat.options;
    this.#url = WebSocket && socket === undefined ? `${chat.url.replace("http", "ws")}/ws` : socket;
    this.#redial(0);
    if (!this.#url) this.#repoll(0);
  }

  abstract wanted(): Wanted[] | undefined;
  /** Compares the known positions with the server. This also shows whether the connection is alive. */
  abstract compare(): void;
  /** Handles a frame, with the type of its request if it is an answer. */
  abstract handle(frame: Frame, request: string | undefined): void;

  /** Sends a request over the connection, if there is one. */
  send(type: string, fields?: object, name?: string): void {
    this.#link?.send(type, fields, name);
  }

  /** Checks the connection, or connects: somebody looks at the page, or the machine is online, again. */
  wake(): void {
    this.#trustedUntil = 0;
    if (this.#link) this.compare();
    if (this.#link && !this.#inDoubt) return;
    for (const link of this.#dialed) if (link.isLate) this.#hangUp(link);
    this.#failures = this.#pollFailures = 0;
    this.#redial(0);
    this.#repoll(0);
  }

  /** Closes the connection for a while, because the machine is offline. */
  offline(): void {
    this.#drop("offline");
    this.#redial(backoff(++this.#failures));
  }

  /** Closes the connection for good, in a state. */
  finish(state: State): void {
    this.#finished = true;
    this.#dialAlarm.clear();
    this.#pollAlarm.clear();
    this.#drop(state);
  }

  #drop(state: State): void {
    this.#link?.close();
    this.#link = undefined;
    this.#inDoubt = false;
    this.#hasLost = true;
    this.#hangUp();
    this.state.value = state;
  }

  /** Closes a connection that waits for the answer to its hello, or all of them. */
  #hangUp(...links: Link[]): void {
    for (const link of links.length ? links : this.#dialed) {
      link.close();
      this.#dialed.delete(link);
    }
  }

  /**
   * Connects, or extends the connection to the expiry of a new token. While an answer is late, it opens a second
   * connection and keeps the first.
   */
  async #dial(isSecond = this.#inDoubt): Promise<void> {
    const { tokens } = this.chat;
    const most = isSecond && !this.#link ? 2 : 1;
    if (this.#isDialing || this.#dialed.size >= most || !this.#url) return;
    this.#isDialing = true;
    try {
      const token = await tokens.get("", !!this.#link && !isSecond);
      const renews = !isSecond && Date.now() - this.#openedAt < MAX_RENEW_AGE && token !== this.#token && this.#link;
      this.#token = token;
      renews ? renews.send("renew", { token }) : this.#connect();
    } catch {
      this.ended(undefined, undefined);
    }
    this.#isDialing = false;
  }

  #connect(): void {
    if (this.#finished) return;
    this.#repeat = this.chat.http.running();
    this.#dialed.add(new Link(this.#url!, this.#token, this, this.chat.options));
  }

  late(link: Link): void {
    if (Date.now() < this.#trustedUntil) return;
    this.#hasLost = true;
    if (link === this.#link) this.#inDoubt = true;
    else if (this.#inDoubt) this.state.value = "connecting"; // neither answers
    void this.#dial(true);
  }

  received(link: Link, frame: Frame, request: string | undefined): void {
    if (request === "renew" && frame.problem) return this.#connect();
    const begins = /hello|renew/.test(request!);
    const isNew = begins && this.#dialed.delete(link);
    const isFalseAlarm = this.#inDoubt && link === this.#link && !!request;
    if (isNew) {
      this.#link?.close();
      this.#link = link;
      this.#openedAt = Date.now();
    }
    if (isFalseAlarm) this.#trustedUntil = Date.now() + FALSE_ALARM_PAUSE;
    const resumes = isNew && this.#hasLost;
    if (isNew || isFalseAlarm) {
      this.#hangUp();
      this.#inDoubt = this.#hasLost = false;
    }
    this.handle(frame, request);
    if (resumes) this.#resume();
    if (!begins && !isFalseAlarm) return;
    this.#redial(renewIn(this.#token, this.chat.now(), Date.now() - this.#openedAt));
    this.state.value = "online";
  }

  /** Repeats what a dead connection has swallowed. Subscribers of the state read what no frame brought. */
  #resume(): void {
    this.#repeat();
    this.state.value = "connecting";
  }

  ended(link: Link | undefined, reason: string | undefined): void {
    if (this.#finished) return;
    if (reason === "suspended") return this.chat.end(reason);
    this.#hasLost = true;
    if (link && link === this.#link) {
      this.#link = undefined;
      this.#inDoubt = false;
      if (Date.now() - this.#openedAt >= STABLE_AFTER) this.#failures = 0;
    } else if (link) this.#dialed.delete(link);
    const pause = backoff(++this.#failures);
    this.#redial(
      reason === "refusals" ? REFUSALS_PAUSE : reason === "too-many-connections" ? MAX_PAUSE / 2 + backoff(9) : pause,
    );
    if (this.#link && !this.#inDoubt) return; // only the next connection has failed
    if (this.state.value === "online") this.state.value = "connecting";
    if (this.#failures > 1) this.#repoll(0);
  }

  #redial(ms: number): void {
    if (!this.#finished) this.#dialAlarm.set(ms, () => void this.#dial());
  }

  #repoll(ms: number): void {
    if (!this.#finished) this.#pollAlarm.set(ms, () => void this.#poll());
  }

  async #poll(): Promise<void> {
    if (this.#link || this.#isPolling) return;
    this.#isPolling = true;
    let pause = POLL_EVERY;
    let state: State;
    try {
      await this.chat.refresh();
      this.#pollFailures = 0;
      state = this.#reached();
    } catch (e) {
      this.chat.report(e);
      pause = Math.max(POLL_EVERY / 3, retryIn(e, ++this.#pollFailures));
      const status = statusOf(e);
      state = !status || status >= 500 ? "offline" : this.state.value;
    }
    this.#isPolling = false;
    if (!this.#link && !this.#finished) this.state.value = state;
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
