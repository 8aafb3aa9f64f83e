// Signs people in and out, for each kind of sign-in.
import { type Config, loadConfig } from "../state/config.js";
import type { Page } from "../state/page.js";
import { begin } from "./connection.js";
import { localTokens } from "./renewal.js";
import { end } from "./session.js";
import { isFresh, stored, type Tokens } from "./tokens.js";

const oidc = () => import("./oidc.js");

/** Signs in with the address or the stored tokens, or shows the sign-in. */
export async function start(page: Page): Promise<void> {
  try {
    const config = page.config.value = await loadConfig();
    const tokens = stored();
    if (location.hash.startsWith("#as=") || /[?&](code|error)=/.test(location.search)) await arrive(page, config);
    else if (tokens) begin(page, tokens);
    else page.phase.value = "sign-in";
  } catch {
    page.phase.value = "unreachable";
  }
}

/** Completes the sign-in of the address: the name of a local person, or a provider's code. */
export async function arrive(page: Page, { signIn }: Config): Promise<void> {
  const name = decodeURIComponent(location.hash.slice("#as=".length));
  if (signIn.kind === "oidc") await attempt(page, async () => (await oidc()).arrive(signIn));
  else {
    page.route.go("", "", true);
    if (signIn.kind === "local") await attempt(page, () => localTokens({ user: name }));
    else page.phase.value = "sign-in";
  }
}

/** Connects with the tokens of a sign-in, or shows why it failed. */
async function attempt(page: Page, signIn: () => Promise<Tokens>): Promise<void> {
  page.refusal.value = "";
  try {
    begin(page, await signIn());
  } catch (error) {
    page.refusal.value = error instanceof Error ? error.message : String(error);
    page.phase.value = "sign-in";
  }
}

/** Signs in by name, at a server on this machine. It makes the user id from the name. */
export const signInAs = (page: Page, name: string): Promise<void> => attempt(page, () => localTokens({ name }));

/** Signs in with a token from elsewhere. */
export const signInWith = (page: Page, token: string): Promise<void> => attempt(page, async () => {
  if (!isFresh(token)) throw new Error("That is not a token, or it has expired.");
  return { token };
});

/** Signs in at the provider, or shows the form of the other kinds. */
export async function signInAgain(page: Page): Promise<void> {
  const signIn = page.config.value?.signIn;
  if (signIn?.kind === "oidc") await (await oidc()).leave(signIn);
  else page.phase.value = "sign-in";
}

const unreached = "The sign-in service could not be reached. It may still sign you in here without a password. Sign in and out again when you are online.";

/**
 * Signs out, removes the unsent messages, and ends the provider's session and refresh token. The
 * tokens are removed from this window first, because the provider may be unreachable.
 */
export async function signOut(page: Page): Promise<void> {
  const signIn = page.config.value?.signIn;
  const refresh = stored()?.refresh;
  await page.chat.value?.signOut();
  end(page, "signed-out");
  if (signIn?.kind === "oidc") await oidc().then(o => o.leaveForGood(signIn, refresh)).catch(() => { page.refusal.value = unreached; });
}
