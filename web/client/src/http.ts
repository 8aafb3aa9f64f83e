import { RequestError } from "./errors.js";
import { backoff } from "./pause.js";
import type { Tokens } from "./tokens.js";
import type { Problem, Request, Trace } from "./types.js";

/** An answer that takes longer than API Gateway's 29 s will not come. */
const TIMEOUT = 30_000;
/** How often a request is tried that may be repeated. */
const TRIES = 4;
/** A longer Retry-After is the caller's affair. */
const MAX_RETRY_AFTER = 30_000;

/** The problem of an answer, with the seconds of Retry-After. */
export class Refusal extends RequestError {
  constructor(status: number, problem: Problem | undefined, readonly retryAfter: number, options?: ErrorOptions) {
    super(status, problem, options);
  }

  /** Whether a later try may succeed. */
  get temporary(): boolean {
    return !this.status || this.status === 429 || this.status >= 500;
  }

  /** Returns the pause before the next try, in milliseconds. */
  pause(failures: number): number {
    return this.retryAfter * 1000 || (this.status === 429 ? 1000 : 0) + backoff(failures);
  }
}

export interface HttpOptions {
  url: string;
  fetch: typeof fetch;
  tokens: Tokens;
  trace: (t: Trace) => void;
  /** Told of the header Date of an answer. */
  date: (ms: number) => void;
  /** Told that a fresh token was refused. */
  signedOut: () => void;
  /** Whether the chat is closed: then nothing is repeated. */
  closed: () => boolean;
}

export class Http {
  constructor(private readonly o: HttpOptions) {}

  /** Does a request, and repeats it after temporary failures if a repetition does no harm. */
  readonly request: Request = async <T>(method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
    for (let failures = 1; ; failures++) {
      try {
        return await this.once<T>(method, path, body, headers);
      } catch (e) {
        if (!(e instanceof Refusal) || !e.temporary || failures >= TRIES || this.o.closed()) throw e;
        const pause = e.pause(failures);
        // A request that was refused with 429 was not carried out. Another POST may have been.
        if ((method === "POST" && e.status !== 429) || pause > MAX_RETRY_AFTER) throw e;
        await new Promise(resolve => setTimeout(resolve, pause));
      }
    }
  };

  /** Does a request once. A 401 is answered with another token, once. */
  async once<T>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<T> {
    const token = await this.#token(() => this.o.tokens.get());
    try {
      return await this.#send<T>(token, method, path, body, headers);
    } catch (e) {
      if (!(e instanceof Refusal) || e.status !== 401) throw e;
      const another = await this.#token(() => this.o.tokens.refused(token));
      return this.#send<T>(another, method, path, body, headers).catch((e: Refusal) => {
        if (e.status === 401) this.o.signedOut();
        throw e;
      });
    }
  }

  async #token(get: () => Promise<string>): Promise<string> {
    try {
      return await get();
    } catch (cause) {
      throw new Refusal(0, undefined, 0, { cause });
    }
  }

  async #send<T>(token: string, method: string, path: string, body: unknown, given?: Record<string, string>): Promise<T> {
    const { o } = this;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = { ...given, Authorization: `Bearer ${token}`, ...(text && { "Content-Type": "application/json" }) };
    const at = new Date();
    const traced = (status: number) =>
      o.trace({ kind: "request", method, path, ...(text && { body: text }), status, ms: Date.now() - +at, at });
    let answer: Response;
    let received: string;
    try {
      answer = await o.fetch(o.url + path, { method, headers, signal: AbortSignal.timeout(TIMEOUT), ...(text && { body: text }) });
      received = await answer.text();
    } catch (cause) {
      traced(0);
      throw new Refusal(0, undefined, 0, { cause });
    }
    traced(answer.status);
    const date = Date.parse(answer.headers.get("Date") ?? "");
    if (date) o.date(date);
    if (answer.ok) return (received ? JSON.parse(received) : undefined) as T;
    throw new Refusal(answer.status, problemIn(received), Number(answer.headers.get("Retry-After")) || 0);
  }
}

/** Returns the problem in the body of an answer, which may be of something between. */
function problemIn(body: string): Problem | undefined {
  try {
    return JSON.parse(body) as Problem;
  } catch {
    return undefined;
  }
}
