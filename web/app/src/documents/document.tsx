// One document: its parts with their texts and actions.
import type { Room } from "@parley/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { mayAdministerDocument, mayWrite } from "../access/rights.js";
import { useApi, usePages } from "../api/load.js";
import type { DocumentWithParts, Part } from "../api/types.js";
import { useCards } from "../people/cards.js";
import { useValue } from "../state/cell.js";
import { nameOf } from "../state/names.js";
import { usePage } from "../state/page.js";
import { Icon } from "../ui/icons.js";
import { More, Plain, Shown, Time } from "../ui/parts.js";
import { Editor } from "./editor.js";
import { documentPath, onlyPart, partPath } from "./path.js";
import { Permissions, type DocumentDraft } from "./permissions.js";
import { Versions } from "./versions.js";

/** A document. A fresh one begins with the editor of its text. */
export function Document({ room, id, fresh, onBack }: { room: Room; id: string; fresh: boolean; onBack: () => void }) {
  const pages = usePages<DocumentWithParts>(documentPath(room, id));
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => back.current?.focus(), []);
  return (
    <>
      <button type="button" class="p-back" ref={back} onClick={onBack}><Icon name="back" />All documents</button>
      <Shown loaded={pages}>{value => {
        const [first] = value;
        return first && (
          <>
            <Opened
              room={room}
              doc={first}
              fresh={fresh}
              parts={value.flatMap(p => p.parts)}
              onChanged={pages.reload}
            />
            <More pages={pages} what="parts" />
          </>
        );
      }}</Shown>
    </>
  );
}

/** A part that is open for an edit or for its versions. */
interface Open {
  readonly part: string;
  readonly as: "editor" | "versions";
  /** The part as it was when its edit began. */
  readonly newest?: Part;
}

function Opened({ room, doc, fresh, parts, onChanged }: {
  room: Room; doc: DocumentWithParts; fresh: boolean; parts: readonly Part[]; onChanged: () => void;
}) {
  const { request } = useApi();
  const { info } = useValue(room);
  const [open, setOpen] = useState<Open | null>(fresh ? { part: "", as: "editor" } : null);
  const [changing, setChanging] = useState(false);
  const role = info?.me?.role ?? "";
  const writes = !!info && mayWrite(role, info, doc);
  const set = async (draft: DocumentDraft) => {
    await request("PATCH", documentPath(room, doc.document), draft);
    onChanged();
  };
  // An edit begins with the newest text if it loads, so that a conflict only shows later changes.
  const edit = async (p: Part) => {
    const newest = await request("GET", partPath(room, doc.document, p.part)).catch(() => p);
    setOpen({ part: p.part, as: "editor", newest });
  };
  const saved = () => { setOpen(null); onChanged(); };
  return (
    <>
      <div class="p-title">
        <h3 dir="auto">{doc.title}</h3>
        {info && mayAdministerDocument(role, info, doc) && <Plain onClick={() => setChanging(true)}>Change</Plain>}
      </div>
      {parts.map(p => (
        <PartView
          key={p.part}
          room={room}
          doc={doc.document}
          part={open?.part === p.part && open.newest || p}
          writes={writes}
          named={parts.length > 1 || p.part !== onlyPart}
          open={open?.part === p.part ? open.as : undefined}
          onOpen={as => void (as === "editor" ? edit(p) : setOpen(as && { part: p.part, as }))}
          onSaved={saved}
        />
      ))}
      {!parts.length && open?.part !== "" && <p class="p-state">The document has no text yet.</p>}
      {writes && (open?.part === ""
        ? <Editor room={room} doc={doc.document} first={!parts.length} onSaved={saved} onClose={() => setOpen(null)} />
        : <AddPart first={!parts.length} onClick={() => setOpen({ part: "", as: "editor" })} />)}
      {changing && (
        <Permissions
          title="Change the document"
          action="Save"
          doc={doc}
          restricts
          onSave={set}
          onClose={() => setChanging(false)}
        />
      )}
    </>
  );
}

const AddPart = ({ first, onClick }: { first: boolean; onClick: () => void }) => (
  <div class="acts"><Plain onClick={onClick}>{first ? "Write the text" : "Add a part"}</Plain></div>
);

function PartView({ room, doc, part, writes, named, open, onOpen, onSaved }: {
  room: Room; doc: string; part: Part; writes: boolean; named: boolean;
  open: Open["as"] | undefined; onOpen: (as: Open["as"] | null) => void; onSaved: () => void;
}) {
  const page = usePage();
  const people = useCards(room, [part.savedBy]);
  const edit = useRef<HTMLButtonElement>(null);
  const was = useRef(open);
  // After an edit, the focus is on the button that began it.
  useEffect(() => {
    if (was.current === "editor" && !open) edit.current?.focus();
    was.current = open;
  }, [open]);
  if (open === "editor") {
    return <Editor room={room} doc={doc} part={part} onSaved={onSaved} onClose={() => onOpen(null)} />;
  }
  return (
    <section class="p-card" aria-label={part.part}>
      {named && <h4>{part.part}</h4>}
      <p class="p-text" dir="auto">{part.text}</p>
      <p class="small quiet">
        Version {part.version}, <bdi>{nameOf(page, people, part.savedBy)}</bdi>, <Time at={part.savedAt} />
      </p>
      <div class="acts">
        {(part.version > 1 || open) && (
          <Plain
            aria-expanded={open === "versions"}
            aria-label={`Versions of ${part.part}`}
            onClick={() => onOpen(open ? null : "versions")}
          >
            Versions
          </Plain>
        )}
        {writes && <Plain ref={edit} aria-label={`Edit ${part.part}`} onClick={() => onOpen("editor")}>Edit</Plain>}
      </div>
      {open === "versions" && <Versions room={room} doc={doc} part={part} writes={writes} onRestored={onSaved} />}
    </section>
  );
}
