// The tokens of the session. All tabs of a browser share one (ADR 69); a window that was opened as
// somebody, by `#as=`, has its own.

/** The tokens of a sign-in. Only an OpenID provider gives a refresh token. */
export interface Tokens { readonly token: string; readonly refresh?: string }

/**
 * Why a session ended: the person left, has to sign in again, or is suspended; or another tab is
 * signed in as somebody else.
 */
export type Ending = "left" | "signed-out" | "suspended" | "other";

/** Where the tokens are in the storage. */
export const tokensKey = "parley.tokens";
/** Where the last ending of the shared session is. It is absent while somebody is signed in. */
const endingKey = "parley.ending";

/** Reports whether this tab has the session of all tabs, or none. */
export const isShared = (): boolean => sessionStorage.getItem(tokensKey) === null;

const place = (): Storage => (isShared() ? localStorage : sessionStorage);

export function stored(): Tokens | null {
  try {
    return JSON.parse(place().getItem(tokensKey) ?? "null") as Tokens | null;
  } catch {
    return null;
  }
}

/** Stores the tokens of the session; with own, of a session of this window. */
export function store(t: Tokens, own = false): void {
  (own ? sessionStorage : place()).setItem(tokensKey, JSON.stringify(t));
  if (isShared()) localStorage.removeItem(endingKey);
}

/** Removes the tokens of a user's session. The tokens of somebody else remain. */
export function forget(user: string, why: Ending): void {
  if (storedUser() !== user) return;
  if (isShared()) localStorage.setItem(endingKey, why); // first, so that the other tabs find it
  place().removeItem(tokensKey);
}

/** Returns why the shared session ended; undefined if there was none in this browser. */
export const lastEnding = (): Ending | undefined =>
  (localStorage.getItem(endingKey) ?? undefined) as Ending | undefined;

/** Returns the claims of a token that the page needs, without checking its signature. */
function claims(token: string): { sub?: string; exp?: number } {
  try {
    const part = token.split(".")[1] ?? "";
    return JSON.parse(atob(part.replace(/-/g, "+").replace(/_/g, "/"))) as { sub?: string; exp?: number };
  } catch {
    return {};
  }
}

/** Returns the user id of a token's person; empty if the token has none. */
export const userOf = (token: string): string => claims(token).sub ?? "";

/** Returns the user id of the stored tokens; undefined if there are none. */
export function storedUser(): string | undefined {
  const held = stored();
  return held ? userOf(held.token) : undefined;
}

// A token that expires within this time is renewed first, because requests take time.
const margin = 60_000;

/** Reports whether a token is valid for a minute at least. */
export function isFresh(token: string, now = Date.now()): boolean {
  return (claims(token).exp ?? 0) * 1000 - now > margin;
}
