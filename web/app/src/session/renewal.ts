// Gets tokens without asking the person: by name at a server on this machine, or with a refresh token.
import { RequestError, SignedOut, type Problem } from "@parley/client";
import type { Config } from "../state/config.js";
import { type Tokens, userOf } from "./tokens.js";

const invalid = 422; // the person is the only field of the request

/** Returns the tokens of a person at a server on this machine, which makes the user id from a name. */
export async function localTokens(who: { user: string } | { name: string }): Promise<Tokens> {
  const answer = await fetch("/local/sign-in", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(who),
  }).catch((cause: unknown) => { throw new RequestError(0, undefined, { cause }); });
  const body: unknown = await answer.json().catch(() => undefined);
  if (answer.status === invalid) throw new Error("name" in who ? "Use at most 100 letters." : "The address has no user id. Sign in by your name.");
  if (!answer.ok) throw new RequestError(answer.status, body as Problem | undefined);
  return { token: (body as { token: string }).token };
}

/** Returns new tokens of the same person. It throws SignedOut if the person has to sign in again. */
export async function renewed(signIn: Config["signIn"] | undefined, held: Tokens): Promise<Tokens> {
  if (signIn?.kind === "local") return await localTokens({ user: userOf(held.token) }).catch(signedOut);
  if (signIn?.kind === "oidc" && held.refresh) return await (await import("./oidc.js")).renew(signIn, held.refresh);
  throw new SignedOut();
}

/** Throws SignedOut for a refusal, and the error itself if it may be temporary. */
function signedOut(error: unknown): never {
  if (error instanceof RequestError && error.status >= 400 && error.status < 500 && error.status !== 429) throw new SignedOut();
  throw error;
}
