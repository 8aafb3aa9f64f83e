// The visit to the pages of an OpenID provider, from which an answer comes back in the address.

/** The state of a visit until its answer arrives. A silent visit shows the person no page. */
export interface Visit {
  readonly state: string;
  readonly verifier: string;
  readonly hash: string;
  readonly silent: boolean;
}

/** The provider's answer to a visit of this window. */
export interface Answer { readonly visit: Visit; readonly query: URLSearchParams }

const key = "parley.visit";

export const keepVisit = (visit: Visit): void => sessionStorage.setItem(key, JSON.stringify(visit));

export const forgetVisit = (): void => sessionStorage.removeItem(key);

/**
 * Takes an answer out of the address, and restores the visit's route. It returns nothing unless this window waits for
 * the answer: anybody can write an address, but only the provider learns the state (RFC 6749, 10.12). Another answer
 * does not change the visit, the session or the route.
 */
export function takeAnswer(): Answer | undefined {
  const query = new URLSearchParams(location.search);
  if (!["code", "error", "state"].some(name => query.has(name))) return undefined;
  const visit = JSON.parse(sessionStorage.getItem(key) ?? "null") as Visit | null;
  const awaited = visit?.state === query.get("state");
  history.replaceState(null, "", `/${awaited ? visit.hash : location.hash}`);
  if (!awaited) return undefined;
  forgetVisit();
  dispatchEvent(new Event("hashchange")); // replaceState does not dispatch it
  return { visit, query };
}
