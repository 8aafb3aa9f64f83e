import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Dialog } from "./dialog.js";
import { join, writeTo } from "./direct.js";
import { Face } from "./face.js";
import { roomName } from "./header.js";
import { Icon } from "./icons.js";
import { type Found, type Listed, type Match, matchesOf } from "./matches.js";
import { dialog, proposedName } from "./rooms.js";
import { chat, go, list, me, toastError, useValue } from "./store.js";

const typingPause = 120; // milliseconds without a key before people are asked for
const mostListed = 200; // the API's largest page; further public rooms are found by their address

/** Asks the server for the public rooms once, and for people by the beginning of a name. */
function useServer(text: string): { open: readonly Listed[]; people: readonly Found[] } {
  const [open, setOpen] = useState<readonly Listed[]>([]);
  const [people, setPeople] = useState<readonly Found[]>([]);
  useEffect(() => {
    void chat.value?.request<{ rooms: Listed[] }>("GET", `/rooms?limit=${mostListed}`).then(page => setOpen(page.rooms), toastError);
  }, []);
  useEffect(() => {
    const name = text.trim();
    if (!name) return;
    let stale = false;
    const timer = setTimeout(() => {
      // A server may keep its directory closed; user ids still work then.
      void chat.value?.request<{ people: Found[] }>("GET", `/people?limit=8&name=${encodeURIComponent(name)}`)
        .then(page => { if (!stale) setPeople(page.people); }, () => undefined);
    }, typingPause);
    return () => { stale = true; clearTimeout(timer); };
  }, [text]);
  return { open, people };
}

/** The people of the server's answer, and those whom the page knows already. */
function known(found: readonly Found[]): Found[] {
  const all = new Map(found.map(p => [p.user, p]));
  for (const [user, { name }] of Object.entries(chat.value?.rooms.people ?? {})) {
    if (!all.has(user)) all.set(user, { user, name });
  }
  for (const user of list.value.rooms.flatMap(r => r.direct ?? [])) if (!all.has(user)) all.set(user, { user, name: user });
  all.delete(me.value);
  return [...all.values()];
}

/** Opens what a line stands for. */
async function choose({ kind, id }: Match): Promise<void> {
  dialog.value = null;
  try {
    if (kind === "person" || kind === "id") return await writeTo(id);
    if (kind === "public") await join(id);
    go(id);
  } catch (error) {
    toastError(error);
  }
}

/** Finds rooms and people by keyboard: a combobox whose list is always open. */
export default function Find({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const { open, people } = useServer(text);
  const { rooms } = useValue(list);
  const matches = useMemo(
    () => matchesOf(text, { me: me.value, own: rooms, nameOf: roomName, open, people: known(people) }),
    [text, open, people, rooms],
  );
  const active = Math.max(0, Math.min(at, matches.length - 1));
  useEffect(() => document.getElementById(`option-${active}`)?.scrollIntoView({ block: "nearest" }), [active]);
  const create = () => {
    proposedName.value = text.trim();
    dialog.value = "create";
  };
  const keys: Record<string, () => void> = {
    ArrowDown: () => setAt((active + 1) % (matches.length || 1)),
    ArrowUp: () => setAt((active || matches.length) - 1),
    Enter: () => { const m = matches[active]; if (m) void choose(m); },
  };
  const onKeyDown = (e: KeyboardEvent) => {
    const act = keys[e.key];
    if (!act || e.isComposing) return;
    e.preventDefault();
    act();
  };
  return (
    <Dialog label="Find a room or person" class="finder" onClose={onClose}>
      <div class="query">
        <Icon name="search" />
        <input ref={input} role="combobox" aria-label="Find a room or person" aria-expanded="true" aria-controls="found" aria-autocomplete="list"
          aria-activedescendant={matches.length ? `option-${active}` : undefined} autofocus autocomplete="off" spellcheck={false} dir="auto"
          placeholder="Find a room or person" value={text} onInput={e => { setText(e.currentTarget.value); setAt(0); }} onKeyDown={onKeyDown} />
      </div>
      <ul id="found" role="listbox" aria-label="Rooms and people">
        {matches.map((m, i) => <Option key={`${m.kind} ${m.id}`} match={m} index={i} active={i === active} />)}
      </ul>
      {matches.length === 0 && <p class="hint" role="status">{text ? "Nothing was found." : "There is nothing to find yet."}</p>}
      <div class="foot"><button type="button" class="button plain" onClick={create}><Icon name="plus" />Create a new room</button></div>
    </Dialog>
  );
}

const kinds = { room: "", public: "Public room", person: "Person", id: "Write to this user id" };

function Option({ match, index, active }: { match: Match; index: number; active: boolean }) {
  const { kind, id, name } = match;
  const face = kind === "person" || kind === "id" ? id : match.other;
  return (
    <li id={`option-${index}`} role="option" aria-selected={active} class={active ? "option active" : "option"} onClick={() => void choose(match)}>
      {face ? <Face user={face} people={chat.value?.rooms.people ?? {}} /> : <span class="glyph"><Icon name="hash" /></span>}
      <span class="cut" dir="auto">{name}</span>
      <span class="small quiet">{kind === "person" && name !== id ? id : kinds[kind]}</span>
    </li>
  );
}
