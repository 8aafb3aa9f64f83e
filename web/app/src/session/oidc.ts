// Sign-in at an OpenID provider: the authorization code flow with PKCE (RFC 7636).
import { SignedOut } from "@parley/client";
import type { Provider } from "../state/config.js";
import type { Tokens } from "./tokens.js";
import { type Answer, keepVisit, type Visit } from "./visit.js";

/** Set once this window has made a silent visit, until somebody signs in. */
const askedKey = "parley.asked";
const secretBytes = 32; // RFC 7636, 7.1: 256 bits of randomness

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

const secret = () => base64url(crypto.getRandomValues(new Uint8Array(secretBytes)));

async function challenge(verifier: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))));
}

/** The address to which the provider sends the person back. */
const home = () => `${location.origin}/`;

/** Adds fields to the query that an address may have: some providers want an audience there. */
function withQuery(address: string, fields: Record<string, string>): string {
  const to = new URL(address);
  for (const [name, value] of Object.entries(fields)) to.searchParams.set(name, value);
  return to.href;
}

/** Opens the provider's sign-in page, or lets the provider answer silently. The route is restored afterwards. */
export async function leave(p: Provider, silent = false): Promise<void> {
  const visit: Visit = { state: secret(), verifier: secret(), hash: location.hash, silent };
  const address = withQuery(p.authorize, {
    response_type: "code", client_id: p.client, redirect_uri: home(), scope: p.scope, state: visit.state,
    code_challenge: await challenge(visit.verifier), code_challenge_method: "S256", ...(silent && { prompt: "none" }),
  });
  keepVisit(visit);
  location[silent ? "replace" : "assign"](address);
}

/**
 * Lets the provider sign in a person whom it still knows, without showing a page (OpenID Connect Core,
 * 3.1.2.1). It reports whether the page is left: each window asks once, because some providers show
 * their sign-in page all the same, from which people come back.
 */
export async function ask(p: Provider): Promise<boolean> {
  if (sessionStorage.getItem(askedKey)) return false;
  sessionStorage.setItem(askedKey, "1");
  await leave(p, true);
  return true;
}

/** The codes of refusals that are shown (RFC 6749, 4.1.2.1; OpenID Connect Core, 3.1.2.6). */
const codes = [
  "invalid_request", "unauthorized_client", "access_denied",
  "unsupported_response_type", "invalid_scope", "server_error",
  "temporarily_unavailable", "interaction_required", "login_required", "account_selection_required", "consent_required",
];

/**
 * Exchanges the code of the provider's answer. It returns null if a silent visit was refused, such as for a
 * person whom the provider does not know. The error has no words from the address.
 */
export async function arrive(p: Provider, { visit, query }: Answer): Promise<Tokens | null> {
  const refused = query.get("error");
  if (refused !== null && visit.silent) return null;
  if (refused !== null) {
    const known = codes.includes(refused) ? ` (${refused})` : "";
    throw new Error(`The sign-in was refused${known}. Try again, or ask those who run this chat.`);
  }
  const tokens = await exchange(p, {
    grant_type: "authorization_code",
    code: query.get("code") ?? "",
    redirect_uri: home(),
    code_verifier: visit.verifier,
  });
  sessionStorage.removeItem(askedKey);
  return tokens;
}

/** Returns new tokens for a refresh token. It throws SignedOut if the provider refuses it. */
export async function renew(p: Provider, refresh: string): Promise<Tokens> {
  return { refresh, ...(await exchange(p, { grant_type: "refresh_token", refresh_token: refresh })) };
}

// The other tabs wait for a renewal.
const exchangeTime = 20_000;

async function exchange(p: Provider, fields: Record<string, string>): Promise<Tokens> {
  const body = new URLSearchParams({ client_id: p.client, ...fields });
  const answer = await fetch(p.token, { method: "POST", body, signal: AbortSignal.timeout(exchangeTime) })
    .catch((cause: unknown) => { throw new Error("The sign-in service could not be reached. Try again.", { cause }); });
  if (answer.status === 400 || answer.status === 401) throw new SignedOut("The sign-in has expired. Sign in again.");
  if (!answer.ok) throw new Error(`The sign-in service answered ${answer.status}. Try again.`);
  const given = (await answer.json()) as { access_token: string; refresh_token?: string };
  return { token: given.access_token, ...(given.refresh_token && { refresh: given.refresh_token }) };
}

// A provider that does not answer within this time counts as unreachable: the signed-out person waits for it.
const revocationTime = 3_000;

/**
 * Revokes a refresh token, if there is one and the provider has an address for that (RFC 7009), so that
 * no copy of it works any more. The person could not act on the answer, and many providers let no page
 * of another origin read it. The request continues after the time is over. It throws if the provider
 * cannot be reached.
 */
export async function revoke(p: Provider, token = ""): Promise<void> {
  if (!p.revoke || !token) return;
  const late = new Promise<never>((_, reject) => setTimeout(reject, revocationTime));
  const body = new URLSearchParams({ client_id: p.client, token });
  await Promise.race([late, fetch(p.revoke, { method: "POST", mode: "no-cors", keepalive: true, body })]);
}

/**
 * Revokes the refresh token, and then ends the provider's session, if it has an address for that.
 * Cognito expects logout_uri, others expect the standard's name. It throws if the provider cannot be
 * reached.
 */
export async function leaveForGood(p: Provider, refresh?: string): Promise<void> {
  await revoke(p, refresh);
  if (!p.logout) return;
  location.assign(withQuery(p.logout, { client_id: p.client, logout_uri: home(), post_logout_redirect_uri: home() }));
}
