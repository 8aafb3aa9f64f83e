import { RequestError } from "./errors.js";
import { backoff } from "./pause.js";
import type { Tokens } from "./tokens.js";
import type { Options, Problem, Request } from "./types.js";

/** An answer that takes longer than API Gateway's 29 s will not come. */
const TIMEOUT = 30_000;
/** How often a request is tried that may be repeated. */
const TRIES = 4;
/** A longer Retry-After is the caller's affair. */
const MAX_RETRY_AFTER = 30_000;

export const statusOf = (e: unknown): number => (e instanceof RequestError ? e.status : 0);

/** Reports whether the room of a request is unknown, hidden or deleted. */
export const isGone = (status: number | undefined): boolean => status === 404 || status === 403;

/** Returns the pause before the next try in milliseconds, or 0 if another try is of no use. */
export function retryIn(e: unknown, failures: number): number {
  const status = statusOf(e);
  if (status && status !== 429 && status < 500) return 0;
  return (e as RequestError).retryAfter * 1000 || (status === 429 ? 1000 : 1) + backoff(failures);
}

export interface HttpOptions {
  trace: Options["trace"] | undefined;
  url: string;
  fetch: typeof fetch;
  tokens: Tokens;
  /** Told that a fresh token was refused. */
  signedOut: () => void;
}

export class Http {
  constructor(private readonly o: HttpOptions) {}

  /** Does a request, and repeats it after temporary failures if a repetition does no harm. */
  readonly request: Request = async (method, path, body, headers) => {
    for (let failures = 1; ; failures++) {
      try {
        return await this.once(method, path, body, headers);
      } catch (e) {
        const pause = retryIn(e, failures);
        // A request that was refused with 429 was not carried out. Another POST may have been.
        const harmless = method !== "POST" || statusOf(e) === 429;
        if (!pause || !harmless || failures === TRIES || pause > MAX_RETRY_AFTER) throw e;
        await new Promise(resolve => setTimeout(resolve, pause));
      }
    }
  };

  /** Does a request once. After a 401 it takes another token, once. */
  readonly once: Request = async (method, path, body, headers) => {
    for (let refused = ""; ; ) {
      const token = await this.o.tokens.get(refused).catch((cause: unknown) => {
        throw new RequestError(0, undefined, { cause });
      });
      try {
        return await this.#send(token, method, path, body, headers);
      } catch (e) {
        if (statusOf(e) !== 401) throw e;
        if (refused) {
          this.o.signedOut();
          throw e;
        }
        refused = token;
      }
    }
  };

  async #send<T>(token: string, method: string, path: string, content: unknown, given?: Record<string, string>): Promise<T> {
    const body = content === undefined ? {} : { body: JSON.stringify(content) };
    const headers = { ...given, ...(body.body && { "Content-Type": "application/json" }), Authorization: `Bearer ${token}` };
    const at = new Date();
    let status = 0;
    try {
      const answer = await this.o.fetch(this.o.url + path, { method, headers, ...body, signal: AbortSignal.timeout(TIMEOUT) });
      const text = await answer.text();
      status = answer.status;
      if (answer.ok) return (text ? JSON.parse(text) : undefined) as T;
      throw new RequestError(status, problemIn(text), {}, Number(answer.headers.get("Retry-After")) || 0);
    } catch (cause) {
      throw cause instanceof RequestError ? cause : new RequestError(0, undefined, { cause });
    } finally {
      this.o.trace?.({ kind: "request", method, path, ...body, status, ms: Date.now() - +at, at });
    }
  }
}

/** Returns the problem in the body of an answer, which may be of something between. */
function problemIn(body: string): Problem | undefined {
  try {
    return JSON.parse(body);
  } catch {
    return;
  }
}
