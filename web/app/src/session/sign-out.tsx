// The sign-out of somebody who has written what was not sent: nothing of it is discarded unasked.
import type { Observable, Unsent } from "@parley/client";
import { useEffect, useState } from "preact/hooks";
import { unsentDeletions } from "../message/deletions.js";
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
  const unsent = (await page.chat.value?.unsent())?.value.length ?? 0;
  if (unsent + draftsOf(page) + deletionsOf(page) > 0) page.dialog.value = "sign-out";
  else await signOut(page);
}

function draftsOf({ drafts, me }: Page): number {
  return draftCount(me.value) + [...drafts.keys()].filter(key => key.startsWith(`${me.value} `)).length;
}

/** Returns how many deletions of the person would be lost: with a network, a sign-out sends them. */
const deletionsOf = (page: Page): number => (page.connection.value === "offline" ? unsentDeletions(page).length : 0);

const none: Observable<readonly Unsent[]> = { value: [], subscribe: () => () => undefined };

/** Returns the messages of the person that were not sent. */
function useUnsent({ chat }: Page): readonly Unsent[] {
  const [unsent, setUnsent] = useState(none);
  useEffect(() => { void chat.value?.unsent().then(setUnsent); }, []);
  return useValue(unsent);
}

const count = (n: number, one: string, many: string) => (n === 1 ? `1 ${one}` : `${n} ${many}`);

/** A person's unsent messages, in a sentence. */
function words(messages: number, deletions: number, drafts: number): string {
  const written = drafts && `you have ${count(drafts, "draft", "drafts")}`;
  const sent = messages && count(messages, "message was not sent", "messages were not sent");
  const deleted = deletions && count(deletions, "deletion was not sent", "deletions were not sent");
  return sentence([sent, deleted, written].filter(Boolean).join(", and "));
}

/** Asks what happens to what was not sent. */
export default function SignOut({ onClose }: { onClose: () => void }) {
  const page = usePage();
  const messages = useUnsent(page);
  const drafts = draftsOf(page);
  const offline = useValue(page.connection) === "offline";
  const [sends, setSends] = useState(false);
  const refused = messages.find(m => m.error);
  const send = () => {
    for (const m of messages) if (m.error) page.chat.value?.room(m.room).retry(m.id);
    setSends(true);
  };
  useEffect(() => {
    if (!sends || messages.length && !refused) return;
    setSends(false);
    if (!messages.length && !drafts) void signOut(page);
  }, [sends, messages, refused]);
  return (
    <Sheet title="Sign out?" alert onClose={onClose}>
      <div class="p-form">
        <p>{words(messages.length, deletionsOf(page), drafts)} {sends ? "" : "What you discard cannot be restored."}</p>
        {refused && <p class="alert" role="alert">{refused.error}</p>}
        <p class="quiet" role="status">
          {sends
            && (offline
              ? "You are offline. When you are back, the messages are sent, and you are signed out."
              : "The messages are being sent…")}
        </p>
        <div class="acts">
          <Plain onClick={onClose}>Cancel</Plain>
          <button type="button" class="button danger" onClick={() => void signOut(page)}>Discard and sign out</button>
          {messages.length > 0 && (
            <button type="button" class="button" disabled={sends} onClick={send}>Send first</button>
          )}
        </div>
      </div>
    </Sheet>
  );
}
