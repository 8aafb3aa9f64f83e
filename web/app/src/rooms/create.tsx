import { RequestError } from "@parley/client";
import { useState } from "preact/hooks";
import { type Page, usePage } from "../state/page.js";
import { Dialog } from "../ui/dialog.js";
import { slug } from "../ui/forms.js";

const mostTries = 9;

/** Creates a public room under the first free id, and returns the id. */
async function createPublic({ chat }: Page, name: string): Promise<string> {
  // Only private rooms have ids that begin with p-.
  const base = slug(name).replace(/^p-/, "room-p-") || `room-${Date.now().toString(36)}`;
  for (let n = 1; n <= mostTries; n++) {
    const id = n === 1 ? base : `${base}-${n}`;
    try {
      await chat.value?.request("PUT", `/rooms/${id}`, { name }, { "If-None-Match": "*" }); // an existing room keeps its settings
      return id;
    } catch (error) {
      if (!(error instanceof RequestError) || ![403, 409, 412].includes(error.status)) throw error;
    }
  }
  throw new Error("There are rooms with this name already. Choose another.");
}

async function createPrivate({ chat }: Page, name: string): Promise<string> {
  return (await chat.value?.request("POST", "/rooms", { visibility: "private", name }))?.id ?? "";
}

/** Asks for the name of a new room, and who may find it. */
export default function Create({ onClose }: { onClose: () => void }) {
  const page = usePage();
  const [name, setName] = useState(page.proposedName.value);
  const [hidden, setHidden] = useState(false);
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);
  const submit = async (e: Event) => {
    e.preventDefault();
    if (!name.trim() || busy) return;
    setBusy(true);
    try {
      const id = await (hidden ? createPrivate : createPublic)(page, name.trim());
      onClose();
      page.route.go(id);
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
    }
    setBusy(false);
  };
  return (
    <Dialog label="Create a room" onClose={onClose}>
      <h2>Create a room</h2>
      <form onSubmit={submit}>
        <label class="field">Name of the room<input value={name} onInput={e => setName(e.currentTarget.value)} autofocus maxLength={100} autocomplete="off" dir="auto" /></label>
        <fieldset class="choices">
          <legend class="unseen">Who may join</legend>
          <label><input type="radio" name="who" checked={!hidden} onChange={() => setHidden(false)} /><span><b>Public</b><small class="quiet">Anyone can find and join it.</small></span></label>
          <label><input type="radio" name="who" checked={hidden} onChange={() => setHidden(true)} /><span><b>Private</b><small class="quiet">Only people you invite can see it.</small></span></label>
        </fieldset>
        <p class="alert small" role="alert">{error}</p>
        <div class="acts">
          <button type="button" class="button plain" onClick={onClose}>Cancel</button>
          <button class="button" disabled={busy || !name.trim()}>Create</button>
        </div>
      </form>
    </Dialog>
  );
}
