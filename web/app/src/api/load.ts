// Requests of the panels: loading with its states, lists in pages, and reloading after changes.
import { type Chat, RequestError } from "@parley/client";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { useValue } from "../state/cell.js";
import { lateTime } from "../state/late.js";
import { usePage } from "../state/page.js";
import { explain } from "./attempt.js";

/** Changes that come together, as when several people are added, reload a list once. */
const settleAfter = 150;
/** The largest page that the server gives. */
export const pageSize = 200;

/** The requests of a component, by the page's connection. */
export interface Api {
  /** The client's request. Without a connection it fails with the status 0. */
  readonly request: Chat["request"];
  /** Does something that may be refused, and shows why it was. */
  attempt(work: () => Promise<unknown>): void;
}

export function useApi(): Api {
  const { chat, toastError } = usePage();
  const request = (method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<unknown> =>
    chat.value?.request(method, path, body, headers) ?? Promise.reject(new RequestError(0));
  return { request: request as Chat["request"], attempt: work => void work().catch(toastError) };
}

export interface Loaded<T> {
  readonly value: T | undefined;
  /** Why the last load failed; empty if it did not. */
  readonly error: string;
  /** Whether the load takes long enough to be shown. */
  readonly slow: boolean;
  reload(): void;
}

interface Held<T> {
  readonly key: string;
  readonly value?: T;
  readonly error: string;
  readonly offline: boolean;
}

/**
 * Loads a value for a key, and again after reload. The former value of the same key is shown
 * meanwhile, and is passed to load. A load that failed without an answer is repeated once the
 * connection is back.
 */
export function useLoad<T>(key: string, load: (former: T | undefined) => Promise<T>): Loaded<T> {
  const [turn, setTurn] = useState(0);
  const [held, setHeld] = useState<Held<T>>({ key, error: "", offline: false });
  const [slow, setSlow] = useState(false);
  const current = held.key === key ? held : undefined;
  useEffect(() => {
    let wanted = true;
    const timer = setTimeout(() => setSlow(true), lateTime);
    const settle = (next: Held<T>) => {
      clearTimeout(timer);
      if (!wanted) return;
      setSlow(false);
      setHeld(next);
    };
    const former = current?.value;
    load(former).then(
      value => settle({ key, value, error: "", offline: false }),
      (e: unknown) => settle({
        key, ...(former === undefined ? {} : { value: former }),
        error: explain(e), offline: e instanceof RequestError && e.status === 0,
      }),
    );
    return () => { wanted = false; clearTimeout(timer); };
  }, [key, turn]);
  const reload = useCallback(() => setTurn(t => t + 1), []);
  useOnline(current?.offline ? reload : undefined);
  return { value: current?.value, error: current?.error ?? "", slow, reload };
}

/** Calls fn when the connection comes back. */
function useOnline(fn: (() => void) | undefined): void {
  const now = useValue(usePage().connection);
  useEffect(() => { if (now === "online" || now === "polling") fn?.(); }, [now]);
}

/** A list that is loaded in pages. */
export interface Pages<P> extends Loaded<readonly P[]> {
  readonly hasMore: boolean;
  more(): void;
}

/** Loads the pages of a list. reload loads as many again as were there. */
export function usePages<P extends { next?: string }>(path: string, limit = pageSize): Pages<P> {
  const { request } = useApi();
  const wanted = useRef(1);
  const key = useRef(path);
  if (key.current !== path) [key.current, wanted.current] = [path, 1];
  const adds = useRef(false);
  const loaded = useLoad<readonly P[]>(path, async former => {
    const pages: P[] = adds.current && former ? [...former] : [];
    adds.current = false;
    while (pages.length < wanted.current) {
      const cursor = pages.at(-1)?.next;
      if (pages.length && !cursor) break;
      pages.push(await request<P>("GET", withQuery(path, { limit: `${limit}`, ...(cursor ? { cursor } : {}) })));
    }
    return pages;
  });
  const hasMore = !!loaded.value?.at(-1)?.next;
  const more = () => {
    if (!loaded.value || loaded.value.length < wanted.current) return; // a page is being loaded
    wanted.current++;
    adds.current = true;
    loaded.reload();
  };
  return { ...loaded, hasMore, more };
}

function withQuery(path: string, query: Record<string, string>): string {
  return `${path}${path.includes("?") ? "&" : "?"}${new URLSearchParams(query)}`;
}

/** Calls fn soon after changes of some types in a room, or of one message in it. */
export function useChanges(room: string, types: readonly string[], fn: () => void, message?: string): void {
  const chat = usePage().chat.value;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const off = chat?.on("change", change => {
      if (change.room !== room || !types.includes(change.type)) return;
      if (message && change.id !== message) return;
      clearTimeout(timer);
      timer = setTimeout(fn, settleAfter);
    });
    return () => { off?.(); clearTimeout(timer); };
  }, [chat, room, message]);
}
