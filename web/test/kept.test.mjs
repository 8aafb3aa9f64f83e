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

/** Opens a window of the person's browser, which records what it reads out. */
async function open({ name, page, server }, path) {
  const next = new Person(name, await page.context().newPage(), server);
  await next.watch();
  next.allow(DOWN);
  await next.page.addInitScript(() => {
    window.heard = [];
    new MutationObserver(() => {
      const text = document.querySelector(".announcer")?.textContent;
      if (text) window.heard.push(text);
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
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

test("a window opens at what is new, below what the browser kept, and reads out how much it is", async ({ cast, server }) => {
  await server.room("line", "bob", ["ann"]);
  for (let n = 0; n < 30; n++) await server.post("bob", "line", `known ${n}`);
  await server.read("ann", "line");
  const ann = await enter(cast, "ann", "line");
  await expect.poll(async () => (await keptTexts(ann, "line"))?.length, "the browser keeps the room").toBe(30);
  await ann.page.close();
  for (let n = 0; n < 2; n++) await server.post("bob", "line", `new ${n}\n${"and on\n".repeat(30)}`);
  await expect.poll(async () => (await server.api("ann", "GET", "/people/me/rooms")).items.find(r => r.id === "line").unread, "the list counts them").toBe(2);
  const again = await open(ann, "/#/line");
  await again.sees("new 1");
  await expect(again.page.getByRole("separator", { name: "New messages" }), "the line is in sight").toBeInViewport();
  await again.settled();
  await again.say("and mine");
  await server.post("bob", "line", "live");
  await expect.poll(() => again.page.evaluate(() => [...new Set(window.heard)]), "a number and what is live are read out").toEqual(["2 new messages", "bob: live"]);
});

test("one of two windows brings other rooms up to date, and the other does when that is closed", async ({ cast, server }) => {
  for (const room of ["aside", "open"]) {
    await server.room(room, "bob", ["ann"]);
    await server.post("bob", room, "at first");
  }
  const first = await enter(cast, "ann", "aside");
  first.allow(DOWN);
  await keeps(first, "aside", ["at first"]);
  await first.go("open");
  await keeps(first, "open", ["at first"]);
  const second = await open(first, "/#/open");
  await second.settled();
  const browser = first.page.context();
  const reads = [];
  second.page.on("request", r => { if (r.url().includes("/rooms/aside/")) reads.push(r.url()); });
  /** Lets bob post while the browser is offline. */
  const meanwhile = async text => {
    await browser.setOffline(true);
    await second.page.getByText(/^Offline\. /).waitFor();
    await server.post("bob", "aside", text);
    await browser.setOffline(false);
  };
  await meanwhile("before");
  await keeps(second, "aside", ["at first", "before"]);
  await second.settled();
  expect(reads, "what the other reads, too").toEqual([]);
  await first.page.close();
  await meanwhile("after");
  await keeps(second, "aside", ["at first", "before", "after"]);
});

test("a sign-out leaves nothing of what was read", async ({ cast, server }) => {
  await server.room("left", "bob", ["ann"]);
  await server.post("bob", "left", "what ann read");
  const ann = await enter(cast, "ann", "left");
  await keeps(ann, "left", ["what ann read"]);
  const other = await open(ann, "/#/left");
  await other.sees("what ann read");
  await ann.page.getByRole("button", { name: /^ann/ }).click();
  await ann.button("Sign out").click();
  await ann.page.getByRole("heading", { name: "Signed out" }).waitFor();
  await other.page.getByRole("heading", { name: "Signed out" }).waitFor();
  await expect.poll(() => ann.page.evaluate(async () => (await indexedDB.databases()).filter(d => d.name.endsWith(" cache"))), "nothing is kept").toEqual([]);
});
