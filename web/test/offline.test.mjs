// Reading and writing without a network, and the data that remains on the device. The page is closed, and opened
// again: the service worker has its files, and the client what was read.
import { clean } from "./axe.mjs";
import { DOWN, PHONE, Person, REFUSED, calm, expect, suite } from "./fixtures.mjs";

const test = suite();
test.use(calm);

const asOf = person => person.page.getByText(/Offline\. Messages will be sent when you are back\. Shown as of \d\d:\d\d\./);

/** Opens a window that has kept the page and what was read. */
async function enter(cast, name, options) {
  const person = await cast.enter(name, { serviceWorkers: "allow", ...options });
  person.allow(DOWN);
  await person.settled();
  await expect.poll(() => person.page.evaluate(() => !!navigator.serviceWorker.controller), "the page is kept").toBe(true);
  return person;
}

/** Closes the page of a person, and returns a function that opens it again in the same browser. */
async function close(person) {
  const context = person.page.context();
  const url = person.page.url();
  const session = await person.page.evaluate(() => ({ ...sessionStorage }));
  await person.page.close();
  return async () => {
    const again = new Person(person.name, await context.newPage(), person.server);
    await again.watch();
    await again.page.addInitScript(entries => { for (const [key, value] of Object.entries(entries)) sessionStorage.setItem(key, value); }, session);
    await again.page.goto(url);
    return again;
  };
}

test("a page that was closed shows without a network what was read, and afterwards what has changed since", async ({ cast, server }) => {
  await server.room("cave", "ann", ["bob"]);
  await server.room("tower", "ann", ["bob"]);
  await server.post("bob", "cave", "a light");
  const wrong = await server.post("bob", "cave", "a lihgt");
  const gone = await server.post("bob", "cave", "a secret");
  const ann = await enter(cast, "ann", { room: "cave" });
  const open = await close(ann);
  await server.api("bob", "PATCH", `/rooms/cave/messages/${encodeURIComponent(wrong.id)}`, { text: "a lantern" });
  await server.api("bob", "DELETE", `/rooms/cave/messages/${encodeURIComponent(gone.id)}`);
  await server.post("bob", "cave", "a torch");
  await ann.page.context().setOffline(true);
  const again = await open();
  again.allow(DOWN);
  await again.sees("a lihgt");
  await asOf(again).waitFor();
  await again.link("tower").waitFor();
  await clean(again, "offline, as of the last visit");
  await again.say("from the dark");
  await again.kept("from the dark");
  await again.page.reload();
  await again.sees("a secret");
  await again.sees("from the dark");
  await again.page.context().setOffline(false);
  await again.sees("a torch");
  await again.sees("a lantern");
  await expect(again.row("a secret"), "what was deleted is kept").toHaveCount(0);
  await again.sent("from the dark");
  await expect(asOf(again)).toHaveCount(0);
});

test("what loads late is there without a network, on a phone", async ({ cast, server }) => {
  await server.room("attic", "ann", ["bob"]);
  await server.post("bob", "attic", "a chest");
  const ann = await enter(cast, "ann", { room: "attic", viewport: PHONE, hasTouch: true, isMobile: true });
  await ann.page.context().setOffline(true);
  await ann.page.reload();
  await ann.sees("a chest");
  await asOf(ann).waitFor();
  await clean(ann, "offline on a phone");
  await ann.menu(ann.row("a chest"), "Reply in thread");
  await ann.page.getByRole("complementary", { name: "Thread in attic" }).waitFor();
});

/** Signs in by the form, with a room whose message is kept on the device. */
async function signedIn(cast, server, name, room, text) {
  await server.room(room, name, ["bob"]);
  await server.post("bob", room, text);
  const person = await cast.window(name, { serviceWorkers: "allow", path: `/#/${room}` });
  person.allow(DOWN);
  await person.signIn();
  await person.sees(text);
  await expect.poll(() => person.onDevice(text), "the message is kept").toBe(true);
  await expect.poll(() => person.page.evaluate(() => !!navigator.serviceWorker.controller), "the page is kept").toBe(true);
  return person;
}

test("a sign-out leaves nothing that was read on the device", async ({ cast, server }) => {
  const eve = await signedIn(cast, server, "eve", "den", "the code of the safe");
  await eve.page.locator(".me").click();
  await eve.button("Sign out").click();
  await eve.page.getByRole("heading", { name: "Signed out" }).waitFor();
  await expect.poll(() => eve.onDevice("the code of the safe"), "a text outlives the sign-out").toBe(false);
  await eve.page.context().setOffline(true);
  await eve.page.reload();
  await eve.page.getByRole("combobox", { name: "Your name" }).waitFor();
  await expect(eve.log).toHaveCount(0);
});

test("a person who was suspended while the page was closed finds nothing any more", async ({ cast, server }) => {
  const mal = await signedIn(cast, server, "mal", "vault", "the way to the vault");
  mal.allow(REFUSED);
  const open = await close(mal);
  const online = async () => (await server.api("bob", "GET", "/rooms/vault/online")).users;
  await expect.poll(online, "the page is gone").not.toContain("mal"); // or it ends its session itself
  await server.suspend("mal");
  const again = await open();
  again.allow(REFUSED, DOWN);
  await again.page.getByRole("heading", { name: "Your account is suspended" }).waitFor();
  await expect.poll(() => again.onDevice("the way to the vault"), "a text outlives the suspension").toBe(false);
});
