import { retryIn, statusOf } from "./http.js";
import { backoff } from "./pause.js";
import type { Observable, State } from "./types.js";

/** The part of the client that a marker uses. */
export interface MarkerClient {
  readonly state: Observable<State>;
  /** Reports whether the server can be reached. */
  readonly reachable: boolean;
  /** Aborted when the client ends. */
  readonly ended: AbortSignal;
}

/** A read marker. A move waits while the server cannot be reached, and the last move wins. */
export class Marker<T> {
  #place: T | undefined;
  #moving: Promise<void> | undefined;

  /** Send moves the marker on the server. It throws a RequestError. */
  constructor(
    private readonly chat: MarkerClient,
    private readonly send: (place: T) => Promise<void>,
  ) {}

  /** Moves the marker. It rejects only if the server refuses the move, and not because of load. */
  move(place: T): Promise<void> {
    this.#place = place;
    return (this.#moving ??= this.#move().finally(() => (this.#moving = undefined)));
  }

  /** Drops a move that waits. */
  drop(): void {
    this.#place = undefined;
  }

  async #move(): Promise<void> {
    for (let failures = 1; this.#place !== undefined && !this.chat.ended.aborted; failures++) {
      const place = this.#place;
      try {
        await this.send(place);
        if (place === this.#place) return;
        failures = 0;
      } catch (e) {
        const status = statusOf(e);
        const passing = !status || status >= 500 || status === 429 || status === 401;
        if (!passing && place === this.#place) throw e;
        if (passing) {
          await this.#pause(
            retryIn(e, failures) || backoff(failures) + 1000 * (e as { retryAfter: number }).retryAfter,
          );
        }
      }
    }
  }

  /** Waits until the server can be reached again, or for some milliseconds if it can be reached now. */
  #pause(ms: number): Promise<void> {
    const { state, ended, reachable } = this.chat;
    return new Promise(resolve => {
      const done = () => {
        off();
        ended.removeEventListener("abort", done);
        resolve();
      };
      const off = state.subscribe(() => this.chat.reachable && done());
      if (reachable) setTimeout(done, ms);
      ended.addEventListener("abort", done);
      if (ended.aborted) done();
    });
  }
}
