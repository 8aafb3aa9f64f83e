// The editor of a new or existing part's text. If another person saved the part meanwhile, the editor
// shows both texts, and the person chooses one.
import { RequestError, type Room } from "@parley/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { useApi } from "../api/load.js";
import type { Part } from "../api/types.js";
import { useCards } from "../people/cards.js";
import { nameOf } from "../state/names.js";
import { type Draft, usePage } from "../state/page.js";
import { Changes } from "../ui/changes.js";
import { slug } from "../ui/forms.js";
import { type Form, FormBody, Plain, TextField, Time, useForm } from "../ui/parts.js";
import { onlyPart, partPath } from "./path.js";

/** The status of a save whose If-Match is not the newest version. */
const stale = 412;
/** The status of a save without If-Match if the part exists. */
const exists = 428;

export function Editor({ room, doc, part, first = false, onSaved, onClose }: {
  room: Room; doc: string; part?: Part; first?: boolean; onSaved: () => void; onClose: () => void;
}) {
  const { drafts, me, toast } = usePage();
  const { request } = useApi();
  const [name, setName] = useState(first ? onlyPart : "");
  const key = `${me.value} ${partPath(room, doc, part?.part ?? "")}`;
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
  const path = partPath(room, doc, id);
  const save = async (over: Part | undefined) => {
    try {
      await request("PUT", path, { text }, over ? { "If-Match": `"${over.version}"` } : {});
      toast("Saved.");
      forget(onSaved);
    } catch (e) {
      if (!(e instanceof RequestError) || e.status !== stale && e.status !== exists) throw e;
      setNewer(await request("GET", path));
    }
  };
  const form = useForm(first ? ["text"] : ["text", "part"], () => save(base));
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.key !== "Escape") return;
    e.stopPropagation(); // Escape closes the editor only while its text is unchanged, so that no text is lost
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
        <Fields
          form={form}
          part={part}
          named={!part && !first}
          name={name}
          text={text}
          onName={setName}
          onText={v => keep({ text: v, base })}
          onCancel={() => forget(onClose)}
        />
      </div>
    </div>
  );
}

function Fields({ form, part, named, name, text, onName, onText, onCancel }: {
  form: Form; part: Part | undefined; named: boolean; name: string; text: string;
  onName: (name: string) => void; onText: (text: string) => void; onCancel: () => void;
}) {
  const label = part && part.part !== onlyPart ? `Text of ${part.part}` : "Text";
  return (
    <FormBody
      form={form}
      label={part ? `Edit ${part.part}` : named ? "New part" : "Text of the document"}
      action="Save"
      onCancel={onCancel}
    >
      {named && (
        <TextField
          form={form}
          name="part"
          label="Name of the part"
          hint="A part has a text and versions of its own. Use letters from a to z, digits and hyphens."
          value={name}
          onValue={onName}
        />
      )}
      <TextField form={form} name="text" label={label} rows={12} value={text} onValue={onText} />
    </FormBody>
  );
}

/** Both texts after a save that conflicted with a newer version, and the choice between them. */
function Stale({ newer, text, room, onMine, onEdit, onTheirs }: {
  newer: Part; text: string; room: Room; onMine: () => Promise<void>; onEdit: () => void; onTheirs: () => void;
}) {
  const page = usePage();
  const people = useCards(room, [newer.savedBy]);
  const box = useRef<HTMLDivElement>(null);
  const form = useForm([], onMine);
  useEffect(() => box.current?.focus(), [newer.version]);
  return (
    <div ref={box} class="p-form" role="group" aria-label="Somebody else saved this part" tabIndex={-1}>
      <p role="alert">
        <bdi>{nameOf(page, people, newer.savedBy)}</bdi> saved
        version {newer.version} at <Time at={newer.savedAt} /> while you were writing. Your text is not saved yet.
      </p>
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
