// Notifications by the browser: of what, where, once, and until it is read.
import { calm, expect, suite } from "./fixtures.mjs";

const test = suite();
test.use(calm);

/** Opens a window in which a person has notifications, and may look away. Its browser is signed in, with all of its tabs. */
async function listener(cast, name, room, { permissions = ["notifications"], ...options } = {}) {
  const person = await cast.window(name, { path: `/#/${room}`, permissions, serviceWorkers: "allow", prepare: lookAway, ...options });
  await person.signIn();
  return person;
}

/** Lets a test say that nobody looks at a page: a browser without windows says that somebody always does. */
const lookAway = page => page.addInitScript(() => { document.hasFocus = () => !window.away; });

const away = (page, is = true) => page.evaluate(is => { window.away = is; dispatchEvent(new Event(is ? "blur" : "focus")); }, is);

/** The notifications that a page's browser shows, the oldest first. */
const shown = page => page.evaluate(async () => {
  const registration = await navigator.serviceWorker.ready;
  return (await registration.getNotifications()).map(n => [n.title, n.body]);
});

const shows = (page, want, why) => expect.poll(() => shown(page), why).toEqual(want);

/** Waits until the notices of a window are begun: its worker answers, and its settings are loaded. */
async function begun(person) {
  await person.page.evaluate(() => navigator.serviceWorker.ready);
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

test("a mention in another room is told once, while nobody looks, until it is read", async ({ cast, server }) => {
  for (const room of ["desk", "lounge"]) await server.room(room, "bob", ["kim"]);
  const kim = await listener(cast, "kim", "desk");
  await begun(kim);
  const second = await kim.page.context().newPage();
  await lookAway(second);
  await second.goto(`${server.url}/#/desk`);
  await second.getByRole("textbox", { name: /^Message / }).waitFor();
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
  await shows(kim.page, [["bob in lounge", "@kim again"], ["bob in lounge", "@kim and again"]], "the other tab goes on, and repeats nothing");
  await press(kim, "bob in lounge");
  await expect(kim.page, "a click opens the message").toHaveURL(/#\/lounge\//);
  await away(kim.page, false);
  await shows(kim.page, [], "which is then read");
});
