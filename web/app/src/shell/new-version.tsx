import { useEffect, useState } from "preact/hooks";
import { type Page, usePage } from "../state/page.js";
import { focusComposer, hasKeys } from "../ui/focus.js";

/** The version of this page; undefined in a folder that is being developed. */
const own = /\/assets\/(\w+)\//.exec(import.meta.url)?.[1];
// undefined without a secure origin
const worker = (navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker;
/** The server is asked for a new version at most, and at least, this often, in milliseconds. */
const pause = 60_000;
const longest = 3_600_000;

// The worker keeps the files of a version while a page holds this lock.
if (worker) void navigator.locks.request(`parley ${own}`, { mode: "shared" }, () => new Promise(() => undefined));

/** Registers the service worker, and offers the version that the next start has: a reload takes it. */
export default function NewVersion() {
  const page = usePage();
  const [offered, offer] = useState(false);
  useEffect(() => worker && follow(page, worker, offer), []);
  const later = () => {
    offer(false);
    if (hasKeys()) focusComposer();
  };
  return (
    <div class="notice" role="status">
      {offered && (
        <span>
          A new version is ready.
          <button type="button" onClick={() => location.reload()}>Reload</button>
          <button type="button" onClick={later}>Later</button>
        </span>
      )}
    </div>
  );
}

/** Calls offer with whether the worker has another version than this page, until the returned function is called. */
function follow({ connection }: Page, container: ServiceWorkerContainer, offer: (is: boolean) => void): () => void {
  const stop = new AbortController();
  let checked = 0;
  const check = () => {
    if (document.visibilityState === "hidden" || connection.value !== "online" || Date.now() - checked < pause) return;
    checked = Date.now();
    void container.ready.then(r => r.update()).catch(() => undefined); // it is asked again later
  };
  container.addEventListener("message", e => { if (typeof e.data !== "object") offer(e.data !== own); }, stop);
  addEventListener("visibilitychange", check, stop);
  const unsubscribe = connection.subscribe(check);
  const timer = setInterval(check, longest);
  void start(container).catch(() => undefined); // without a worker, the page needs the network
  return () => {
    stop.abort();
    unsubscribe();
    clearInterval(timer);
  };
}

/** Registers the worker, which answers with its version. */
async function start(container: ServiceWorkerContainer): Promise<void> {
  await container.register("/sw.js");
  (await container.ready).active?.postMessage("");
}
