// Rooms that a search without in: leaves out because the person has not joined them; it offers some of them.
import { useEffect, useState } from "preact/hooks";
import { join } from "../api/rooms.js";
import type { ListedRoom } from "../api/types.js";
import { useAllRooms } from "../state/all-rooms.js";
import { usePage } from "../state/page.js";
import { having } from "../ui/having.js";
import { Plain } from "../ui/parts.js";
import { withFilter, wordsIn } from "./query.js";

/** The most rooms that are offered. */
const most = 4;
/** The API's largest page; further rooms are in "Browse rooms". */
const mostListed = 200;
/** A shorter word is in most names. */
const shortest = 2;

/** Says where was searched, and offers rooms to join whose name or topic has a word of the query. */
export function Elsewhere({ query, onQuery }: { query: string; onQuery: (query: string) => void }) {
  const page = usePage();
  const { chat, route } = page;
  const [open, setOpen] = useState<readonly ListedRoom[]>([]);
  const rooms = useAllRooms(open.length > 0);
  useEffect(() => {
    void chat.value?.request("GET", `/rooms?limit=${mostListed}`)
      .then(found => setOpen(found.items), () => undefined); // "Browse rooms" shows why
  }, []);
  const others = open.filter(r => !rooms.some(own => own.id === r.id));
  const matching = new Set(wordsIn(query)
    .filter(word => word.length >= shortest)
    .flatMap(word => having(others, word, r => `${r.name} ${r.topic ?? ""}`, r => r.id, most)));
  const enter = async (id: string) => {
    try {
      await join(page, id);
      route.go(id);
    } catch (error) {
      page.toastError(error);
    }
  };
  return (
    <section class="s-elsewhere" aria-label="Other rooms">
      <p class="small quiet">
        {matching.size
          ? "Only the rooms that you have joined were searched. These match, too:"
          : "Only the rooms that you have joined were searched."}
      </p>
      {matching.size > 0 && (
        <ul>
          {[...matching].slice(0, most).map(({ id, name, topic }) => (
            <li key={id} class="p-row">
              <span class="cut" dir="auto">#{name || id}{topic && <span class="small quiet"> {topic}</span>}</span>
              <Plain
                class="link"
                aria-label={`Search #${name || id}`}
                onClick={() => onQuery(withFilter(query, "in", id))}
              >
                Search
              </Plain>
              <Plain class="link" aria-label={`Join #${name || id}`} onClick={() => void enter(id)}>Join</Plain>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
