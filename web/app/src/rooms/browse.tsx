// The public rooms, with what each is about, who is there and when somebody last wrote.
import { useEffect, useRef, useState } from "preact/hooks";
import { usePages } from "../api/load.js";
import { join } from "../api/rooms.js";
import type { ListedRoom, RoomPage } from "../api/types.js";
import { useValue } from "../state/cell.js";
import { usePage } from "../state/page.js";
import { href } from "../state/route.js";
import { Dialog } from "../ui/dialog.js";
import { placeText } from "../ui/forms.js";
import { having } from "../ui/having.js";
import { Icon, IconButton } from "../ui/icons.js";
import { More, Plain, Shown } from "../ui/parts.js";
import { type Details, detailsText, useDetails } from "./details.js";
import { enter } from "./enter.js";

/** While somebody searches, the list is loaded up to this many rooms. */
const searchable = 2000;

/** The fields that the search for a room compares. */
const textOf = (r: ListedRoom) => `${r.name} ${r.topic} ${placeText(r.place)}`;

export default function Browse({ onClose }: { onClose: () => void }) {
  const { current, dialog, panel, proposedName } = usePage();
  const [query, setQuery] = useState("");
  const pages = usePages<RoomPage>("/rooms");
  const all = (pages.value ?? []).flatMap(p => p.items);
  useEffect(() => { if (query && pages.hasMore && all.length < searchable) pages.more(); });
  const found = having(all, query.trim(), textOf, r => r.id, searchable);
  const hasPlaces = current.value && all.some(r => r.place?.length);
  return (
    <Dialog label="Browse rooms" class="finder browse" onClose={onClose}>
      <div class="query">
        <Icon name="search" />
        <input
          type="search"
          aria-label="Search rooms"
          placeholder="Search rooms"
          autofocus
          autocomplete="off"
          dir="auto"
          value={query}
          onInput={e => setQuery(e.currentTarget.value)}
        />
        <IconButton name="close" label="Close" onClick={onClose} />
      </div>
      <div class="results">
        <Shown loaded={pages}>{() => (
          <>
            <ul aria-label="Public rooms">{found.map(r => <Row key={r.id} room={r} onClose={onClose} />)}</ul>
            {!found.length && (
              <p class="hint" role="status">
                {query
                  ? "No rooms were found. Create the one you are looking for."
                  : "There are no public rooms yet. Create the first one."}
              </p>
            )}
            <More pages={pages} what="rooms" />
          </>
        )}</Shown>
      </div>
      <div class="foot">
        <Plain onClick={() => { proposedName.value = query.trim(); dialog.value = "create"; }}>
          <Icon name="plus" />Create a room
        </Plain>
        {hasPlaces && <Plain onClick={() => { onClose(); panel.value = "places"; }}>Rooms by place</Plain>}
      </div>
    </Dialog>
  );
}

function Row({ room, onClose }: { room: ListedRoom; onClose: () => void }) {
  const page = usePage();
  const row = useRef<HTMLLIElement>(null);
  const details: Details = useDetails(row, room.id);
  const joined = useValue(page.list).rooms.some(r => r.id === room.id);
  const [busy, setBusy] = useState(false);
  const name = room.name || room.id;
  const open = () => { onClose(); enter(page, room.id); };
  const click = async () => {
    if (joined) return open();
    setBusy(true);
    try {
      await join(page, room.id);
      await page.chat.value?.rooms.reload();
    } catch (error) {
      page.toastError(error);
    }
    setBusy(false);
  };
  return (
    <li ref={row} class="p-person">
      <span class="glyph"><Icon name="hash" /></span>
      <div class="p-name">
        <a class="cut" href={href(room.id)} onClick={onClose}><bdi>{name}</bdi></a>
        <span class="small quiet cut" dir="auto">
          {[detailsText(details), room.topic, placeText(room.place)].filter(Boolean).join(" · ")}
        </span>
      </div>
      <button
        type="button"
        class={joined ? "button plain" : "button"}
        aria-label={`${joined ? "Open" : "Join"} ${name}`}
        aria-disabled={busy}
        onClick={() => void click()}
      >
        {joined ? "Open" : "Join"}
      </button>
    </li>
  );
}
