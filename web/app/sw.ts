// The service worker. It keeps all files of one version of the page, so that the page starts without a
// network, and code that loads late is there. It answers for nothing else: not for the API, and not for
// other origins.
declare const self: ServiceWorkerGlobalScope;
/** The paths of the files, which the build lists. When served, paths of scripts and styles include the version. */
declare const FILES: readonly string[];

const assets = "/assets/";
/**
 * A request that an event waits for is given up after this time, in milliseconds: the next version
 * waits for the event.
 */
const longest = 10_000;

const versionOf = (path: string): string | undefined => (path.startsWith(assets) ? path.split("/")[2] : undefined);
/** The version; undefined in a folder that is being developed, where the worker keeps nothing. */
const version = FILES.map(versionOf).find(Boolean);
const paths: ReadonlySet<string> = new Set(version ? ["/", ...FILES] : []);

/** Returns the name of a version's cache, and of the lock that its pages hold. */
const named = (of: string | undefined): string => `parley ${of}`;
const name = named(version);

const kept = (path: string): Promise<Response | undefined> =>
  caches.match(path, { cacheName: named(versionOf(path) ?? version), ignoreVary: true });

/** Keeps the files. It throws if the server has another version by now, or not all files. */
async function install(): Promise<void> {
  if (version) {
    const cache = await caches.open(name);
    const index = await fetch("/", { cache: "no-cache" });
    if (!(await index.clone().text()).includes(assets + version)) throw new Error("The server has another version.");
    await cache.addAll(FILES.map(path => new Request(path, { cache: versionOf(path) ? "default" : "no-cache" })));
    await cache.put("/", index);
  }
  await self.skipWaiting(); // open pages still find the files of their versions
}

/** Sends all pages the version that the next start has. */
async function activate(): Promise<void> {
  await self.clients.claim();
  for (const page of await self.clients.matchAll()) page.postMessage(version);
}

/** Keeps the index again: its policy may change without its version. A page without a worker ends this one. */
async function refresh(): Promise<void> {
  const index = await fetch("/", { cache: "no-cache", signal: AbortSignal.timeout(longest) });
  const text = await index.clone().text();
  if (!index.ok) return;
  if (!text.includes("/manifest.webmanifest")) await self.registration.unregister();
  else if (version && text.includes(assets + version)) await (await caches.open(name)).put("/", index);
}

/** Removes the versions that no page has open, and the configuration that earlier ones kept. */
async function clean(): Promise<void> {
  const { held = [] } = await navigator.locks.query();
  for (const other of await caches.keys()) {
    if (self.registration.installing || self.registration.waiting) return; // its cache has no page yet
    if (other.startsWith("parley") && other !== name && !held.some(lock => lock.name === other)) {
      await caches.delete(other);
    }
  }
}

self.addEventListener("install", e => e.waitUntil(install()));
self.addEventListener("activate", e => e.waitUntil(activate()));
self.addEventListener("message", e => { // from a page that has started
  e.source?.postMessage(version);
  e.waitUntil(Promise.all([refresh(), clean()]));
});
self.addEventListener("fetch", e => {
  const { method, url } = e.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== location.origin || !paths.has(pathname) && !versionOf(pathname)) return;
  e.respondWith(kept(pathname).then(answer => answer ?? fetch(e.request)));
});

/** Shows the message of a notification: in an open page, or else in a new one. */
async function show(about: { readonly path: string }): Promise<void> {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find(p => p.visibilityState === "visible") ?? pages[0];
  if (!page) return void await self.clients.openWindow(about.path);
  await page.focus().catch(() => undefined); // a browser may not allow it
  page.postMessage({ notice: about });
}

self.addEventListener("notificationclick", e => {
  e.notification.close();
  const about = e.notification.data as { readonly path: string } | null;
  if (about) e.waitUntil(show(about));
});
