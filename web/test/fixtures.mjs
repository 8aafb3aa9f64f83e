// Fixtures: a server for a suite, and people with windows of their own for a test.
import { test as base, expect } from "@playwright/test";
import { Person } from "./person.mjs";
import { Server, note } from "./server.mjs";

export { expect };
export * from "./person.mjs";

/** Up to how long each request is held back, to find tests that rely on fast answers. */
const LAG_MS = Number(process.env.LAG_MS ?? 0);
/** The server sends nothing to a connection for some seconds once it has been slow. */
const LOST_MS = 3000;
/** The longest start of a server, with an import of an archive. It only ends hangs. */
const START_MS = 300_000;

/** Longer than somebody is shown as typing after the last report. */
export const TYPING_MS = 12_000;

export const WIDE = { width: 1280, height: 860 };
export const PHONE = { width: 360, height: 740 };

/** Returns the test function of a suite. Its server is filled once, and each test has people of its own. */
export const suite = ({ fill, ...options } = {}) => base.extend({
  server: [async ({}, use) => {
    const server = await Server.start(options);
    try {
      await fill?.(server);
      await use(server);
    } finally {
      await server.close();
    }
  }, { scope: "worker", timeout: START_MS }],
  cast: async ({ browser, server }, use) => {
    const cast = new Cast(browser, server);
    await use(cast);
    await cast.close();
  },
});

/** Windows without animations. */
export const calm = { contextOptions: { reducedMotion: "reduce" } };

/** Types until another is shown it. A report of typing is sent once, and a slow machine may lose it. */
export async function types(person, other, name = person.name) {
  let tries = 0;
  await expect(async () => {
    if (tries++) note("typing again", person.name);
    await person.composer.pressSequentially("hey");
    await expect(other.page.locator(".typing")).toContainText(`${name} is typing`, { timeout: TYPING_MS });
  }).toPass();
}

/** Returns a promise and the function that fulfills it. */
export function gate() {
  let open;
  const opened = new Promise(resolve => { open = resolve; });
  return { open, opened };
}

async function late(route) {
  await new Promise(resolve => setTimeout(resolve, Math.random() * LAG_MS));
  await route.fallback().catch(() => {}); // the window may be closed
}

/** The people of one test. */
export class Cast {
  #browser;
  #people = [];
  #finding;

  constructor(browser, server) {
    this.#browser = browser;
    this.server = server;
    // Windows would find what they have lost at their next sync, in 8 minutes.
    server.lost = line => {
      note("lost changes", line);
      this.#finding ??= setTimeout(() => this.#find(), LOST_MS);
    };
  }

  /** Lets all windows ask for what they have lost, as when a machine is online again. */
  #find() {
    this.#finding = undefined;
    for (const { page } of this.#people) page.evaluate(() => dispatchEvent(new Event("online"))).catch(() => {}); // it may be closed
  }

  /**
   * Opens a window for a person who is not signed in. Prepare gets the page before it is loaded. Only tests of
   * the service worker let it start: others count and hold back the requests of the page itself.
   */
  async window(name, { viewport = WIDE, path = "/", prepare, serviceWorkers = "block", ...options } = {}) {
    const context = await this.#browser.newContext({ viewport, serviceWorkers, ...options });
    if (LAG_MS) await context.route("**/*", late);
    const page = await context.newPage();
    const person = new Person(name, page, this.server);
    this.#people.push(person);
    await person.watch();
    await prepare?.(page);
    await page.goto(this.server.url + path);
    return person;
  }

  /** Opens a window for a person and signs them in by the address. */
  async enter(name, { room = "", ...options } = {}) {
    const person = await this.window(name, { ...options, path: `/#as=${name}` });
    await person.nav.or(person.page.getByRole("heading", { level: 1 })).first().waitFor();
    if (room) await person.go(room);
    return person;
  }

  /** Opens windows for ann and bob in a new room of ann. */
  async pair(room, options) {
    await this.server.room(room, "ann", ["bob"]);
    return Promise.all(["ann", "bob"].map(user => this.enter(user, { room, ...options })));
  }

  /** Closes the windows. It fails if a console showed anything that was not announced. */
  async close() {
    clearTimeout(this.#finding);
    this.server.lost = () => {};
    const people = this.#people.splice(0);
    for (const { page } of people) await page.context().close();
    const faults = people.flatMap(person => person.unexpected().map(text => `${person.name}: ${text}`));
    expect(faults, "the consoles must be empty").toEqual([]);
  }
}
