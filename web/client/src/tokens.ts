import type { Options, State } from "./types.js";

/** A token is not used in its last seconds: a request takes that long. */
const MARGIN = 10_000;
/** A connection is renewed at 85 to 95 % of its token's life, so that clients do not return together. */
const RENEW_FROM = 0.85;
const RENEW_SPREAD = 0.1;
/** API Gateway keeps a connection for twice this time. */
const HALF = 3_600_000;
/** The age from which it is replaced by another one, instead of renewed. */
export const OLD = 6_660_000;

/** Returns the claims of a JWT, or none of a token in another form. Only the server verifies it. */
export function claims(token: string): { sub?: string; exp?: number } {
  try {
    return JSON.parse(atob(token.split(".")[1]!.replace(/-/g, "+").replace(/_/g, "/")));
  } catch {
    return {};
  }
}

/** Returns the milliseconds after which a connection of an age should be renewed, or be replaced. */
export function renewIn(token: string, now: number, age: number, random = Math.random()): number {
  const { exp = Infinity } = claims(token);
  const part = RENEW_FROM + RENEW_SPREAD * random;
  return Math.max(0, Math.min((exp * 1000 - now) * part, HALF * (1 + part) - age));
}

/** Keeps the current token, and asks for another when it has expired or was refused. */
export class Tokens {
  #token = "";
  #asking: Promise<string> | undefined;

  constructor(
    private readonly o: Pick<Options, "getToken">,
    private readonly now: () => number,
    private readonly end: (state: State) => void,
  ) {}

  /** Returns a token: a new one if fresh is set, and never the refused one. */
  get(refused = "", fresh = false): Promise<string> {
    const { exp = Infinity } = claims(this.#token);
    if (this.#token && this.#token !== refused && !fresh && exp * 1000 - MARGIN > this.now()) return Promise.resolve(this.#token);
    return (this.#asking ??= this.#ask(!!refused && refused === this.#token).finally(() => (this.#asking = undefined)));
  }

  async #ask(refused: boolean): Promise<string> {
    try {
      return (this.#token = await this.o.getToken({ refused }));
    } catch (e) {
      if ((e as Error | undefined)?.name === "SignedOut") this.end("signed-out");
      throw e;
    }
  }
}
