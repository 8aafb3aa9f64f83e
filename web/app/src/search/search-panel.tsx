// The panel that searches messages while one types.
import { RequestError, type Room } from "@parley/client";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { explain } from "../api/attempt.js";
import { styled } from "../files/styles.js";
import { useCards } from "../people/cards.js";
import { useValue } from "../state/cell.js";
import { type Page, usePage } from "../state/page.js";
import { isDeleting } from "../state/unsent.js";
import { wholeDay } from "../ui/dates.js";
import { Plain } from "../ui/parts.js";
import { ask, asked, askedBy, forgetSearches, keepSearch, recentSearches } from "./asked.js";
import { Elsewhere } from "./elsewhere.js";
import { Filters } from "./filters.js";
import { type Found, type Search, useFoundMessages } from "./found-messages.js";
import { completed, type Fault, faultOf, filtersOf, fromPeople } from "./query.js";
import { Result } from "./result.js";
import { knownPeople, type Suggestions, useSuggestions } from "./suggestions.js";

/** The results of a page. */
const perPage = 20;
/** The people whose messages are offered where nothing was found. */
const mostSenders = 3;
/** Messages that change are searched again some time later, in milliseconds. */
const settle = 500;

export default styled(SearchPanel);

function SearchPanel({ room }: { room: Room | null }) {
  const page = usePage();
  const me = useValue(page.me);
  useValue(asked);
  const query = askedBy(me);
  const field = useRef<HTMLInputElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState(query.length);
  const suggestions = useSuggestions(query, cursor);
  // without the incomplete filter
  const typed = suggestions ? query.slice(0, suggestions.filter.from) + query.slice(suggestions.filter.to) : query;
  const search = useFoundMessages(typed, { limit: perPage, around: true });
  const { set, write } = writing(page, field, setCursor);
  const complete = (value: string) => {
    if (!suggestions) return;
    const { text, at } = completed(query, suggestions.filter, value);
    write(text, at);
  };
  const keep = () => keepSearch(me, typed);
  useField(field);
  useChanged(page, search);
  return (
    <div class="s-panel" ref={body} onKeyDown={e => { if (body.current) moveBetween(body.current, e); }}>
      <form class="s-form" role="search" onSubmit={e => {
        e.preventDefault();
        const [first] = suggestions?.all ?? [];
        if (first) complete(first.value);
        else keep();
      }}>
        <input
          ref={field}
          class="p-search"
          type="search"
          aria-label="Search messages"
          placeholder="Search messages"
          autocomplete="off"
          spellcheck={false}
          dir="auto"
          value={query}
          onInput={e => set(e.currentTarget.value, e.currentTarget.selectionStart)}
          onSelect={e => setCursor(e.currentTarget.selectionStart ?? 0)}
        />
        <Filters room={room} query={query} onQuery={text => set(text, text.length)} onType={write} />
      </form>
      {suggestions && <Suggested suggestions={suggestions} onChoose={complete} />}
      {typed.trim() ? (
        <Results
          room={room}
          query={typed}
          search={search}
          onOpen={keep}
          onQuery={write}
          onFault={fault => select(field.current, fault)}
        />
      ) : !suggestions && <Recent onChoose={write} />}
    </div>
  );
}

/** Returns how a query is changed: as in the field, or there, too, with the focus. */
function writing(
  page: Page, field: { readonly current: HTMLInputElement | null }, setCursor: (at: number) => void,
) {
  const set = (text: string, at: number | null) => {
    ask(page, text);
    setCursor(at ?? 0);
  };
  const write = (text: string, at = text.length) => {
    set(text, at);
    const f = field.current;
    if (!f) return;
    f.value = text; // before the next key, which may come before the page is drawn
    f.focus();
    f.setSelectionRange(at, at);
  };
  return { set, write };
}

/**
 * Moves the focus to the field, when the panel opens and when its keys are pressed again. A query
 * is easily replaced.
 */
