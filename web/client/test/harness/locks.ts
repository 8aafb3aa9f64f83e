// The Web Locks of a browser, which Node 20 does not have.

/** Installs locks by name, each of which is held by one piece of work, in the order of the requests. */
export function installLocks(): void {
  const last = new Map<string, Promise<unknown>>();
  const request = (name: string, work: () => Promise<unknown>) => {
    const result = (last.get(name) ?? Promise.resolve()).then(work);
    last.set(name, result.catch(() => {}));
    return result;
  };
  if (!globalThis.navigator?.locks) Object.defineProperty(globalThis, "navigator", { value: { locks: { request } }, configurable: true });
}
