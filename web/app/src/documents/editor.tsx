// The text of a part, new or existing. If somebody else saved it meanwhile, both texts are shown,
// and the person chooses.
import { RequestError, type Room } from "@parley/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { request } from "../api/load.js";
import type { Part } from "../api/types.js";
import { useCards } from "../people/cards.js";
import { nameOf } from "../state/names.js";
import { me, toast } from "../state/store.js";
import { Changes } from "../ui/changes.js";
import { slug } from "../ui/forms.js";
import { FormBody, Plain, TextField, Time, useForm } from "../ui/parts.js";
import { documentPath, onlyPart } from "./path.js";

/** The problem of a save whose If-Match names another version than the newest. */
const stale = 412;
/** The problem of a save without If-Match of a part that exists. */
const exists = 428;

/** A text that was not saved when the editor went away, and the version that it changes. */
interface Draft {
  readonly text: string;
  readonly base: Part | undefined;
}

/** The unsaved texts of this window by person and part: nothing typed is lost by a click. */
const drafts = new Map<string, Draft>();

export function Editor({ room, doc, part, first = false, onSaved, onClose }: {
  room: Room; doc: string; part?: Part; first?: boolean; onSaved: () => void; onClose: () => void;
}) {
  const [name, setName] = useState(first ? onlyPart : "");
  const key = `${me.value} ${documentPath(room, doc, "parts", part?.part ?? "")}`;
  const [{ text, base }, setDraft] = useState<Draft>(drafts.get(key) ?? { text: part?.text ?? "", base: part });
  const keep = (next: Draft) => { drafts.set(key, next); setDraft(next); };
  const forget = (then: () => void) => { drafts.delete(key); then(); };
  const [newer, setNewer] = useState<Part | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const fresh = useRef(!part && !first);
  useEffect(() => {
    if (!newer) box.current?.querySelector<HTMLElement>(fresh.current ? "input" : "textarea")?.focus();
    fresh.current = false;
  }, [newer]);
  const id = part?.part ?? slug(name);
  const path = documentPath(room, doc, "parts", id);
  const save = async (over: Part | undefined) => {
    try {
      await request("PUT", path, { text }, over ? { "If-Match": `"${over.version}"` } : {});
      toast("Saved.");
      forget(onSaved);
    } catch (e) {
      if (!(e instanceof RequestError) || e.status !== stale && e.status !== exists) throw e;
      setNewer(await request<Part>("GET", path));
    }
  };
  const form = useForm(first ? ["text"] : ["text", "part"], () => save(base));
  const label = part && part.part !== onlyPart ? `Text of ${part.part}` : "Text";
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.key !== "Escape") return;
    e.stopPropagation(); // Esc never loses a text: it closes the editor only while nothing was typed
    if (text === (base?.text ?? "")) forget(onClose);
  };
  const settle = (over: Part) => { keep({ text, base: over }); setNewer(null); };
  return (
    <div class="p-card" ref={box} onKeyDown={onKeyDown}>
      {newer && (
        <Stale
          newer={newer} text={text} room={room} onMine={() => save(newer)}
          onEdit={() => settle(newer)} onTheirs={() => forget(onSaved)}
        />
      )}
      <div hidden={!!newer}>
        <FormBody form={form} label={part ? `Edit ${part.part}` : first ? "Text of the document" : "New part"} action="Save" onCancel={() => forget(onClose)}>
          {!part && !first && <TextField form={form} name="part" label="Name of the part" hint="A part has a text and versions of its own. Use letters from a to z, digits and hyphens." value={name} onValue={setName} />}
          <TextField form={form} name="text" label={label} rows={12} value={text} onValue={v => keep({ text: v, base })} />
        </FormBody>
      </div>
    </div>
  );
}

/** Both texts after a save that came too late, and the choice between them. */
function Stale({ newer, text, room, onMine, onEdit, onTheirs }: {
  newer: Part; text: string; room: Room; onMine: () => Promise<void>; onEdit: () => void; onTheirs: () => void;
}) {
  const people = useCards(room, [newer.savedBy]);
  const box = useRef<HTMLDivElement>(null);
  const form = useForm([], onMine);
  useEffect(() => box.current?.focus(), [newer.version]);
  return (
    <div ref={box} class="p-form" role="group" aria-label="Somebody else saved this part" tabIndex={-1}>
      <p role="alert"><bdi>{nameOf(people, newer.savedBy)}</bdi> saved version {newer.version} at <Time at={newer.savedAt} /> while you were writing. Your text is not saved yet.</p>
      <div>
        <h4>Their text</h4>
        <p class="p-text" dir="auto">{newer.text}</p>
      </div>
      <div>
        <h4>Your text, compared with theirs</h4>
        <Changes before={newer.text} after={text} />
      </div>
      <form class="acts" ref={form.ref} onSubmit={form.onSubmit}>
        <Plain onClick={onTheirs}>Take theirs</Plain>
        <Plain onClick={onEdit}>Keep editing</Plain>
        <button type="submit" class="button">Save mine</button>
      </form>
      {form.faults.form && <p class="alert" role="alert">{form.faults.form}</p>}
    </div>
  );
}
