// The person's current query, and their earlier queries on this device.
import { cell } from "../state/cell.js";
import type { Page } from "../state/page.js";

/** Whose query the panel has. It stays when the panel closes. */
export const asked = cell({ user: "", query: "" });

/** Returns the query of the person. */
export const askedBy = (user: string): string => (asked.value.user === user ? asked.value.query : "");

/** Changes the query of the panel. */
export function ask({ me }: Page, query: string): void {
  asked.value = { user: me.value, query };
}

/** Shows what a query finds in the panel. */
export function search(page: Page, query: string): void {
  ask(page, query);
  page.panel.value = "search";
  setTimeout(() => document.querySelector<HTMLElement>(".s-form input")?.focus()); // of the panel that is open already
}

const mostRecent = 8;
/** Where the browser remembers the searches of a person. */
const keyOf = (user: string) => `parley.searches ${user}`;

/** Returns the last searches of a person, the newest first. */
export const recentSearches = (user: string): string[] =>
  (localStorage.getItem(keyOf(user)) ?? "").split("\n").filter(Boolean);

/** Remembers a search. */
export function keepSearch(user: string, query: string): void {
  const text = query.trim().replace(/\s+/g, " ");
  if (!text) return;
  try {
    localStorage.setItem(
      keyOf(user), [text, ...recentSearches(user).filter(other => other !== text)].slice(0, mostRecent).join("\n"),
    );
  } catch {
    // The storage is full: it is not remembered.
  }
}

/** Forgets the searches of a person. */
export const forgetSearches = (user: string): void => localStorage.removeItem(keyOf(user));
