// Signs people in, for each kind of sign-in.
import { type Config, keptConfig, loadConfig } from "../state/config.js";
import { type Page, wordsOf } from "../state/page.js";
import { decoded } from "../state/route.js";
import { begin } from "./connection.js";
import { forgetPerson } from "./session.js";
import { localTokens } from "./renewal.js";
import { lastEnding, store, stored, storedUser, type Tokens } from "./tokens.js";
import { takeAnswer } from "./visit.js";

const oidc = () => import("./oidc.js");

/** The server has this long to give the configuration if one is kept, in milliseconds. */
const patience = 2_000;

/** Signs in with the address, the stored tokens or a provider that still knows the person, or shows the sign-in. */
export async function start(page: Page): Promise<void> {
  try {
    const fresh = loadConfig();
    const kept = keptConfig();
    if (kept) fresh.then(config => { page.config.value = config; }, () => undefined);
    // Nobody who is signed in waits for the network.
    const { signIn } = page.config.value = !kept ? await fresh : stored() ? kept : await soon(fresh, kept);
    const answer = takeAnswer();
    if (signIn.kind === "oidc" && answer) return await attempt(page, async () => (await oidc()).arrive(signIn, answer));
    if (signIn.kind === "local" && location.hash.startsWith(as)) return await signInHere(page);
    const tokens = stored();
    if (tokens) return begin(page, tokens);
    // there, other windows have sessions of their own
    if (signIn.kind !== "local") void forgetPerson().catch(() => undefined);
    if (!await asks(signIn)) page.phase.value = "sign-in";
  } catch {
    page.phase.value = "unreachable";
  }
}

/** Returns the server's configuration, or the kept one if the server does not give it in time. */
function soon(fresh: Promise<Config>, kept: Config): Promise<Config> {
  return Promise.race([
    fresh.catch(() => kept), new Promise<Config>(resolve => { setTimeout(resolve, patience, kept); }),
  ]);
}

/** The fragment with which a window is opened as a local person. */
const as = "#as=";

/** Signs in the person of the address in this window. */
function signInHere(page: Page): Promise<void> {
  const user = decoded(location.hash.slice(as.length));
  page.route.go("", "", true);
  return attempt(page, () => localTokens({ user }), true);
}

/** Reports whether the page is left to ask the provider who the person is. After a sign-out, the person says so. */
async function asks(signIn: Config["signIn"]): Promise<boolean> {
  if (signIn.kind !== "oidc" || lastEnding() === "left" || lastEnding() === "suspended") return false;
  return await oidc().then(o => o.ask(signIn)).catch(() => false);
}

/**
 * Connects with the tokens of a sign-in. If it failed, the session that this window has continues, or the
 * sign-in shows why.
 */
export async function attempt(page: Page, signIn: () => Promise<Tokens | null>, own = false): Promise<void> {
  page.refusal.value = "";
  const given = await signIn().catch((error: unknown) => void (page.refusal.value = wordsOf(error)));
  const before = storedUser();
  if (given) store(given, own);
  if (before && !own) void forgetPerson(before).catch(() => undefined); // unless it is the same person
  const tokens = stored();
  if (!tokens) page.phase.value = "sign-in";
  else begin(page, tokens);
  if (tokens && page.refusal.value) page.toast(page.refusal.value);
}

/** Continues the session that another tab began, signs in at the provider, or shows the form of the other kinds. */
export async function signInAgain(page: Page): Promise<void> {
  const signIn = page.config.value?.signIn;
  page.refusal.value = "";
  if (stored()) return await start(page);
  if (signIn?.kind === "oidc") await oidc().then(o => o.leave(signIn)).catch(() => { page.refusal.value = offline; });
  else page.phase.value = "sign-in";
}

const offline = "The page for the sign-in could not be loaded. Try again when you are online.";
