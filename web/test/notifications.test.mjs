// Notifications by the browser: of what, where, once, and until it is read.
import { clean } from "./axe.mjs";
import { pick, random, runSeed } from "../client/test/harness/random.ts";
import { calm, expect, suite } from "./fixtures.mjs";

const test = suite();
test.use(calm);

/** Opens a window in which a person has notifications, and may look away. Its browser is signed in, with all of its tabs. */
async function listener(cast, name, room, { permissions = ["notifications"], ...options } = {}) {
  const person = await cast.window(name, { path: `/#/${room}`, permissions, serviceWorkers: "allow", prepare, ...options });
  await person.signIn();
  return person;
}

/** Opens another tab in the browser of a page. */
async function tab(page) {
  const other = await page.context().newPage();
  await prepare(other);
  await other.goto(page.url());
  await other.getByRole("textbox", { name: /^Message / }).waitFor();
  return other;
}

/** The frames that each page has received. */
const frames = new WeakMap();

/**
 * Lets a test say that nobody looks at a page: a browser without windows says that somebody always does. It records
 * the events of the page, and the notifications that it shows.
 */
async function prepare(page) {
  const all = [];
  frames.set(page, all);
  page.on("websocket", socket => socket.on("framereceived", ({ payload }) => all.push(payload)));
  await page.addInitScript(() => {
    document.hasFocus = () => !window.away;
    const show = ServiceWorkerRegistration.prototype.showNotification;
    ServiceWorkerRegistration.prototype.showNotification = function (title, options) {
      localStorage.setItem("test told", JSON.stringify([...JSON.parse(localStorage.getItem("test told") ?? "[]"), options.tag]));
      return show.call(this, title, options);
    };
  });
}

const away = (page, is = true) => page.evaluate(is => { window.away = is; dispatchEvent(new Event(is ? "blur" : "focus")); }, is);

/** The notifications that a page's browser shows, by title and text. */
const shown = page => page.evaluate(async () => {
  const registration = await navigator.serviceWorker.ready;
  return (await registration.getNotifications()).map(n => [n.title, n.body]).sort();
});

const tags = page => page.evaluate(async () => (await (await navigator.serviceWorker.ready).getNotifications()).map(n => n.tag).sort());

const shows = (page, want, why) => expect.poll(() => shown(page), why).toEqual(want.sort());

/** Waits until the notices of a window are begun, and its settings are loaded. */
async function begun(person) {
  await expect.poll(() => person.page.evaluate(async () => (await navigator.locks.query()).held.some(l => l.name.startsWith("parley notices")))).toBe(true);
  await person.settled();
}

/** Presses the notification with a title, as the browser's worker hears it. */
async function press(person, title) {
  const [worker] = person.page.context().serviceWorkers();
  await worker.evaluate(async wanted => {
    const notification = (await self.registration.getNotifications()).find(n => n.title === wanted);
    self.dispatchEvent(new NotificationEvent("notificationclick", { notification }));
  }, title);
}

