// The access token of this window is in sessionStorage, so that another window can be signed in as somebody else.

/** The tokens of a sign-in. Only an OpenID provider gives a refresh token. */
export interface Tokens { readonly token: string; readonly refresh?: string }

const key = "parley.tokens";

export function stored(): Tokens | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null") as Tokens | null;
  } catch {
    return null;
  }
}

export function store(t: Tokens | null): void {
  if (t) sessionStorage.setItem(key, JSON.stringify(t));
  else sessionStorage.removeItem(key);
}

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

// A token that expires within this time is renewed first, because requests take time.
const margin = 60_000;

/** Reports whether a token is valid for a minute at least. */
export function isFresh(token: string, now = Date.now()): boolean {
  return (claims(token).exp ?? 0) * 1000 - now > margin;
}
