import { SignedOut } from "./errors.js";
import type { Options } from "./types.js";

/** A token is not used in its last seconds: a request takes that long. */
const MARGIN = 10_000;
/** API Gateway keeps a connection for 2 hours. */
const LONGEST = 7_200_000;
/** A connection is renewed at 85 to 95 % of its life, so that clients do not return together. */
const RENEW_FROM = 0.85;
const RENEW_SPREAD = 0.1;

interface Claims {
  sub?: string;
  iat?: number;
  exp?: number;
}

/** Returns the claims of a JWT, or none of a token in another form. Only the server verifies it. */
export function claims(token: string): Claims {
  try {
    const part = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    const text = new TextDecoder().decode(Uint8Array.from(atob(part), c => c.charCodeAt(0)));
    return JSON.parse(text) as Claims;
  } catch {
    return {};
  }
}

/** Returns when a connection with the token that begins now should be renewed, from now on. */
export function renewIn(token: string, now: number, random = Math.random()): number {
  const { exp } = claims(token);
  const life = exp ? Math.min(exp * 1000 - now, LONGEST) : LONGEST;
  return Math.max(0, life) * (RENEW_FROM + RENEW_SPREAD * random);
}

/** Keeps the current token, and asks for another when it has expired or was refused. */
export class Tokens {
  #token = "";
  #asking: Promise<string> | undefined;

  constructor(
    private readonly ask: Options["getToken"],
    /** Returns the server's time, or undefined as long as it is not known. */
    private readonly now: () => number | undefined,
    private readonly signedOut: () => void,
  ) {}

  /** Returns a token. A fresh one does not come from here, but from getToken. */
  get(fresh = false): Promise<string> {
    const now = this.now();
    const { exp } = claims(this.#token);
    const expired = now !== undefined && exp !== undefined && exp * 1000 - MARGIN < now;
    return this.#token && !expired && !fresh ? Promise.resolve(this.#token) : this.#next(false);
  }

  /** Returns another token than the refused one. */
  refused(token: string): Promise<string> {
    return this.#token === token ? this.#next(true) : this.get();
  }

  #next(refused: boolean): Promise<string> {
    this.#asking ??= this.ask({ refused })
      .then(
        token => (this.#token = token),
        (e: unknown) => {
          if (e instanceof SignedOut || (e as Error | undefined)?.name === "SignedOut") this.signedOut();
          throw e;
        },
      )
      .finally(() => (this.#asking = undefined));
    return this.#asking;
  }
}
