// Public rooms that a person with few rooms may join, below the list.
import { useEffect, useState } from "preact/hooks";
import { join } from "../api/rooms.js";
import type { ListedRoom } from "../api/types.js";
import { useValue } from "../state/cell.js";
import { usePage } from "../state/page.js";
import { Icon } from "../ui/icons.js";
import { enter } from "./enter.js";

/** Rooms that are shown: the others are found with "Browse rooms". */
const shown = 8;
/** Rooms that are requested, of which the person may be in some. */
const asked = 50;

export default function Joinable() {
  const page = usePage();
  const { chat, list, dialog } = page;
  const { rooms } = useValue(list);
  const [open, setOpen] = useState<readonly ListedRoom[]>([]);
  useEffect(() => {
    void chat.value?.request("GET", `/rooms?limit=${asked}`)
      .then(found => setOpen(found.items), () => undefined); // "Browse rooms" shows why
  }, []);
  const others = open.filter(r => !rooms.some(own => own.id === r.id));
  if (!others.length) return null;
  const choose = async (room: string) => {
    try {
      await join(page, room);
      await chat.value?.rooms.reload();
      enter(page, room);
    } catch (error) {
      page.toastError(error);
    }
  };
  return (
    <section aria-labelledby="joinable">
      <div class="group"><h2 id="joinable">Rooms you can join</h2></div>
      <ul>
        {others.slice(0, shown).map(r => (
          <li key={r.id}>
            <button type="button" class="room" title={r.topic} onClick={() => void choose(r.id)}>
              <span class="glyph"><Icon name="hash" /></span>
              <span class="name cut"><span class="words">Join </span><bdi>{r.name || r.id}</bdi></span>
              <span class="small quiet" aria-hidden="true">Join</span>
            </button>
          </li>
        ))}
        {others.length > shown && (
          <li>
            <button type="button" class="room plain" onClick={() => (dialog.value = "browse")}>
              <span class="glyph"><Icon name="compass" /></span>Show all
            </button>
          </li>
        )}
      </ul>
    </section>
  );
}