function useField(field: { readonly current: HTMLInputElement | null }): void {
  useLayoutEffect(() => {
    const focus = () => {
      field.current?.focus();
      field.current?.select();
    };
    const listener = (e: KeyboardEvent) => {
      if ((e.ctrlKey || e.metaKey) && e.shiftKey && e.key.toUpperCase() === "F") focus();
    };
    focus();
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, []);
}

/** Selects the part of the query that is at fault. */
function select(field: HTMLInputElement | null, { from = 0, to = 0 }: Fault): void {
  field?.focus();
  field?.setSelectionRange(from, to);
}

/** Moves the focus between the field, what completes a filter, and the results. */
function moveBetween(body: HTMLElement, e: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
  const stops = [...body.querySelectorAll<HTMLElement>("input, .s-options button, .s-result")];
  const at = stops.indexOf(e.target as HTMLElement);
  const next = step && at >= 0 && stops[at + step];
  if (!next || e.isComposing || e.altKey) return;
  e.preventDefault();
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}

function Suggested({ suggestions: { all }, onChoose }: {
  suggestions: Suggestions; onChoose: (value: string) => void;
}) {
  return (
    <ul class="s-options" aria-label="Suggestions">
      {all.map(s => (
        <li key={s.value}><button type="button" class="p-row" onClick={() => onChoose(s.value)}>
          <span class="cut" dir="auto">{s.name}</span><span class="small quiet cut">{s.value}</span>
        </button></li>
      ))}
    </ul>
  );
}

/**
 * The results, and how far back the search has read. Results of an earlier query are dimmed until the answer arrives.
 */
function Results({ room, query, search, onOpen, onQuery, onFault }: {
  room: Room | null; query: string; search: Search; onOpen: () => void;
  onQuery: (query: string) => void; onFault: (fault: Fault) => void;
}) {
  const page = usePage();
  const acts = useValue(page.acts);
  const { found, busy } = search;
  const items = (found?.items ?? []).filter(r => !isDeleting(acts, r.message.id));
  const people = useCards(room, items.flatMap(r => [r.message, r.before, r.after]).flatMap(m => (m ? [m.user] : [])));
  const old = found?.query !== query.trim();
  return (
    <>
      <p class="s-state small quiet" role="status">
        {!found ? busy && "Searching…" : found.error === undefined && wordsOf(items.length, found)}
      </p>
      {found?.error !== undefined && !old && (
        <Failure
          error={found.error}
          query={found.query}
          onAgain={found.next ? search.more : search.again}
          onFault={onFault}
        />
      )}
      <ul class={old ? "s-results old" : "s-results"} aria-label="Results" aria-busy={busy}>
        {items.map(r => (
          <Result key={`${r.message.room} ${r.message.id}`} result={r} people={people} onOpen={onOpen} />
        ))}
      </ul>
      {found && found.error === undefined && !items.length && !found.next && (
        <Senders query={query} onQuery={onQuery} />
      )}
      {found && found.error === undefined && (
        <End found={found} none={!items.length} busy={busy} onMore={search.more} />
      )}
      {found && found.error === undefined && !filtersOf(query).some(f => f.name === "in" && f.value) && (
        <Elsewhere query={query} onQuery={onQuery} />
      )}
    </>
  );
}

/** Returns how much was found. */
function wordsOf(count: number, { next, searchedTo }: Found): string {
  const words = count === 0 ? "Nothing was found" : count === 1 ? "1 message" : `${count} messages`;
  return `${words}${next ? " so far" : ""}.${next && searchedTo ? ` Searched back to ${wholeDay(searchedTo)}.` : ""}`;
}

/** The end of the results: the way further back, or what may find more. */
function End({ found: { next, searchedTo }, none, busy, onMore }: {
  found: Found; none: boolean; busy: boolean; onMore: () => void;
}) {
  if (next) {
    return (
      <Plain class="button plain p-wide" aria-disabled={busy} onClick={onMore}>
        {searchedTo ? "Search further" : "Show more messages"}
      </Plain>
    );
  }
  return none
    ? <p class="quiet">A word is found by its beginning: “plan” finds “planning”. Try fewer words or filters.</p>
    : null;
}

/** Offers the messages of people whose names are among the words of a query that found nothing. */
function Senders({ query, onQuery }: { query: string; onQuery: (query: string) => void }) {
  const offered = fromPeople(query, knownPeople(usePage()), mostSenders);
  if (!offered.length) return null;
  return (
    <ul class="s-options" aria-label="Messages from people">
      {offered.map(({ name, words, query: other }) => (
        <li key={other}>
          <button type="button" class="p-row" onClick={() => onQuery(other)}>
            <span class="cut" dir="auto">{words ? `“${words}” from ${name}` : `Messages from ${name}`}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Why a search failed. A query that cannot be read shows the place. */
function Failure({ error, query, onAgain, onFault }: {
  error: unknown; query: string; onAgain: () => void; onFault: (fault: Fault) => void;
}) {
  const rule = error instanceof RequestError
    ? error.problem?.errors?.find(e => e.location.endsWith("q"))?.message
    : undefined;
  const fault = rule === undefined ? undefined : faultOf(rule, query);
  if (!fault) {
    return <div class="p-state" role="alert"><p>{explain(error)}</p><Plain onClick={onAgain}>Try again</Plain></div>;
  }
  const { from, to, text } = fault;
  return (
    <div class="p-state" role="alert">
      <p>{text}</p>
      {from !== undefined && (
        <button type="button" class="s-fault" title="Select it" onClick={() => onFault(fault)}>
          {query.slice(0, from)}
          <mark>{query.slice(from, to) || " "}</mark>
          {query.slice(to)}
        </button>
      )}
    </div>
  );
}

/** The last searches of the person on this device, and what a query may have. */
function Recent({ onChoose }: { onChoose: (query: string) => void }) {
  const me = useValue(usePage().me);
  const [recent, setRecent] = useState(() => recentSearches(me));
  const forget = () => {
    forgetSearches(me);
    setRecent([]);
  };
  return (
    <>
      {recent.length > 0 && (
        <section aria-label="Recent searches">
          <div class="p-title">
            <span class="small quiet">Recent searches</span>
            <Plain onClick={forget}>Forget them</Plain>
          </div>
          <ul class="s-options">{recent.map(query => (
            <li key={query}>
              <button type="button" class="p-row" onClick={() => onChoose(query)}>
                <span class="cut" dir="auto">{query}</span>
              </button>
            </li>
          ))}</ul>
        </section>
      )}
      <dl class="s-tips small quiet">
        <Tip part={'"to be fixed"'}>these words in this order</Tip>
        <Tip part="-draft">without this word</Tip>
        <Tip part="from:me has:file">your messages with files</Tip>
        <Tip part="before:2026-01-31">sent before a day; also after: and on:</Tip>
      </dl>
    </>
  );
}

const Tip = ({ part, children }: { part: string; children: ComponentChildren }) => (
  <div><dt><code>{part}</code></dt><dd>{children}</dd></div>
);

/** Searches again when a message that was found is edited or deleted, and when the person may see less or more. */
function useChanged(page: Page, { found, again }: Search): void {
  const chat = useValue(page.chat);
  const items = useRef(found?.items);
  items.current = found?.items;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = (is: boolean) => {
      if (!is || !items.current) return;
      clearTimeout(timer);
      timer = setTimeout(again, settle);
    };
    const ends = [
      chat?.on("change", ({ type, id }) =>
        soon(/^message\.(edited|deleted)$/.test(type) && !!items.current?.some(r => r.message.id === id))),
      chat?.on("personal", ({ type }) => soon(/^(room\.removed|block\.changed)$/.test(type))),
    ];
    return () => {
      clearTimeout(timer);
      for (const end of ends) end?.();
    };
  }, [chat]);
}
