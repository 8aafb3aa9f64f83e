import { useState } from "preact/hooks";
import { BlockedPeople } from "../people/block.js";
import { signOut } from "../session/sign-in.js";
import { nameOf } from "../state/names.js";
import { usePage } from "../state/page.js";
import { Dialog } from "../ui/dialog.js";

/** The person's name, the people they have blocked, and the sign-out. */
export default function Account({ onClose }: { onClose: () => void }) {
  const page = usePage();
  const { card, chat, config, me } = page;
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
      <section class="p-section" aria-label="This window">
        {config.value?.signIn.kind === "local" && <p class="small quiet">Other windows stay signed in: each has a person of its own.</p>}
        <button type="button" class="button plain" onClick={() => { onClose(); void signOut(page); }}>Sign out</button>
      </section>
    </Dialog>
  );
}
