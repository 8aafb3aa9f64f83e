import type { Options } from "./options.js";
import type { State } from "./types.js";

/** A token is not used in its last seconds, so that it does not expire during a request. */
const MARGIN = 10_000;
/** The share of a token's life after which a connection is renewed; random, to spread the load. */
const RENEW_FROM = 0.85;
const RENEW_SPREAD = 0.1;
/** Half of the longest life of a connection at API Gateway. */
const HALF_LIFE = 3_600_000;
/** An older connection is replaced instead of renewed. */
export const MAX_RENEW_AGE = 6_660_000;

/** Returns the claims of a JWT, unverified; no claims of a token in another form. */
export function claims(token: string): { sub?: string; exp?: number } {
  try {
    return JSON.parse(atob(token.split(".")[1]!.replace(/-/g, "+").replace(/_/g, "/")));
  } catch {
    return {};
  }
}

/** Returns the milliseconds after which a connection of an age should be renewed or replaced. */
export function renewIn(token: string, now: number, age: number, random = Math.random()): number {
  const { exp = Infinity } = claims(token);
  const part = RENEW_FROM + RENEW_SPREAD * random;
  return Math.max(0, Math.min((exp * 1000 - now) * part, HALF_LIFE * (1 + part) - age));
}

/** Keeps the current token, and requests another when it has expired or was refused. */
export class Tokens {
  #token = "";
  #requesting: Promise<string> | undefined;

  constructor(
    private readonly options: Pick<Options, "getToken">,
    private readonly now: () => number,
    private readonly end: (state: State) => void,
    private readonly report: (e: unknown) => void,
  ) {}

  /** Returns a token other than the refused one; if fresh is set, a new one. */
  get(refused = "", fresh = false): Promise<string> {
    const { exp = Infinity } = claims(this.#token);
    if (this.#token && this.#token !== refused && !fresh && exp * 1000 - MARGIN > this.now()) {
      return Promise.resolve(this.#token);
    }
    return (this.#requesting ??= this.#request(!!refused && refused === this.#token)
      .finally(() => (this.#requesting = undefined)));
  }

  async #request(refused: boolean): Promise<string> {
    try {
      const token = await this.options.getToken({ refused });
      if (!token) throw new Error("getToken has returned no token.");
      return (this.#token = token);
    } catch (e) {
      this.report(e);
      if ((e as Error | undefined)?.name === "SignedOut") this.end("signed-out");
      throw e;
    }
  }
}
