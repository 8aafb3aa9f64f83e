import type { Client } from "./client.js";
import { RequestError } from "./errors.js";
import { Alarm } from "./pause.js";

/** An upload without progress for this long is begun again. */
const STALLED_AFTER = 60_000;
/** The status for bytes that are stored already: the answer to an earlier try was lost. */
const EXISTS = 412;

/** Where bytes are sent, and with which headers. */
export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Sends bytes to the storage. It returns 0, or the status of a refusal, and throws a RequestError if
 * there is no answer or the storage is unavailable. Report is called with the number of sent bytes.
 */
export async function put(
  chat: Client, { url, headers }: Target, blob: Blob, signal: AbortSignal, report?: (sent: number) => void,
): Promise<number> {
  const { fetch, trace } = chat.options;
  const address = new URL(url, `${chat.url}/`);
  const at = new Date();
  const send = fetch || !globalThis.XMLHttpRequest ? byFetch(fetch) : byXhr;
  const status = await send(address.href, headers, blob, signal, report);
  // the query is a secret
  trace?.({ kind: "request", method: "PUT", path: address.pathname, status, ms: Date.now() - +at, at });
  if (!status || status >= 500 || status === 429) throw new RequestError(status);
  return status < 300 || status === EXISTS ? 0 : status;
}

/** Sends bytes, and returns the status; 0 without an answer. */
type Send = (
  url: string, headers: Target["headers"], blob: Blob, signal: AbortSignal, report?: (sent: number) => void,
) => Promise<number>;

/** Sends bytes without progress: no browser reports it for fetch. */
const byFetch = (fetch = globalThis.fetch): Send => async (url, headers, body, signal) => {
  try {
    const answer = await fetch(url, { method: "PUT", headers, body, signal, credentials: "omit" });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
};

const byXhr: Send = (url, headers, blob, signal, report) => new Promise(resolve => {
  const request = new XMLHttpRequest();
  const stalled = new Alarm();
  const abort = () => request.abort();
  const watch = () => stalled.set(STALLED_AFTER, abort);
  request.open("PUT", url);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.upload.onprogress = e => {
    watch();
    report?.(e.loaded);
  };
  request.onloadend = () => {
    stalled.clear();
    signal.removeEventListener("abort", abort);
    resolve(request.status);
  };
  signal.addEventListener("abort", abort);
  watch();
  request.send(blob);
});
