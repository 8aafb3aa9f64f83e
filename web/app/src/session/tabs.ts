// Keeps this tab in step with the session of all tabs.
import type { Page } from "../state/page.js";
import { end } from "./session.js";
import { start } from "./sign-in.js";
import { isShared, lastEnding, storedUser, tokensKey } from "./tokens.js";

/** Follows what other tabs do: a sign-out ends the session here too, and a sign-in begins it. */
export function followTabs(page: Page): void {
  addEventListener("storage", e => {
    if (e.storageArea === localStorage && (e.key === tokensKey || e.key === null)) follow(page, e.oldValue === null);
  });
  addEventListener("pageshow", e => { if (e.persisted) follow(page, true); }); // it did not receive the others' changes
}

function follow(page: Page, begun: boolean): void {
  if (!isShared()) return;
  const user = storedUser();
  const { me, phase } = page;
  if (phase.value === "in") {
    if (user === undefined) void end(page, lastEnding() ?? "signed-out");
    else if (user !== me.value) void end(page, "other");
  } else if (phase.value === "other" && user === undefined) phase.value = "sign-in";
  else if (begun && user !== undefined && phase.value !== "starting" && phase.value !== "other") void start(page);
}
