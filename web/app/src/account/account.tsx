import { useState } from "preact/hooks";
import { BlockedPeople } from "../people/block.js";
import { askToSignOut } from "../session/sign-out.js";
import { isShared } from "../session/tokens.js";
import { nameOf } from "../state/names.js";
import { usePage } from "../state/page.js";
import { Dialog } from "../ui/dialog.js";

/** The person's name, the people they have blocked, and the sign-out. */
export default function Account({ onClose }: { onClose: () => void }) {
  const page = usePage();
  const { card, chat, me } = page;
  const [name, setName] = useState(nameOf(page, {}, me.value));
  const [busy, setBusy] = useState(false);
  const save = async (e: Event) => {
    e.preventDefault();
    if (!name.trim() || busy) return;
    setBusy(true);
    try {
      card.value = (await chat.value?.request("PATCH", "/people/me", { name: name.trim() })) ?? null;
      page.toast("Your name was saved. Others see it within a minute.");
      onClose();
    } catch (error) {
      page.toastError(error);
    }
    setBusy(false);
  };
  return (
    <Dialog label="Your account" onClose={onClose}>
      <h2>Your account</h2>
      <form onSubmit={save}>
        <label class="field">Name that others see<input value={name} onInput={e => setName(e.currentTarget.value)} maxLength={100} autocomplete="name" dir="auto" /></label>
        <p class="small quiet">Your user id is <code>{me.value}</code>.</p>
        <div class="acts">
          <button type="button" class="button plain" onClick={onClose}>Cancel</button>
          <button class="button" disabled={busy || !name.trim()}>Save</button>
        </div>
      </form>
      <BlockedPeople />
      <section class="p-section" aria-label="Session">
        <p class="small quiet">{isShared() ? "All tabs of this browser are signed in as you, and are signed out together." : "Only this window is signed in as you."}</p>
        <button type="button" class="button plain" onClick={() => void askToSignOut(page)}>Sign out</button>
      </section>
    </Dialog>
  );
}
