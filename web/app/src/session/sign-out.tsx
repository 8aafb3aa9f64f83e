// The sign-out of somebody who has written what was not sent: nothing of it is discarded unasked.
import type { Act, Observable } from "@parley/client";
import { useEffect, useState } from "preact/hooks";
import { draftCount } from "../state/drafts.js";
import { useValue } from "../state/cell.js";
import { type Page, usePage } from "../state/page.js";
import { sentence } from "../ui/forms.js";
import { Plain, Sheet } from "../ui/parts.js";
import { end } from "./session.js";
import { stored } from "./tokens.js";

const unreached = "The sign-in service could not be reached. It may still sign you in here without a password. "
  + "Sign in and out again when you are online.";

/**
 * Signs out, removes the unsent messages, and ends the provider's session and refresh token. The
 * tokens are removed from the browser first, because the provider may be unreachable.
 */
async function signOut(page: Page): Promise<void> {
  const signIn = page.config.value?.signIn;
  const refresh = stored()?.refresh;
  await end(page, "left");
  if (signIn?.kind === "oidc") {
    await import("./oidc.js").then(o => o.leaveForGood(signIn, refresh)).catch(() => {
      page.refusal.value = unreached;
    });
  }
}

/** Signs out, or asks first if anything was not sent. */
export async function askToSignOut(page: Page): Promise<void> {
  const unsent = lost(page, (await page.chat.value?.unsent())?.value ?? []).length;
  if (unsent + draftsOf(page) > 0) page.dialog.value = "sign-out";
  else await signOut(page);
}

function draftsOf({ drafts, me }: Page): number {
  return draftCount(me.value) + [...drafts.keys()].filter(key => key.startsWith(`${me.value} `)).length;
}

/** Returns the acts that a sign-out would lose: it sends deletions that wait only for their time. */
const lost = ({ connection }: Page, acts: readonly Act[]): readonly Act[] =>
  acts.filter(a => a.kind !== "read" && (a.kind !== "deletion" || a.error || connection.value === "offline"));

const none: Observable<readonly Act[]> = { value: [], subscribe: () => () => undefined };

/** Returns what the person did that a sign-out would lose. */
function useUnsent(page: Page): readonly Act[] {
  const [unsent, setUnsent] = useState(none);
  useEffect(() => { void page.chat.value?.unsent().then(setUnsent); }, []);
  return lost(page, useValue(unsent));
}

const count = (n: number, one: string, many: string) => (n === 1 ? `1 ${one}` : `${n} ${many}`);

/** What a person did that was not sent, in a sentence. */
function words(acts: readonly Act[], drafts: number): string {
  const messages = acts.filter(a => a.kind === "message").length;
  const others = acts.length - messages;
  const written = drafts && `you have ${count(drafts, "draft", "drafts")}`;
  const sent = messages && count(messages, "message was not sent", "messages were not sent");
  const done = others && count(others, "change was not sent", "changes were not sent");
  return sentence([sent, done, written].filter(Boolean).join(", and "));
}

/** Asks what happens to what was not sent. */
export default function SignOut({ onClose }: { onClose: () => void }) {
  const page = usePage();
  const acts = useUnsent(page);
  const drafts = draftsOf(page);
  const offline = useValue(page.connection) === "offline";
  const [sends, setSends] = useState(false);
  const refused = acts.find(a => a.error);
  const send = () => {
    for (const a of acts) if (a.error) page.chat.value?.room(a.room).retry(a.id);
    setSends(true);
  };
  useEffect(() => {
    if (!sends || acts.length && !refused) return;
    setSends(false);
    if (!acts.length && !drafts) void signOut(page);
  }, [sends, acts.length, refused]);
  return (
    <Sheet title="Sign out?" alert onClose={onClose}>
      <div class="p-form">
        <p>{words(acts, drafts)} {sends ? "" : "What you discard cannot be restored."}</p>
        {refused && <p class="alert" role="alert">{refused.error}</p>}
        <p class="quiet" role="status">
          {sends
            && (offline
              ? "You are offline. When you are back, all is sent, and you are signed out."
              : "It is being sent…")}
        </p>
        <div class="acts">
          <Plain onClick={onClose}>Cancel</Plain>
          <button type="button" class="button danger" onClick={() => void signOut(page)}>Discard and sign out</button>
          {acts.length > 0 && (
            <button type="button" class="button" disabled={sends} onClick={send}>Send first</button>
          )}
        </div>
      </div>
    </Sheet>
  );
}
