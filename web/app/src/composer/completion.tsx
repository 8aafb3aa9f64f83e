// Completes a name after an @ in the composer with a list box above the field, which keeps the focus.
import type { Extras, Room } from "@parley/client";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Face } from "../people/face.js";
import { type Found, having } from "../ui/having.js";
import { everyone } from "../state/names.js";
import { usePage } from "../state/page.js";
import { Icon } from "../ui/icons.js";
import { draftOf, keepDraft } from "./drafts.js";
import { type Mentioned, mentionsIn, queryOf } from "./mentions.js";

const typingPause = 120; // milliseconds without a key before people are requested
const mostListed = 200; // the API's largest page; others are found by their names

/**
 * Returns the people whom a query may match: the members of the room, then others. It is undefined
 * until the members are loaded.
 */
function usePeople(room: Room, query: string | null): readonly Found[] | undefined {
  const { chat, me } = usePage();
  const [members, setMembers] = useState<readonly Found[]>();
  const [others, setOthers] = useState<readonly Found[]>([]);
  const active = query !== null;
  useEffect(() => {
    if (!active) return;
    void chat.value?.request("GET", `/rooms/${encodeURIComponent(room.id)}/members?limit=${mostListed}`)
      .then(answer => setMembers(answer.items), () => setMembers([]));
  }, [active, room]);
  useEffect(() => {
    if (!query) return undefined;
    let stale = false;
    const timer = setTimeout(() => {
      // A server may keep its directory closed: then only people of the room are offered.
      void chat.value?.request("GET", `/people?limit=8&name=${encodeURIComponent(query)}`)
        .then(answer => { if (!stale) setOthers(answer.items); }, () => undefined);
    }, typingPause);
    return () => { stale = true; clearTimeout(timer); };
  }, [query]);
  if (!members) return undefined;
  const known = new Set(members.map(p => p.user).concat(me.value));
  return [...members.filter(p => p.user !== me.value), ...others.filter(p => !known.has(p.user))].map(p => ({ user: p.user, name: p.name || p.user }));
}

/** Reports whether the caller may mention everyone in the room. */
function mayMentionRoom({ value: { info } }: Room): boolean {
  const role = info?.me?.role;
  return info?.kind === "room" && (role === "owner" || role === "moderator" || (role === "member" && info.roomMentions === "members"));
}

/** The completion, as the composer uses it. */
export interface Completion {
  /** Reads the query before the caret. */
  look(): void;
  /** Handles a key, and reports whether it did. */
  key(e: KeyboardEvent): boolean;
  /** Returns the mentions of a text, and forgets them. */
  take(text: string): Pick<Extras, "mentions" | "mentionRoom">;
  /** The attributes of the field, and the list above it. */
  readonly attributes: object;
  readonly list: preact.ComponentChild;
}

export function useCompletion(room: Room, draft: string, field: { readonly current: HTMLTextAreaElement | null }, changed: () => void): Completion {
  const { me } = usePage();
  const id = useId();
  const key = `${draft} mentions`;
  const chosen = useRef<readonly Mentioned[]>(undefined);
  chosen.current ??= JSON.parse(draftOf(me.value, key) || "[]") as Mentioned[];
  const [query, setQuery] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const people = usePeople(room, query);
  const all = people && mayMentionRoom(room) ? [...people, { user: "", name: everyone }] : people;
  const found = query === null || !all ? [] : having(all, query, p => p.name, p => p.user);
  const active = Math.min(at, found.length - 1);
  useEffect(() => document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: "nearest" }), [active, query]);
  const keep = (list: readonly Mentioned[]) => {
    chosen.current = list;
    keepDraft(me.value, key, list.length ? JSON.stringify(list) : "");
  };
  const choose = (m: Mentioned) => {
    const f = field.current;
    if (!f || query === null) return;
    f.setRangeText(`@${m.name} `, f.selectionStart - query.length - 1, f.selectionStart, "end");
    keep([...(chosen.current ?? []), m]);
    setQuery(null);
    changed();
  };
  const keys: Record<string, () => void> = {
    ArrowDown: () => setAt((active + 1) % found.length),
    ArrowUp: () => setAt((active || found.length) - 1),
    Enter: () => choose(found[active]!),
    Tab: () => choose(found[active]!),
    Escape: () => setQuery(null),
  };
  return {
    look: () => {
      const f = field.current;
      setQuery(f && f.selectionStart === f.selectionEnd ? queryOf(f.value.slice(0, f.selectionStart)) : null);
      setAt(0);
    },
    key: e => {
      const act = found.length && !e.shiftKey ? keys[e.key] : undefined;
      if (!act) return false;
      e.preventDefault();
      e.stopPropagation();
      act();
      return true;
    },
    take: text => {
      const mentions = mentionsIn(text, chosen.current ?? []);
      keep([]);
      return mentions;
    },
    attributes: { "aria-autocomplete": "list", ...(found.length && { "aria-controls": id, "aria-activedescendant": `${id}-${active}` }) },
    list: <>
      <span class="unseen" role="status">{found.length > 0 && `${found.length === 1 ? "1 person" : `${found.length} people`} to mention`}</span>
      {found.length > 0 && (
        <ul id={id} class="menu names" role="listbox" aria-label="People to mention">
          {found.map((m, i) => (
            <li key={m.user} id={`${id}-${i}`} role="option" aria-selected={i === active} class={i === active ? "option active" : "option"}
              onPointerDown={e => e.preventDefault()} onPointerMove={() => setAt(i)} onClick={() => choose(m)}>
              {m.user ? <Face user={m.user} people={room.value.people} name={m.name} /> : <span class="glyph"><Icon name="people" /></span>}
              <span class="cut" dir="auto">{m.name}</span>
              <span class="small quiet">{m.user ? m.user !== m.name && m.user : "Everyone here"}</span>
            </li>
          ))}
        </ul>
      )}
    </>,
  };
}
