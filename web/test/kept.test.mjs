// What the browser keeps of what was read: a window shows it without a network, and then what has changed.
import { DOWN, Person, calm, expect, suite } from "./fixtures.mjs";

const test = suite();
test.use(calm);

/** The texts of a room that the browser keeps, or undefined. */
const keptTexts = ({ page }, room) => page.evaluate(async key => {
  const done = request => new Promise((resolve, reject) => { request.onsuccess = () => resolve(request.result); request.onerror = () => reject(request.error); });
  for (const { name } of await indexedDB.databases()) {
    const base = await done(indexedDB.open(name));
    const kept = base.objectStoreNames.contains("values") && await done(base.transaction("values").objectStore("values").get(key));
    base.close();
    if (kept) return kept.messages.map(m => m.text);
  }
  return undefined;
}, `room ${room}`);

/** Waits until the browser keeps these texts of a room. */
const keeps = (person, room, texts) => expect.poll(() => keptTexts(person, room), `the browser keeps ${texts}`).toEqual(texts);

/** Opens a window of the person's browser. */
async function open({ name, page, server }, path) {
  const next = new Person(name, await page.context().newPage(), server);
  await next.watch();
  next.allow(DOWN);
  await next.page.goto(server.url + path);
  return next;
}

/** Signs somebody in at a room, whom the browser remembers, as it keeps the page. */
async function enter(cast, name, room) {
  const person = await cast.window(name, { serviceWorkers: "allow" });
  await person.signIn();
  await person.go(room);
  await person.settled();
  await expect.poll(() => person.page.evaluate(() => !!navigator.serviceWorker.controller), "the page is kept").toBe(true);
  return person;
}

test("a room is shown without a network as it was, and with one as it is", async ({ cast, server }) => {
  await server.room("kept", "bob", ["ann"]);
  await server.post("bob", "kept", "first of all");
  const secret = await server.post("bob", "kept", "what I regret");
  const ann = await enter(cast, "ann", "kept");
  await keeps(ann, "kept", ["first of all", "what I regret"]);
  const browser = ann.page.context();
  await ann.page.close();
  await server.api("bob", "DELETE", `/rooms/kept/messages/${encodeURIComponent(secret.id)}`);
  await server.post("bob", "kept", "written meanwhile");
  await browser.setOffline(true);
  const again = await open(ann, "/#/kept");
  await again.sees("what I regret");
  await again.page.getByText(/^Offline\. .* Shown as of \d/).waitFor();
  await again.link("kept").waitFor();
  await browser.setOffline(false);
  await again.sees("written meanwhile");
  await expect(again.row("what I regret")).toHaveCount(0);
  await expect(again.page.getByText("Shown as of")).toHaveCount(0);
  await keeps(again, "kept", ["first of all", "", "written meanwhile"]);
});