test("a mention in another room notifies once, while nobody looks, until it is read", async ({ cast, server }) => {
  for (const room of ["desk", "lounge"]) await server.room(room, "bob", ["kim"]);
  const kim = await listener(cast, "kim", "desk");
  await begun(kim);
  const second = await tab(kim.page);
  await server.post("bob", "lounge", "@kim in sight", { mentions: ["kim"] });
  await expect(kim.link("lounge")).toHaveAccessibleName(/1 mention/);
  await away(kim.page);
  await server.post("bob", "lounge", "@kim one tab is looked at", { mentions: ["kim"] });
  await expect(kim.link("lounge")).toHaveAccessibleName(/2 mention/);
  await away(second);
  await server.post("bob", "lounge", "nothing for anybody");
  await server.post("bob", "lounge", "@kim out of sight", { mentions: ["kim"] });
  await shows(kim.page, [["bob in lounge", "@kim out of sight"]], "one of the two tabs tells it");
  await server.read("kim", "lounge");
  await shows(kim.page, [], "it is read on another device");
  await server.post("bob", "lounge", "@kim again", { mentions: ["kim"] });
  await shows(kim.page, [["bob in lounge", "@kim again"]], "the next one");
  await second.close();
  await server.post("bob", "lounge", "@kim and again", { mentions: ["kim"] });
  await shows(kim.page, [["bob in lounge", "@kim again"], ["bob in lounge", "@kim and again"]], "the other tab continues, and repeats nothing");
  await press(kim, "bob in lounge");
  await expect(kim.page, "a click opens the message").toHaveURL(/#\/lounge\//);
  await away(kim.page, false);
  await shows(kim.page, [], "which is then read");
});

const dialog = person => person.page.getByRole("dialog", { name: "Notifications" });

/** Opens the settings of notifications from a room's bell. */
async function settings(person) {
  await person.button("Notifications").click();
  await person.item("Settings of notifications").click();
  await dialog(person).getByRole("combobox", { name: "Tell me of" }).waitFor();
  return dialog(person);
}

test("the settings hold on all devices, and the bell of a room comes first", async ({ cast, server }) => {
  for (const room of ["shop", "yard"]) await server.room(room, "bob", ["lea"]);
  const lea = await listener(cast, "lea", "shop");
  await begun(lea);
  await lea.page.evaluate(() => navigator.serviceWorker.ready);
  await away(lea.page);
  const open = await settings(lea);
  await open.getByText("Notifications are on in this browser.").waitFor();
  await open.getByRole("button", { name: "Send a test" }).click();
  await shows(lea.page, [["This is a test", "So a notification looks and sounds."]], "a test");
  await clean(lea, "the settings of notifications");
  await open.getByRole("combobox", { name: "Sound" }).selectOption("None");
  await open.getByRole("combobox", { name: "A notification shows" }).selectOption("Sender and room");
  await open.getByRole("combobox", { name: "Tell me of" }).selectOption("All messages");
  await open.getByRole("checkbox", { name: "Quiet hours" }).check();
  await open.getByLabel("From").fill("15:00"); // now: see playwright.config.mjs
  await open.getByLabel("to", { exact: true }).fill("17:00");
  await open.getByRole("checkbox", { name: "Mentions of me come through" }).check();
  await open.getByRole("button", { name: "Save" }).click();
  await expect(open).toHaveCount(0);
  const stored = () => server.api("lea", "GET", "/people/me/notifications");
  await expect.poll(stored).toMatchObject({ level: "all", mentionsAlways: true, show: "sender", quiet: { from: "15:00", to: "17:00", days: [1, 2, 3, 4, 5, 6, 7] } });
  await server.post("bob", "yard", "in quiet hours");
  await server.post("bob", "yard", "@lea secret", { mentions: ["lea"] });
  await shows(lea.page, [["This is a test", "So a notification looks and sounds."], ["bob in yard", ""]], "a mention comes through, without its text");
  await server.api("lea", "PATCH", "/people/me/notifications", { quiet: {} });
  await expect.poll(() => frames.get(lea.page).some(f => f.includes("notifications.changed"))).toBe(true);
  await lea.settled();
  await lea.button("Notifications").click();
  await lea.page.getByRole("menuitemcheckbox", { name: "Mentions", exact: true }).click();
  await expect(lea.link("shop")).toHaveAccessibleName(/muted/i);
  await server.post("bob", "shop", "muted");
  await server.post("bob", "yard", "all");
  await expect.poll(async () => (await shown(lea.page)).length, "only the room without its own level").toBe(3);
});

test("a browser that refuses, or never answers, is explained", async ({ cast, server }) => {
  for (const room of ["porch", "attic"]) await server.room(room, "bob", ["mia"]);
  const answers = { denied: /blocks notifications/, never: /has not answered/ };
  for (const [answer, words] of Object.entries(answers)) {
    const mia = await cast.enter("mia", { room: "porch", prepare: async page => {
      await page.clock.install();
      await page.addInitScript(answer => {
        class Notification { static permission = "default"; }
        Notification.requestPermission = () => new Promise(done => {
          if (answer !== "never") done(Notification.permission = answer);
        });
        window.Notification = Notification;
      }, answer);
    } });
    await begun(mia);
    await server.post("bob", "attic", `@mia ${answer}`, { mentions: ["mia"] });
    await mia.button("Turn on").click();
    if (answer === "never") await mia.page.clock.runFor(15_000);
    await expect(mia.page.locator(".toast").filter({ hasText: words })).toBeVisible();
    await expect(mia.button("Turn on"), "it is not asked again").toHaveCount(0);
    const open = await settings(mia);
    const turnOn = open.getByRole("button", { name: "Turn on notifications" });
    if (answer === "never") await turnOn.click();
    await mia.page.clock.runFor(15_000);
    await open.getByText(words).waitFor();
    await expect(turnOn).toHaveCount(answer === "never" ? 1 : 0);
  }
});

const STEPS = process.env.NIGHTLY ? 200 : 40;

/** The kinds of messages that each level of a room admits; "" is the person's own level. */
const admits = { all: ["plain", "direct", "mention"], direct: ["direct", "mention"], mentions: ["mention"], none: [], "": ["direct", "mention"] };

test(`whatever happens, each browser tells what it should once, and nothing that was read stays, seed ${runSeed}`, async ({ cast, server }) => {
  const r = random(runSeed);
  const rooms = ["red", "blue", "green"];
  for (const room of rooms) await server.room(room, "bob", ["liz", "eve"]);
  await server.room("own", "liz");
  const { id: direct } = await server.api("bob", "POST", "/rooms", { direct: ["liz"] });
  const [first, other] = [await listener(cast, "liz", "own"), await listener(cast, "liz", "own")];
  const pages = [await tab(first.page), first.page, other.page];
  for (const person of [first, other]) await begun(person);
  for (const page of pages) await away(page);
  /** Does something of which all pages hear by a frame, and waits until they have. */
  const heard = async (text, act) => {
    const before = pages.map(page => frames.get(page).length);
    await act();
    for (const [n, page] of pages.entries()) await expect.poll(() => frames.get(page).slice(before[n]).some(f => f.includes(text)), text).toBe(true);
    for (const page of pages) await page.evaluate(() => new Promise(done => setTimeout(done)));
  };

  const messages = []; // { room, user, id, text, kind, revision, told, shown }
  const levels = new Map(), blocked = new Set(), left = new Set();
  let n = 0;
  const isTold = ({ room, user, kind }) => !blocked.has(user) && !left.has(room) && admits[levels.get(room) ?? ""].includes(kind);
  const tell = m => { if (!m.told && isTold(m)) m.told = m.shown = true; };
  const hide = is => { for (const m of messages) if (is(m)) m.shown = false; };
  const some = is => { const all = messages.filter(is); return all.length ? pick(all, r) : undefined; };
  const api = (method, path, body) => server.api("liz", method, path, body);
  const steps = {
    post: async () => {
      const room = pick([...rooms, direct], r);
      const kind = left.has(room) ? "plain" : room === direct ? "direct" : pick(["plain", "mention"], r);
      const user = room === direct ? "bob" : pick(["bob", "eve"], r);
      const text = `${++n} ${kind}`;
      const { id } = await server.post(user, room, text, kind === "mention" ? { mentions: ["liz"] } : {});
      messages.push({ room, user, id, text, kind });
      tell(messages.at(-1));
    },
    edit: async () => {
      const m = some(m => m.kind === "plain" && !m.deleted && !blocked.has(m.user) && !left.has(m.room));
      if (!m) return;
      Object.assign(m, { text: `${m.text} edited`, kind: "mention" });
      await server.api(m.user, "PATCH", `/rooms/${m.room}/messages/${m.id}`, { text: m.text, mentions: ["liz"] });
      tell(m);
    },
    delete: async () => {
      const m = some(m => !m.deleted);
      if (!m) return;
      m.deleted = true;
      hide(other => other === m);
      await server.api(m.user, "DELETE", `/rooms/${m.room}/messages/${m.id}`);
    },
    read: async () => {
      const room = pick([...rooms, direct].filter(room => !left.has(room)), r);
      const { items } = await api("GET", "/people/me/heads");
      await api("PUT", `/rooms/${room}/read`, { seq: items.find(h => h.id === room)?.head ?? 0 });
      hide(m => m.room === room);
    },
    level: async () => {
      const room = pick(rooms.filter(room => !left.has(room)), r);
      if (!room) return;
      const level = pick(Object.keys(admits).filter(level => level !== (levels.get(room) ?? "")), r);
      const reloaded = pages.map(page => page.waitForResponse(async answer => answer.url().includes("/people/me/rooms?") && (await answer.json()).items.some(e => e.id === room && (e.level ?? "") === level)));
      await api("PUT", `/people/me/rooms/${room}`, level ? { level } : {});
      await Promise.all(reloaded);
      for (const page of pages) await page.evaluate(() => new Promise(done => setTimeout(done)));
      levels.set(room, level);
      hide(m => m.room === room && !isTold(m));
    },
    block: async () => {
      const is = blocked.has("eve");
      await heard("block.changed", () => api(is ? "DELETE" : "PUT", "/people/me/blocks/eve"));
      blocked[is ? "delete" : "add"]("eve");
      hide(m => blocked.has(m.user));
    },
    leave: async () => {
      const room = pick(rooms, r);
      if (!left.delete(room)) left.add(room);
      if (left.has(room)) await api("DELETE", `/rooms/${room}/members/me`);
      else await api("PUT", `/rooms/${room}/members/me`, { role: "member" });
      hide(m => m.room === room);
      for (const page of pages) await expect(page.getByRole("navigation").getByRole("link", { name: new RegExp(`^${room}\\b`) })).toHaveCount(left.has(room) ? 0 : 1);
    },
    tabs: async () => {
      if (pages.length === 3) return pages.shift().close();
      pages.unshift(await tab(pages[0]));
      await away(pages[0]);
    },
  };
  const weights = ["post", "post", "post", "post", "post", "edit", "delete", "read", "read", "level", "level", "leave", "block", "tabs"];
  for (let step = 0; step < STEPS; step++) {
    const name = pick(weights, r);
    await steps[name]();
    const want = messages.filter(m => m.shown && !m.deleted).map(m => m.id).sort();
    for (const page of [pages[0], other.page]) await expect.poll(() => tags(page), `step ${step}, ${name}`).toEqual(want);
  }
  await server.suspend("liz");
  await expect.poll(() => tags(other.page), "a suspended person").toEqual([]);
  for (const page of [pages[0], other.page]) {
    const told = await page.evaluate(() => JSON.parse(localStorage.getItem("test told") ?? "[]"));
    expect(told.sort(), "each notifies once").toEqual(messages.filter(m => m.told).map(m => m.id).sort());
  }
});
