import { RequestError } from "@parley/client";
import { useState } from "preact/hooks";
import { atMost } from "../api/at-most.js";
import { type Page, usePage, wordsOf } from "../state/page.js";
import { Dialog } from "../ui/dialog.js";
import { slug } from "../ui/forms.js";
import type { Found } from "../ui/having.js";
import { ChoosePeople } from "./choose-people.js";
import { enter } from "./enter.js";

const mostTries = 9;

/** The settings of a new room. */
interface Shape { readonly name: string; readonly topic?: string }

/** Creates a public room under the first free id, and returns the id. */
async function createPublic({ chat }: Page, shape: Shape): Promise<string> {
  // Only private rooms have ids that begin with p-.
  const base = slug(shape.name).replace(/^p-/, "room-p-") || `room-${Date.now().toString(36)}`;
  for (let n = 1; n <= mostTries; n++) {
    const id = n === 1 ? base : `${base}-${n}`;
    try {
      // an existing room keeps its settings
      await chat.value?.request("PUT", `/rooms/${id}`, shape, { "If-None-Match": "*" });
      return id;
    } catch (error) {
      if (!(error instanceof RequestError) || ![403, 409, 412].includes(error.status)) throw error;
    }
  }
  throw new Error("There are rooms with this name already. Choose another.");
}

async function createPrivate({ chat }: Page, shape: Shape): Promise<string> {
  return (await chat.value?.request("POST", "/rooms", { visibility: "private", ...shape }))?.id ?? "";
}

/** Adds people to a new room, and shows who could not be added. The room exists anyway. */
async function addMembers({ chat, toast }: Page, room: string, people: readonly Found[]): Promise<void> {
  const run = atMost(4);
  const add = ({ user }: Found) => chat.value?.request(
    "PUT", `/rooms/${encodeURIComponent(room)}/members/${encodeURIComponent(user)}`, { role: "member" },
  );
  const results = await Promise.allSettled(people.map(p => run(async () => add(p))));
  const missing = people.filter((_, i) => results[i]?.status === "rejected").map(p => p.name);
  if (missing.length) toast(`${missing.join(", ")} could not be added. Try again under People.`);
}

/** Asks for the name of a new room, what it is about, who may find it, and its first members. */
export default function Create({ onClose }: { onClose: () => void }) {
  const page = usePage();
  const [name, setName] = useState(page.proposedName.value);
  const [topic, setTopic] = useState("");
  const [hidden, setHidden] = useState(false);
  const [people, setPeople] = useState<readonly Found[]>([]);
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);
  const submit = async (e: Event) => {
    e.preventDefault();
    if (!name.trim() || busy) return;
    setBusy(true);
    try {
      const shape = { name: name.trim(), ...(topic.trim() && { topic: topic.trim() }) };
      const id = await (hidden ? createPrivate : createPublic)(page, shape);
      await addMembers(page, id, people);
      onClose();
      enter(page, id);
    } catch (failure) {
      setError(wordsOf(failure));
    }
    setBusy(false);
  };
  return (
    <Dialog label="Create a room" onClose={onClose}>
      <h2>Create a room</h2>
      <form onSubmit={submit}>
        <label class="field">
          Name of the room
          <input
            value={name}
            onInput={e => setName(e.currentTarget.value)}
            autofocus
            maxLength={100}
            autocomplete="off"
            dir="auto"
          />
        </label>
        <label class="field">
          Topic
          <input
            value={topic}
            onInput={e => setTopic(e.currentTarget.value)}
            maxLength={250}
            autocomplete="off"
            dir="auto"
            placeholder="What is it about? (optional)"
          />
        </label>
        <Visibility hidden={hidden} onHidden={setHidden} />
        <ChoosePeople chosen={people} onChoose={setPeople} />
        <p class="alert small" role="alert">{error}</p>
        <div class="acts">
          <button type="button" class="button plain" onClick={onClose}>Cancel</button>
          <button class="button" disabled={busy || !name.trim()}>Create</button>
        </div>
      </form>
    </Dialog>
  );
}

/** Asks who may find the room. */
const Visibility = ({ hidden, onHidden }: { hidden: boolean; onHidden: (hidden: boolean) => void }) => (
  <fieldset class="choices">
    <legend class="unseen">Who may join</legend>
    <label>
      <input type="radio" name="who" checked={!hidden} onChange={() => onHidden(false)} />
      <span><b>Public</b><small class="quiet">Anyone can find and join it.</small></span>
    </label>
    <label>
      <input type="radio" name="who" checked={hidden} onChange={() => onHidden(true)} />
      <span><b>Private</b><small class="quiet">Only people you invite can see it.</small></span>
    </label>
  </fieldset>
);
