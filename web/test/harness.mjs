// People with windows of their own in a real browser, and what they see by its accessible names.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";

/** Debian's browser, which is found by PATH. */
const browserName = "chromium";
const flags = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

/** How long a test waits for anything to show: a busy machine is ten times slower than a free one. */
export const PATIENCE_MS = Number(process.env.PATIENCE_MS ?? 30_000);
/** Up to how long each request is held back, to find tests that take fast answers for granted. */
const LAG_MS = Number(process.env.LAG_MS ?? 0);
/** Longer than the client waits at most before it loads the list of rooms again. */
const QUIET_MS = 1200;
/** How often a condition outside the page is looked at. */
const LOOK_MS = 50;
/** How long a menu may take to open, before the key is pressed again. */
const MENU_MS = 2000;
/** The server sends nothing to a connection for some seconds once it has been slow. */
const LOST_MS = 3000;
/** How long a window may take to describe itself. */
const DESCRIBE_MS = 5000;

export const WIDE = { width: 1280, height: 860 };
export const PHONE = { width: 360, height: 740 };

/** The console's words for a server that is down or answers 4xx, which are no faults of the page. */
export const DOWN = /ERR_CONNECTION_(REFUSED|RESET|CLOSED|ABORTED)|ERR_SOCKET_NOT_CONNECTED|ERR_INTERNET_DISCONNECTED|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED|ERR_CONTENT_LENGTH_MISMATCH|WebSocket connection to/;
export const REFUSED = /the server responded with a status of (401|403|404|409|412|422|429)/;

function options() {
  const executablePath = process.env.PATH.split(delimiter).map(folder => join(folder, browserName)).find(existsSync);
  if (!executablePath) throw new Error(`${browserName} is not in PATH: install Debian's package ${browserName}`);
  return { executablePath, args: flags };
}

/** Returns a browser of its own, or the shared one that SHARED_BROWSER names. */
export function launch() {
  return process.env.SHARED_BROWSER ? chromium.connect(process.env.SHARED_BROWSER) : chromium.launch(options());
}

/** Returns a browser for other processes, which launch finds by its wsEndpoint. */
export const share = () => chromium.launchServer(options());

async function late(route) {
  await new Promise(resolve => setTimeout(resolve, Math.random() * LAG_MS));
  await route.fallback().catch(() => {}); // the window may be closed
}

/** The people of one test. close fails if a console showed anything that was not announced. */
export class Cast {
  #browser;
  #server;
  #people = [];
  #options;
  #finding;

