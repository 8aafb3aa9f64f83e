// Gets tokens without asking the person: by name at a server on this machine, or with a refresh token.
import { RequestError, SignedOut, type Problem } from "@parley/client";
import type { Config } from "../state/config.js";
import { isFresh, store, stored, storedUser, type Tokens, userOf } from "./tokens.js";

const invalid = 422; // the person is the only field of the request
const localTime = 3000; // a server on this machine answers sooner, unless the connection is dead

/** Returns the tokens of a person at a server on this machine, which makes the user id from a name. */
export async function localTokens(who: { user: string } | { name: string }): Promise<Tokens> {
  const answer = await fetch("/local/sign-in", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(who),
    signal: AbortSignal.timeout(localTime),
  }).catch((cause: unknown) => { throw new RequestError(0, undefined, { cause }); });
  const body: unknown = await answer.json().catch(() => undefined);
  if (answer.status === invalid) {
    throw new Error("name" in who ? "Use at most 100 letters." : "The address has no user id. Sign in by your name.");
  }
  if (!answer.ok) throw new RequestError(answer.status, body as Problem | undefined);
  return { token: (body as { token: string }).token };
}

/** Returns the stored tokens of a user. It throws SignedOut if there are none, or only another user's. */
function held(user: string): Tokens {
  const tokens = stored();
  if (!tokens || userOf(tokens.token) !== user) throw new SignedOut();
  return tokens;
}

/**
 * Returns a fresh token of a user other than the refused one: the stored one, which another tab may
 * have renewed, or a new one.
 */
export async function freshToken(signIn: Config["signIn"] | undefined, user: string, refused: string): Promise<string> {
  const usable = () => {
    const { token } = held(user);
    return token !== refused && isFresh(token) ? token : "";
  };
  return usable() || await oneTab(async () => {
    const found = usable();
    if (found) return found;
    const next = await renewed(signIn, held(user));
    if (storedUser() === user) store(next);
    else { // signed out meanwhile
      if (signIn?.kind === "oidc") {
        void import("./oidc.js").then(o => o.revoke(signIn, next.refresh)).catch(() => undefined);
      }
      throw new SignedOut();
    }
    return next.token;
  });
}

// Another process of the browser may get the lock a little before it sees the stored tokens, on a busy machine much
// later.
const settleTime = 300;

/**
 * Does work while no other tab does: a provider takes a refresh token once, and may end the session when
 * it gets it again. A page without a secure origin has no locks.
 */
function oneTab<T>(work: () => Promise<T>): Promise<T> {
  const { locks } = navigator as { locks?: LockManager };
  if (!locks) return work();
  return new Promise((resolve, reject) => {
    void locks.request("parley.renewal", async () => {
      await work().then(resolve, reject);
      await new Promise(done => setTimeout(done, settleTime));
    });
  });
}

// A page's host that does not answer within this time counts as unreachable.
const probeTime = 5_000;

/**
 * Returns new tokens of the same person. It throws SignedOut if the person has to sign in again,
 * and can: there is a network.
 */
async function renewed(signIn: Config["signIn"] | undefined, held: Tokens): Promise<Tokens> {
  if (signIn?.kind === "local") return await localTokens({ user: userOf(held.token) }).catch(signedOut);
  if (signIn?.kind === "oidc" && held.refresh) return await (await import("./oidc.js")).renew(signIn, held.refresh);
  await fetch("/", { method: "HEAD", signal: AbortSignal.timeout(probeTime) });
  throw new SignedOut();
}

/** Throws SignedOut for a refusal, and the error itself if it may be temporary. */
function signedOut(error: unknown): never {
  if (error instanceof RequestError && error.status >= 400 && error.status < 500 && error.status !== 429) {
    throw new SignedOut();
  }
  throw error;
}
