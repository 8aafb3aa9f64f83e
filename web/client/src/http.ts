import { RequestError } from "./errors.js";
import { backoff } from "./pause.js";
import type { Headers, Request } from "./request.js";
import type { Tokens } from "./tokens.js";
import type { Options } from "./options.js";
import type { State } from "./types.js";

/** API Gateway answers within 29 s. A request with a signal of its own has no other limit. */
export const TIMEOUT = 30_000;
/**
 * The limit of the first tries after a connection was lost. The browser may send them over other
 * connections that are dead, too. Most answers take 0.1 s.
 */
const SHORT_TIMEOUT = 1000;
/** The number of these tries: browsers keep six connections to a server. */
const SHORT_TRIES = 6;
/** The reason for which a try is ended to be repeated. */
const AGAIN = new Error("again");
/** A request with a longer `Retry-After`, in seconds, is not repeated: a daily quota is used up. */
const LONGEST_WAIT = 60;
/** Browsers let requests of at most 64 KB in all outlive their page. */
const MOST_KEPT = 16_384;
/** The most tries of a request that may be repeated. */
const TRIES = 4;

export const statusOf = (e: unknown): number => (e as Partial<RequestError> | undefined)?.status ?? 0;

/** Returns the server's time if it refused a request because of this device's clock. */
export function serverTimeOf(e: unknown): string | undefined {
  const { type, serverTime } = (e as Partial<RequestError> | undefined)?.problem ?? {};
  return type === "/problems/clock-skew" ? serverTime : undefined;
}

/** Reports whether a status means that the room is unknown, hidden or deleted. */
export const isGone = (status: number | undefined): boolean => status === 404 || status === 403;

/** Reports whether the same request may succeed later: 0 is an answer that did not arrive. */
export const isPassing = (status: number): boolean => !status || status === 429 || status >= 500;

/** Returns the pause before the next try in milliseconds, or 0 if another try is useless. */
export function retryIn(e: unknown, failures: number): number {
  const status = statusOf(e);
  if (!isPassing(status) || (e as RequestError).retryAfter > LONGEST_WAIT) return 0;
  return (e as RequestError).retryAfter * 1000 || (status === 429 ? 1000 : 1) + backoff(failures);
}

export class Http {
  readonly #running = new Set<() => void>(); // each ends a try, to repeat it
  #shortTries = 0; // that are left

  constructor(
    private readonly url: string,
    private readonly options: Pick<Options, "fetch" | "trace">,
    private readonly tokens: Tokens,
    private readonly end: (state: State) => void,
  ) {}

  /**
   * Returns a function that repeats the requests that run now and still run then, and a second later those that
   * began in between. It leaves out requests that may not be repeated.
   */
  running(): () => void {
    const all = [...this.#running];
    return () => {
      this.#shortTries = SHORT_TRIES;
      for (const repeat of all) repeat();
      const later = [...this.#running]; // these may be on a dead connection, too
      setTimeout(() => later.forEach(repeat => repeat()), SHORT_TIMEOUT);
    };
  }

  /** Sends a request, and repeats it after a temporary failure if that is safe. */
  readonly request = (async (method: string, path: string, body?: unknown, headers?: Headers, signal?: AbortSignal) => {
    for (let failures = 1; ; failures++) {
      try {
        return await this.once(method, path, body, headers, signal);
      } catch (e) {
        const pause = retryIn(e, failures);
        // A request that was refused with 429 had no effect. Another failed POST may have had one.
        const safe = method !== "POST" || statusOf(e) === 429;
        if (!pause || !safe || failures === TRIES || signal?.aborted) throw e;
        await new Promise(resolve => setTimeout(resolve, pause));
      }
    }
  }) as Request;

  /**
   * Sends a request without repeating it, except once with another token after a 401, and again if
   * the connection may be dead.
   */
  readonly once = (async (method: string, path: string, body?: unknown, headers?: Headers, signal?: AbortSignal) => {
    for (let refused = ""; ; ) {
      const token = await this.tokens.get(refused).catch((cause: unknown) => {
        throw new RequestError(0, undefined, { cause });
      });
      try {
        return await this.#send(token, method, path, body, headers, signal);
      } catch (e) {
        if (e === AGAIN) continue;
        if (statusOf(e) !== 401) throw e;
        if (refused) {
          this.end("signed-out");
          throw e;
        }
        refused = token;
      }
    }
  }) as Request;

  async #send(
    token: string, method: string, path: string, content: unknown, extra?: Headers, signal?: AbortSignal,
  ): Promise<unknown> {
    const { fetch = globalThis.fetch, trace } = this.options;
    const body = content === undefined ? {} : { body: JSON.stringify(content) };
    // A change of a message outlives a page that is left.
    const keepalive = /^(PATCH|DELETE)$/.test(method) && (body.body?.length ?? 0) < MOST_KEPT;
    const headers = { ...extra, "Content-Type": "application/json", Authorization: `Bearer ${token}` };
    const at = new Date();
    let status = 0;
    // The id of a message or an upload makes its request safe to repeat.
    const limit = this.#limit(method !== "POST" || !!(content as { id?: string } | undefined)?.id, signal);
    try {
      const answer = await fetch(this.url + path, { method, headers, ...body, keepalive, signal: limit.signal });
      status = answer.status;
      if (answer.ok) return status === 204 ? undefined : await answer.json();
      // A proxy may have answered, without a problem.
      const problem = await answer.json().catch(() => {});
      if (/suspended$/.test(problem?.type)) this.end("suspended");
      throw new RequestError(status, problem, {}, Number(answer.headers.get("Retry-After")));
    } catch (cause) {
      if (cause instanceof RequestError) throw cause;
      throw limit.signal.reason === AGAIN ? AGAIN : new RequestError(0, undefined, { cause });
    } finally {
      limit.clear();
      trace?.({ kind: "request", method, path, ...body, status, ms: Date.now() - +at, at });
    }
  }

  /** Returns a signal that ends a try: because it takes too long, because the caller's signal does, or to repeat it. */
  #limit(repeats: boolean, caller: AbortSignal | undefined): { signal: AbortSignal; clear(): void } {
    const ending = new AbortController();
    const end = () => ending.abort(caller?.reason);
    const repeat = () => ending.abort(AGAIN);
    const isShort = repeats && this.#shortTries > 0;
    if (isShort) this.#shortTries--;
    const timer = isShort ? setTimeout(repeat, SHORT_TIMEOUT) : caller ? undefined : setTimeout(end, TIMEOUT);
    if (repeats) this.#running.add(repeat);
    caller?.addEventListener("abort", end);
    if (caller?.aborted) end();
    const clear = () => {
      clearTimeout(timer);
      this.#running.delete(repeat);
      caller?.removeEventListener("abort", end);
    };
    return { signal: ending.signal, clear };
  }
}