  /** The options are those of playwright's contexts, for all windows. */
  constructor(browser, server, options = {}) {
    this.#browser = browser;
    this.#server = server;
    this.#options = options;
    // Windows would find what they have lost at their next sync, in 8 minutes.
    server.lost = () => { this.#finding ??= setTimeout(() => this.#find(), LOST_MS); };
  }

  /** Lets all windows ask for what they have lost, as when a machine is online again. */
  #find() {
    this.#finding = undefined;
    for (const { page } of this.#people) page.evaluate(() => dispatchEvent(new Event("online"))).catch(() => {}); // it may be closed
  }

  /** Opens a window for a person who is not signed in. */
  async window(name, { viewport = WIDE, path = "/", ...options } = {}) {
    const context = await this.#browser.newContext({ viewport, ...this.#options, ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    if (LAG_MS) await context.route("**/*", late);
    const page = await context.newPage();
    const person = new Person(name, page, this.#server);
    this.#people.push(person);
    await person.watch();
    await page.goto(this.#server.url + path);
    return person;
  }

  /** Opens a window for a person and signs them in by the address. */
  async enter(name, { room = "", ...options } = {}) {
    const person = await this.window(name, { ...options, path: `/#as=${name}` });
    await person.nav.or(person.page.getByRole("heading", { level: 1 })).first().waitFor();
    if (room) await person.go(room);
    return person;
  }

  /** Closes the windows. If the test has failed, it prints first what each of them shows. */
  async close(context) {
    const faults = [];
    clearTimeout(this.#finding);
    this.#finding = undefined;
    if (context?.error) for (const person of this.#people) (await person.describe()).split("\n").forEach(line => context.diagnostic(line));
    for (const person of this.#people) {
      faults.push(...person.unexpected().map(text => `${person.name}: ${text}`));
      await person.page.context().close();
    }
    this.#people = [];
    assert.deepEqual(faults, [], "the consoles must be empty");
  }
}

/** A person before a window. */
export class Person {
  #console = [];
  #expected = [];
  #waiting = new Set();

  constructor(name, page, server) {
    this.name = name;
    this.page = page;
    this.server = server;
  }

  async watch() {
    this.page.on("console", message => {
      if (["error", "warning"].includes(message.type())) this.#console.push(`${message.text()} ${message.location().url}`);
    });
    const name = request => `${request.method()} ${request.url()}`;
    this.page.on("request", request => this.#waiting.add(name(request)));
    for (const end of ["requestfinished", "requestfailed"]) this.page.on(end, request => this.#waiting.delete(name(request)));
    this.page.on("pageerror", error => this.#console.push(error.stack ?? String(error)));
    await this.page.addInitScript(() => document.addEventListener("securitypolicyviolation", e =>
      console.error(`policy violation: ${e.violatedDirective} ${e.blockedURI} ${e.sourceFile}:${e.lineNumber}`)));
  }

  /** Returns what the window shows, which requests have no answer yet, and what the console says. */
  async describe() {
    const { page } = this;
    const shown = await page.locator("body").ariaSnapshot({ timeout: DESCRIBE_MS }).catch(String);
    return [`the window of ${this.name} at ${page.url()}:`, shown, "waits for:", ...this.#waiting, "console:", ...this.#console].join("\n");
  }

  /** Announces that the console will show a text. */
  expect(pattern) { this.#expected.push(pattern); }

  unexpected() { return this.#console.filter(text => !this.#expected.some(pattern => pattern.test(text))); }

  get nav() { return this.page.getByRole("navigation", { name: "Rooms" }); }

  get panel() { return this.page.getByRole("complementary"); }

  get log() { return this.page.getByRole("log"); }

  get composer() { return this.page.getByRole("textbox", { name: /^Message / }); }

  /** The row of a message that has a text. */
  row(text) { return this.log.getByRole("article").filter({ has: this.page.locator(".text", { hasText: text }) }); }

  link(room) { return this.nav.getByRole("link", { name: new RegExp(`^${room}\\b`) }); }

  button(name) { return this.page.getByRole("button", { name, exact: true }); }

  /** Signs in by the form. */
  async signIn() {
    await this.page.getByRole("textbox", { name: "Your name" }).fill(this.name);
    await this.button("Sign in").click();
    await this.composer.waitFor();
  }

  /** Goes to a room, or to a message in it, by the address. */
  async go(room, message = "") {
    await this.page.evaluate(hash => new Promise(resolve => {
      if (location.hash === hash) resolve();
      addEventListener("hashchange", () => resolve(), { once: true }); // the page, which heard it first, shows the room
      location.hash = hash;
    }), `#/${room}${message && `/${message}`}`);
    await this.composer.waitFor();
    await this.ready();
  }

  /** Waits until the room's messages are loaded. */
  async ready() {
    await this.log.waitFor();
    await until(() => this.log.evaluate(log => log.getAttribute("aria-busy") !== "true"), "the messages are loaded");
  }

  /** Types a message and sends it with Enter. */
  async say(text) {
    await this.composer.fill(text);
    await this.composer.press("Enter");
    await this.row(text).first().waitFor();
  }

  /** Says something and waits until the server has stored it. Returns the message's id. */
  async post(text) {
    await this.say(text);
    return this.sent(text);
  }

  async sent(text) {
    const row = this.row(text);
    await until(async () => !await row.getAttribute("data-status"), `${text} is sent`);
    return row.getAttribute("data-id");
  }

  /** Waits until a message that is not sent yet would survive the window. */
  kept(text) {
    const onDisk = () => this.page.evaluate(async wanted => {
      const done = request => new Promise((resolve, reject) => { request.onsuccess = () => resolve(request.result); request.onerror = () => reject(request.error); });
      for (const { name } of await indexedDB.databases()) {
        const base = await done(indexedDB.open(name));
        const all = await done(base.transaction("unsent").objectStore("unsent").getAll());
        base.close();
        if (all.some(m => m.text === wanted)) return true;
      }
      return false;
    }, text);
    return until(onDisk, `${text} is on disk`);
  }

  /** Waits until the page has sent no request for a while. */
  async quiet() {
    let last = Date.now();
    const note = () => { last = Date.now(); };
    this.page.on("request", note);
    this.page.on("requestfinished", note);
    await until(() => Date.now() - last > QUIET_MS, "the page is quiet");
    this.page.off("request", note);
    this.page.off("requestfinished", note);
  }

  /** Waits until this person sees a message. */
  sees(text) { return this.row(text).first().waitFor(); }

  /** Opens the actions of a message and presses one. */
  async act(text, action) {
    const row = this.row(text);
    await row.hover();
    const actions = row.getByRole("group", { name: "Actions" });
    if (["Edit", "Delete", "React"].includes(action)) return actions.getByRole("button", { name: action, exact: true }).click();
    await actions.getByRole("button", { name: "More", exact: true }).click();
    return this.page.getByRole("menuitem", { name: action }).click();
  }

  /** Opens the menu of the newest message by keyboard and chooses an action. */
  async choose(action) {
    const [menu, item] = [this.page.getByRole("menu"), this.page.getByRole("menuitem", { name: action, exact: true })];
    await until(async () => {
      if (await item.count()) return true;
      if (await menu.count()) await this.page.keyboard.press("Escape"); // it is from before the room's settings were there
      await this.composer.first().focus();
      await this.page.keyboard.press("Shift+Tab");
      await this.page.keyboard.press("Enter");
      // A key may come before the row that it is for has been drawn.
      return menu.first().waitFor({ timeout: MENU_MS }).then(() => item.count(), () => false);
    }, `the menu offers ${action}`);
    while (!await item.evaluate(e => e === document.activeElement)) await this.page.keyboard.press("ArrowDown");
    await this.page.keyboard.press("Enter");
  }

  /** Opens the people panel and does something with one of them. */
  async withPerson(user, action) {
    if (!await this.panel.filter({ visible: true }).count()) await this.button("People").click();
    await this.panel.getByRole("button", { name: `Actions for ${user}` }).click();
    await this.page.getByRole("menuitem", { name: action, exact: true }).click();
  }

  /** Opens the page again at a server that refuses every token and every new sign-in of this window. */
  async shutOut() {
    const { page } = this;
    const refuse = (status, detail) => route => route.fulfill({ status, json: { type: "about:blank", title: "Refused", status, detail, retryable: false } });
    const at = page.url();
    this.expect(REFUSED);
    this.expect(DOWN); // a socket that is not open yet is closed
    await page.goto("about:blank"); // the open page would be signed out already, and the next one would only ask for a name
    await page.route(/\/(rooms|people)\b/, refuse(401, "The token is invalid."));
    await page.route("**/local/sign-in", refuse(403, "Sign in on the server's machine."));
    await page.goto(at);
  }

  /** The ids of the loaded messages, from above. */
  ids() { return this.log.getByRole("article").evaluateAll(rows => rows.map(row => row.dataset.id)); }

  focused() { return this.page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? ""); }
}

/** Waits until a condition holds, and fails with its name after PATIENCE_MS. */
export async function until(condition, name) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) assert.fail(`after ${PATIENCE_MS / 1000} s still not: ${name}`);
    await new Promise(resolve => { setTimeout(resolve, LOOK_MS); });
  }
}
