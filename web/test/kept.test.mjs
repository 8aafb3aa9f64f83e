// The browser's store of read messages: a window shows it without a network, and then the changes.
import { DOWN, Person, REFUSED, calm, expect, suite } from "./fixtures.mjs";

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

/** What the browser keeps when a session has ended. It says nothing of a person. */
const OF_BROWSER = ["parley.clock", "parley.config", "parley.density", "parley.ending", "parley.enter", "parley.list", "parley.marks", "parley.offered", "parley.preview", "parley.theme"];

/** Signs somebody in, who reads, writes, deletes, searches and reacts in a room of their name. */
async function busy(cast, server, name) {
  await server.room(name, "bob", [name]);
  await server.post("bob", name, "what was read");
  const person = await enter(cast, name, name);
  person.allow(REFUSED);
  await keeps(person, name, ["what was read"]);
  await person.act("what was read", "React");
  await person.page.getByRole("combobox", { name: "Find an emoji" }).fill("crab");
  await person.page.keyboard.press("Enter");
  await person.row("what was read").getByRole("button", { name: "🦀 1" }).waitFor();
  await person.page.keyboard.press("Control+Shift+F");
  await person.page.getByRole("searchbox", { name: "Search messages" }).fill("read");
  await person.page.keyboard.press("Enter");
  await person.page.keyboard.press("Escape");
  await person.refuse(`**/rooms/${name}/messages`, 403, "You are muted.", "POST");
  await person.say("what was refused");
  await person.button("Try again").waitFor();
  await person.page.getByRole("textbox", { name: /^Message #/ }).fill("half a thought");
  const names = ["draft", "emoji", "searches"];
  await expect.poll(async () => (await person.stored()).local.filter(key => names.some(of => key.startsWith(`parley.${of}`))).length, "something of each kind is stored").toBe(names.length);
  expect((await person.stored()).databases, "messages are stored").toEqual([`parley ${server.url} ${name} cache`]);
  return person;
}

/** The ways in which a session ends, and what the page then shows. */
const endings = {
  "a sign-out": ["Signed out", signOut],
  "a sign-out in another tab": ["Signed out", async person => {
    const other = await open(person, `/#/${person.name}`);
    other.allow(REFUSED);
    await other.sees("what was read");
    await signOut(other);
  }],
  "a suspension": ["Your account is suspended", person => person.server.suspend(person.name)],
  "the person's erasure": ["Your account is suspended", person => person.server.erase(person.name)],
  "a token that is refused": ["Signed out", async person => {
    await person.refuse(/\/(rooms|people)\b/, 401, "The token is invalid.");
    await person.refuse("**/local/sign-in", 403, "Sign in on the server's machine.");
    await person.button("Documents").click();
  }],
  "somebody else who signs in": ["Somebody else is signed in", async person => {
    const other = await open(person, "/favicon.svg");
    await other.page.evaluate(token => localStorage.setItem("parley.tokens", JSON.stringify({ token })), await person.server.token("carl"));
  }],
};

for (const [ending, [heading, ends]] of Object.entries(endings)) {
  test(`${ending} leaves nothing of the person in the browser`, async ({ cast, server }) => {
    const person = await busy(cast, server, `at-${ending.replace(/\W/g, "-")}`.toLowerCase());
    await ends(person);
    await person.page.getByRole("heading", { name: heading }).waitFor();
    const left = async () => {
      const { local, ...others } = await person.stored();
      return { ...others, local: local.filter(key => !OF_BROWSER.includes(key)) };
    };
    const tokens = heading === "Somebody else is signed in" ? ["parley.tokens"] : [];
    await expect.poll(left, "something of the person is kept").toEqual({ local: tokens, session: [], databases: [], caches: [] });
    if (tokens.length) return; // the next page is somebody else's
    await person.page.reload(); // what the page writes when it is left
    await person.button("Sign in").waitFor();
    expect(await left(), "something of the person is kept").toEqual({ local: [], session: [], databases: [], caches: [] });
  });
}

test("a sign-out without a network asks about deletions", async ({ cast, server }) => {
  await server.room("regrets", "bob", ["dora"]);
  const dora = await enter(cast, "dora", "regrets");
  dora.allow(DOWN);
  await dora.post("what dora regrets");
  await dora.page.locator(".me").click(); // whose code is loaded
  await dora.page.keyboard.press("Escape");
  await dora.page.context().setOffline(true);
  await dora.page.getByText(/^Offline\. /).waitFor();
  await dora.act("what dora regrets", "Delete");
  await dora.page.locator(".me").click();
  await dora.button("Sign out").click();
  await dora.page.getByText("1 change was not sent. What you discard cannot be restored.").waitFor();
});

/** Signs out, and discards what was not sent. */
async function signOut(person) {
  await person.page.locator(".me").click();
  await person.button("Sign out").click();
  await person.page.getByRole("button", { name: "Discard and sign out" }).click();
}
