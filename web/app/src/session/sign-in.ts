// The ways in and out, for each kind of sign-in.
import { chat, go } from "../state/store.js";
import { type Config, loadConfig } from "./config.js";
import { begin } from "./connection.js";
import { localTokens } from "./renewal.js";
import { config, end, phase, refusal } from "./session.js";
import { isFresh, stored, type Tokens } from "./tokens.js";

const oidc = () => import("./oidc.js");

/** Signs in with what the address or this window has, or shows the sign-in. */
export async function start(): Promise<void> {
  try {
    config.value = await loadConfig();
    const tokens = stored();
    if (location.hash.startsWith("#as=") || /[?&](code|error)=/.test(location.search)) await arrive(config.value);
    else if (tokens) begin(tokens);
    else phase.value = "sign-in";
  } catch {
    phase.value = "unreachable";
  }
}

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
