// The messages that a query finds, while it is typed.
import { type Chat, RequestError, type SearchResult } from "@parley/client";
import { searchPage } from "@parley/client/search";
import { useEffect, useRef, useState } from "preact/hooks";
import { useValue } from "../state/cell.js";
import { usePage } from "../state/page.js";

/** A search begins after so many milliseconds without a key. */
const typingPause = 80;
/** A query that cannot be read may only be unfinished: this is shown so much later, in milliseconds. */
const faultPause = 500;
/** The status of a query that cannot be read. */
const invalid = 422;

/** The results of a query, newest first. */
export interface Found {
  readonly query: string;
  readonly items: readonly SearchResult[];
  /** The cursor of the next page; absent at the end. */
  readonly next?: string | undefined;
  /** Until when everything was searched, if the last page is not full. */
  readonly searchedTo?: string | undefined;
  /** Why the last request failed. */
  readonly error?: unknown;
}

export interface Search {
  /** The latest results, which may be for an earlier query; null before the first answer. */
  readonly found: Found | null;
  /** Whether an answer is awaited. */
  readonly busy: boolean;
  more(): void;
  /** Searches again, for as much as was found. */
  again(): void;
}

interface Options { readonly limit: number; readonly around?: boolean }

/** Searches for a query, and again when it changes. An answer to an earlier query is never shown. */
export function useFoundMessages(text: string, options: Options): Search {
  const page = usePage();
  const chat = useValue(page.chat);
  const online = /online|polling/.test(useValue(page.connection));
  const query = text.trim();
  const [found, setFound] = useState<Found | null>(null);
  const [busy, setBusy] = useState(false);
  const [turn, setTurn] = useState(0);
  const current = useRef<AbortController | null>(null);
  const load = async (signal: AbortSignal, from: Found, least: number) => {
    if (!chat) return;
    setBusy(true);
    const next = await extended(chat, from, least, options, signal);
    if (signal.aborted) return;
    setFound(next);
    setBusy(false);
  };
  useEffect(() => {
    const control = (current.current = new AbortController());
    if (!query) {
      setFound(null);
      setBusy(false);
      return undefined;
    }
    setBusy(true);
    const known = found?.query === query && found.error === undefined ? found.items.length : 0;
    const timer = setTimeout(() => void load(control.signal, { query, items: [] }, known), typingPause);
    return () => { clearTimeout(timer); control.abort(); };
  }, [query, chat, turn]);
  const again = () => setTurn(t => t + 1);
  const lost = found?.error instanceof RequestError && !found.error.status;
  useEffect(() => { if (lost && online) again(); }, [online]);
  const more = () => { if (!busy && found && current.current) void load(current.current.signal, found, 0); };
  return { found, busy, more, again };
}

/** Returns what was found with the next page, or with as many as it takes for so many results. It does not throw. */
async function extended(chat: Chat, from: Found, least: number, options: Options, signal: AbortSignal): Promise<Found> {
  let all = from;
  try {
    do {
      const { items, next, searchedTo } = await searchPage(chat, from.query, { ...options, signal, cursor: all.next });
      all = {
        query: from.query,
        items: [...all.items, ...items],
        next,
        searchedTo: items.length < options.limit ? searchedTo : undefined,
      };
    } while (all.next && all.items.length < least);
    return all;
  } catch (error) {
    if (error instanceof RequestError && error.status === invalid) {
      await new Promise(resolve => setTimeout(resolve, faultPause));
    }
    return { ...all, error };
  }
}
