// The ways in and out, for each kind of sign-in.
import { RequestError, SignedOut, type Problem } from "@parley/client";
import type { Config } from "./config.js";
import { begin, config, phase, type Phase, refusal } from "./session.js";
import { blocked, card, chat, go, list, panel, toasted } from "../state/store.js";
import { isFresh, store, stored, type Tokens, userOf } from "./tokens.js";

const oidc = () => import("./oidc.js");

/** Completes the sign-in that the address has: the name of a local person, or a provider's code. */
export async function arrive({ signIn }: Config): Promise<void> {
  const name = decodeURIComponent(location.hash.slice("#as=".length));
  if (signIn.kind === "oidc") await attempt(async () => (await oidc()).arrive(signIn));
  else {
    go("", "", true);
    if (signIn.kind === "local") await attempt(() => localTokens({ user: name }));
    else phase.value = "sign-in";
  }
}

/** Takes the tokens that a sign-in gives, or shows why it gave none. */
async function attempt(signIn: () => Promise<Tokens>): Promise<void> {
  refusal.value = "";
  try {
    begin(await signIn());
  } catch (error) {
    refusal.value = error instanceof Error ? error.message : String(error);
    phase.value = "sign-in";
  }
}

/** Signs in by name, at a server on this machine. It makes the user id from the name. */
export const signInAs = (name: string): Promise<void> => attempt(() => localTokens({ name }));

/** Signs in with a token from elsewhere. */
export const signInWith = (token: string): Promise<void> => attempt(async () => {
  if (!isFresh(token)) throw new Error("That is not a token, or it has expired.");
  return { token };
});

/** Signs in at the provider, or shows the form of the other kinds. */
export async function signInAgain(): Promise<void> {
  const signIn = config.value?.signIn;
  if (signIn?.kind === "oidc") await (await oidc()).leave(signIn);
  else phase.value = "sign-in";
}

const invalid = 422; // the person is the only field of the request

async function localTokens(who: { user: string } | { name: string }): Promise<Tokens> {
  const answer = await fetch("/local/sign-in", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(who),
  }).catch((cause: unknown) => { throw new RequestError(0, undefined, { cause }); });
  const body: unknown = await answer.json().catch(() => undefined);
  if (answer.status === invalid) throw new Error("name" in who ? "Use at most 100 letters." : "The address has no user id. Sign in by your name.");
  if (!answer.ok) throw new RequestError(answer.status, body as Problem | undefined);
  return { token: (body as { token: string }).token };
}

/** Returns new tokens of the same person. It throws SignedOut if only the person can get some. */
export async function renewed(held: Tokens): Promise<Tokens> {
  const signIn = config.value?.signIn;
  if (signIn?.kind === "local") return await localTokens({ user: userOf(held.token) }).catch(signedOut);
  if (signIn?.kind === "oidc" && held.refresh) return await (await oidc()).renew(signIn, held.refresh);
  throw new SignedOut();
}

/** Turns a refusal into a sign-out; other errors pass, as they may end. */
function signedOut(error: unknown): never {
  if (error instanceof RequestError && error.status >= 400 && error.status < 500 && error.status !== 429) throw new SignedOut();
  throw error;
}

const unreached = "The sign-in service could not be reached. It may still sign you in here without a password. Sign in and out again when you are online.";

/**
 * Signs out for good: unsent messages are forgotten, and what the provider keeps ends, too. The tokens
 * are gone from this window before the provider is asked, which may be out of reach.
 */
export async function signOut(): Promise<void> {
  const signIn = config.value?.signIn;
  const refresh = stored()?.refresh;
  await chat.value?.signOut();
  end("signed-out");
  if (signIn?.kind === "oidc") await oidc().then(o => o.leaveForGood(signIn, refresh)).catch(() => { refusal.value = unreached; });
}

/** Forgets the person of this window. */
export function end(to: Phase): void {
  store(null);
  const c = chat.value;
  chat.value = null;
  c?.close();
  panel.value = null;
  card.value = null;
  toasted.value = "";
  blocked.value = new Set();
  list.value = { rooms: [], unread: 0, loaded: false };
  phase.value = to;
}
