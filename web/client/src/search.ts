// The fourth module of the client: the search for messages. It is loaded with the first search.
import { TIMEOUT } from "./http.js";
import { encode } from "./ids.js";
import type { Chat, SearchOptions, SearchPage, SearchResult } from "./types.js";

type Requests = Pick<Chat, "request">;

/** Returns a page of the results of a search: the first, or the one of a cursor. It throws as Chat.search does. */
export async function searchPage(
  chat: Requests,
  query: string,
  { room, around, limit, signal, cursor }: SearchOptions & { readonly cursor?: string | undefined } = {},
): Promise<SearchPage> {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const fields = Object.entries({ q: query, zone, around, limit, cursor }).filter(([, value]) => value !== undefined);
  const words = fields.map(([name, value]) => `${name}=${encode(`${value}`)}`).join("&");
  const path: string = `${room ? `/rooms/${encode(room)}` : ""}/search?${words}`;
  try {
    return await chat.request<SearchPage>(
      "GET", path, undefined, undefined, signal && AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
    );
  } catch (e) {
    signal?.throwIfAborted();
    throw e;
  }
}

/** Returns the results of a search, and requests pages as they are needed. */
export async function* results(chat: Requests, query: string, options?: SearchOptions): AsyncGenerator<SearchResult> {
  let cursor: string | undefined;
  do {
    const page = await searchPage(chat, query, { ...options, cursor });
    yield* page.items;
    cursor = page.next;
  } while (cursor);
}
