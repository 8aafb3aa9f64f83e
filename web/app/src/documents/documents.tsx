// The documents of a room: the list, a new one, and one that is open.
import type { People, Room } from "@parley/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { mayAdminister } from "../access/moderator.js";
import { mayWrite } from "../access/rights.js";
import { useApi, usePages } from "../api/load.js";
import type { DocumentInfo, DocumentPage } from "../api/types.js";
import { useCards } from "../people/cards.js";
import { useValue } from "../state/cell.js";
import { nameOf } from "../state/names.js";
import { usePage } from "../state/page.js";
import { slug } from "../ui/forms.js";
import { Icon } from "../ui/icons.js";
import { More, Plain, Shown, Time } from "../ui/parts.js";
import { Document } from "./document.js";
import { documentPath } from "./path.js";
import { Permissions, type DocumentDraft } from "./permissions.js";

export function Documents({ room }: { room: Room }) {
  const [{ id, fresh }, setOpen] = useState({ id: "", fresh: false });
  const from = useRef("");
  const close = () => { from.current = id; setOpen({ id: "", fresh: false }); };
  return id
    ? <Document key={id} room={room} id={id} fresh={fresh} onBack={close} />
    : <List room={room} from={from.current} onOpen={(to, is = false) => setOpen({ id: to, fresh: is })} />;
}

function List({ room, from, onOpen }: { room: Room; from: string; onOpen: (id: string, fresh?: boolean) => void }) {
  const { request } = useApi();
  const { info } = useValue(room);
  const [creating, setCreating] = useState(false);
  const pages = usePages<DocumentPage>(`/rooms/${encodeURIComponent(room.id)}/documents`);
  const people = useCards(room, (pages.value ?? []).flatMap(p => p.items).map(d => d.createdBy));
  const list = useRef<HTMLUListElement>(null);
  const loaded = pages.value !== undefined;
  // Back from a document, the focus is where it was opened.
  useEffect(() => {
    if (loaded && from) {
      Array.from(list.current?.querySelectorAll("button") ?? []).find(b => b.dataset.doc === from)?.focus();
    }
  }, [loaded]);
  const role = info?.me?.role ?? "";
  const create = async (draft: DocumentDraft) => {
    const id = slug(draft.title, suffix());
    await request("PUT", documentPath(room, id), draft);
    onOpen(id, true);
  };
  return (
    <>
      {info && mayWrite(role, info, {}) && (
        <div class="p-bar"><Plain onClick={() => setCreating(true)}>New document</Plain></div>
      )}
      <Shown loaded={pages}>{value => {
        const documents = value.flatMap(p => p.items);
        return (
          <>
            <ul ref={list}>{documents.map(d => <Entry key={d.document} people={people} doc={d} onOpen={onOpen} />)}</ul>
            {!documents.length && <p class="p-state">No documents yet.</p>}
            <More pages={pages} what="documents" />
          </>
        );
      }}</Shown>
      {creating && info && (
        <Permissions
          title="New document"
          action="Create"
          restricts={mayAdminister(role, info)}
          onSave={create}
          onClose={() => setCreating(false)}
        />
      )}
    </>
  );
}

/** Four random characters keep the id of a new document from one in use, which would be changed. */
function suffix(): string {
  const letters = "abcdefghijkmnpqrstuvwxyz23456789";
  return Array.from(crypto.getRandomValues(new Uint8Array(4)), n => letters[n % letters.length]).join("");
}

function Entry({ people, doc, onOpen }: { people: People; doc: DocumentInfo; onOpen: (id: string) => void }) {
  const page = usePage();
  return (
    <li>
      <button type="button" class="p-row" data-doc={doc.document} onClick={() => onOpen(doc.document)}>
        <span class="glyph"><Icon name="doc" /></span>
        <span class="p-name">
          <span class="cut" dir="auto">{doc.title}</span>
          <span class="small quiet cut">
            <bdi>{nameOf(page, people, doc.createdBy)}</bdi>, <Time at={doc.createdAt} />
          </span>
        </span>
      </button>
    </li>
  );
}
