// A person before a window of a real browser, and what they see by its accessible names.
import { expect } from "@playwright/test";

/** The console's words for a server that is down or answers 4xx, which are no faults of the page. */
export const DOWN = /ERR_CONNECTION_(REFUSED|RESET|CLOSED|ABORTED)|ERR_SOCKET_NOT_CONNECTED|ERR_INTERNET_DISCONNECTED|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED|ERR_CONTENT_LENGTH_MISMATCH|WebSocket connection to/;
/**
 * Said in windows whose service worker is blocked, and, on a slow machine, when the client opens a second connection
 * because the first takes more than 2 seconds, and then closes one.
 */
const EXPECTED = /^Service Worker registration blocked|WebSocket is closed before the connection is established/;
export const REFUSED = /the server responded with a status of (401|403|404|409|412|422|429)/;

/** A person before a window. */
export class Person {
  #console = [];
  #allowed = [];
  /** What has happened since the page was loaded: requests without an answer, the files that came, and the greeting. */
  #open = new Set();
  #files = new Set();
  #greeted = false;

  constructor(name, page, server) {
    this.name = name;
    this.page = page;
    this.server = server;
  }

  async watch() {
    this.page.on("console", message => {
      if (["error", "warning"].includes(message.type()) && !EXPECTED.test(message.text())) this.#console.push(`${message.text()} ${message.location().url}`);
    });
    this.page.on("pageerror", error => this.#console.push(error.stack ?? String(error)));
    this.page.on("request", request => {
      if (request.isNavigationRequest()) {
        this.#open.clear();
        this.#files.clear();
        this.#greeted = false;
      }
      this.#open.add(request);
    });
    for (const end of ["requestfinished", "requestfailed"]) {
      this.page.on(end, request => {
        this.#open.delete(request);
        if (end === "requestfinished") this.#files.add(request.url().split("/").pop());
      });
    }
    this.page.on("websocket", socket => socket.on("framereceived", () => { this.#greeted = true; }));
    await this.page.addInitScript(() => document.addEventListener("securitypolicyviolation", e =>
      console.error(`policy violation: ${e.violatedDirective} ${e.blockedURI} ${e.sourceFile}:${e.lineNumber}`)));
  }

  /** Announces that the console will show a text. */
  allow(...patterns) { this.#allowed.push(...patterns); }

  unexpected() { return this.#console.filter(text => !this.#allowed.some(pattern => pattern.test(text))); }

  get nav() { return this.page.getByRole("navigation", { name: "Rooms" }); }

  get panel() { return this.page.getByRole("complementary"); }

  get log() { return this.page.getByRole("log"); }

  get composer() { return this.page.getByRole("textbox", { name: /^Message / }); }

  /** The line below the room's name: its people and its topic. */
  get topic() { return this.page.locator(".topic"); }

  /** The row of a message that has a text. */
  row(text) { return this.log.getByRole("article").filter({ has: this.page.locator(".text", { hasText: text }) }); }

  link(room) { return this.nav.getByRole("link", { name: new RegExp(`^${room}\\b`) }); }

  button(name) { return this.page.getByRole("button", { name, exact: true }); }

  item(name) { return this.page.getByRole("menuitem", { name, exact: true }); }

  /** Signs in by the form. */
  async signIn() {
    await this.page.getByRole("combobox", { name: "Your name" }).fill(this.name);
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
  ready() { return expect(this.log, "the messages are loaded").toHaveAttribute("aria-busy", "false"); }

  /**
   * Waits until the code is loaded that the page loads after the first room: some stores and sends messages.
   * Files that cannot be loaded are missing.
   */
  async complete(...missing) {
    const late = ["more.js", "menu.js", "room-menu.js", "confirm.js", "dialogs.js", "drop.js", "late.css"];
    await expect.poll(() => late.filter(name => !this.#files.has(name)), "these are not loaded").toEqual(missing);
    await this.settled();
  }

  /**
   * Waits until a room is complete: the composer, the connection, and the answer to each request.
   */
  async settled() {
    await this.ready();
    await this.composer.waitFor();
    await expect.poll(() => this.#greeted, "the page is connected").toBe(true);
    await this.still();
    await expect.poll(() => this.#open.size, "all requests are answered").toBe(0);
    await this.still();
  }

  /** Waits until all animations have ended and what they led to is painted. */
  still() {
    return this.page.evaluate(async () => {
      const frame = () => document.documentElement.animate([], { duration: 1 }).finished; // also while the page's clock stands
      await frame(); // which starts them
      await Promise.allSettled(document.getAnimations().filter(a => a.effect.getComputedTiming().endTime < Infinity).map(a => a.finished));
      await frame();
      await frame();
    });
  }

  /** Chooses from the menu of additions to a message, in the room or in another part of the page. */
  async add(what, within = this.page.getByRole("main")) {
    await within.getByRole("button", { name: "Add to the message" }).click();
    await this.item(what).click();
  }

  /** Types a message and sends it with the keys that send everywhere. */
  async say(text) {
    await this.composer.fill(text);
    await this.composer.press("Control+Enter");
    await this.row(text).first().waitFor();
  }

  /** Says something and waits until the server has stored it. Returns the message's id. */
  async post(text) {
    await this.say(text);
    return this.sent(text);
  }

  async sent(text) {
    await expect(this.row(text), `${text} is sent`).not.toHaveAttribute("data-status");
    return this.row(text).getAttribute("data-id");
  }

  /** Waits until a message that is not sent yet would survive the window, with the bytes of its files. */
  kept(text) {
    const onDisk = () => this.page.evaluate(async wanted => {
      const done = request => new Promise((resolve, reject) => { request.onsuccess = () => resolve(request.result); request.onerror = () => reject(request.error); });
      const messages = [], bytes = [];
      for (const { name } of await indexedDB.databases()) {
        const base = await done(indexedDB.open(name));
        const read = async (store, how) => (base.objectStoreNames.contains(store) ? done(base.transaction(store).objectStore(store)[how]()) : []);
        messages.push(...(await read("values", "getAll")).filter(value => value.kind === "message"));
        bytes.push(...await read("blobs", "getAllKeys"));
        base.close();
      }
      return messages.some(m => m.text === wanted && (m.files ?? []).every(f => bytes.includes(`${m.id} ${f.id}`)));
    }, text);
    return expect.poll(onDisk, `${text} is on disk`).toBe(true);
  }

  /** Reports whether the databases of the browser have a text. */
  onDevice(text) {
    return this.page.evaluate(async wanted => {
      const done = request => new Promise((resolve, reject) => { request.onsuccess = () => resolve(request.result); request.onerror = () => reject(request.error); });
      for (const { name } of await indexedDB.databases()) {
        const base = await done(indexedDB.open(name));
        const found = await Promise.all([...base.objectStoreNames].map(store => done(base.transaction(store).objectStore(store).getAll())));
        base.close();
        if (JSON.stringify(found).includes(wanted)) return true;
      }
      return false;
    }, text);
  }

  /** Waits until this person sees a message. */
  sees(text) { return this.row(text).first().waitFor(); }

  /** Opens the actions of a message and presses one. */
  async act(text, action) {
    const row = this.row(text);
    await row.hover();
    const actions = row.getByRole("group", { name: "Actions" });
    if (["Edit", "Delete", "React"].includes(action)) return actions.getByRole("button", { name: action, exact: true }).click();
    return this.menu(row, action);
  }

  /** Opens the menu of a row and presses one of its items, or leaves it open. */
  async menu(row, action) {
    await expect(this.topic, "the room's settings are known").not.toBeEmpty();
    await row.getByRole("button", { name: "More", exact: true }).click();
    if (action) await this.page.getByRole("menuitem", { name: action }).click();
  }

  /** Opens the menu of the newest message by keyboard and chooses an action. */
  async choose(action) {
    const row = this.log.getByRole("article").last();
    await expect(this.topic, "the room's settings are known").not.toBeEmpty();
    await expect(async () => { // a row that was not drawn before the key was pressed is not reached by it
      await this.composer.first().focus();
      for (let stops = 0; stops < 3 && !await row.evaluate(e => e === document.activeElement); stops++) { // past an offer
        await this.page.keyboard.press("Shift+Tab");
      }
      await expect(row).toBeFocused({ timeout: 1000 });
    }).toPass();
    await row.getByRole("button", { name: "More", exact: true }).waitFor();
    await this.page.keyboard.press("Enter");
    await this.pick(action);
  }

  /** The labels of the open menu, without their keys. */
  items() { return this.page.getByRole("menuitem").evaluateAll(all => all.map(item => item.firstChild.textContent)); }

  /** Moves to an item of the open menu with arrows and chooses it. */
  async pick(action) {
    const items = this.page.getByRole("menuitem");
    await expect(items.first()).toBeFocused();
    const at = (await this.items()).indexOf(action);
    expect(at, `the menu offers ${action}`).toBeGreaterThanOrEqual(0);
    for (let n = 1; n <= at; n++) {
      await this.page.keyboard.press("ArrowDown");
      await expect(items.nth(n)).toBeFocused();
    }
    await this.page.keyboard.press("Enter");
  }

  /** Opens a panel of the room by its button, or by the room's menu where that has no space. */
  async show(panel) {
    const button = this.page.getByRole("button", { name: new RegExp(`^${panel}(,|$)`) }).first(); // it may have a count
    if (await button.isVisible()) return button.click();
    await this.page.getByRole("heading", { level: 1 }).getByRole("button").click();
    await this.item(panel).click();
  }

  /** Opens the people panel and does something with one of them. */
  async withPerson(user, action) {
    if (!await this.page.getByRole("complementary", { name: /^People in/ }).isVisible()) await this.show("People");
    await this.panel.getByRole("button", { name: `Actions for ${user}` }).click();
    await this.item(action).click();
  }

  /** Returns the names of everything that the origin stores: the names of caches are the page's versions. */
  stored() {
    return this.page.evaluate(async () => ({
      local: Object.keys(localStorage).sort(), session: Object.keys(sessionStorage).sort(),
      databases: (await indexedDB.databases()).map(d => d.name).sort(), caches: (await caches.keys()).filter(name => !/^parley [0-9a-f]+$/.test(name)),
    }));
  }

  /** Opens the page again at a server that refuses every token and every new sign-in of this window. */
  async shutOut() {
    const { page } = this;
    const at = page.url();
    this.allow(REFUSED, DOWN); // a socket that is not open yet is closed
    await page.goto("about:blank"); // the open page would be signed out already, and the next one would only ask for a name
    await this.refuse(/\/(rooms|people)\b/, 401, "The token is invalid.");
    await this.refuse("**/local/sign-in", 403, "Sign in on the server's machine.");
    await page.goto(at);
  }

  /** Refuses the requests of a window to some addresses. */
  async refuse(address, status, detail, method) {
    this.allow(REFUSED);
    await this.page.route(address, route => !method || route.request().method() === method
      ? route.fulfill({ status, contentType: "application/problem+json", json: { type: "about:blank", title: "Refused", status, detail, retryable: false } })
      : route.fallback());
  }

  /** The ids of the loaded messages, from above. */
  ids() { return this.log.getByRole("article").evaluateAll(rows => rows.map(row => row.dataset.id)); }

  /** Returns the name of the element with the focus. */
  focused() {
    return this.page.evaluate(() => {
      const e = document.activeElement;
      return (e?.getAttribute("aria-label") ?? e?.labels?.[0]?.textContent ?? e?.getAttribute("title") ?? e?.textContent ?? "").trim();
    });
  }

  /** Waits until the element with a name, or with a name that matches, has the focus. */
  focusIs(name) {
    return expect.poll(() => this.focused(), `the focus is at ${name}`).toMatch(name instanceof RegExp ? name : exactly(name));
  }

  /** Waits until the address has a hash, or one that matches. */
  hashIs(hash) { return expect(this.page).toHaveURL(url => hash instanceof RegExp ? hash.test(url.hash) : url.hash === hash); }
}

/** Returns the pattern of a whole text. */
export const exactly = text => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`);
