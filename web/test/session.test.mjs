// One session for all tabs of a browser, what a sign-out asks first, and code that loads late.
import { clean } from "./axe.mjs";
import { DOWN, PHONE, Person, REFUSED, calm, expect, suite } from "./fixtures.mjs";

const test = suite();
test.use(calm);

/** Opens a page in the browser of a person, as another tab. */
async function tab(person, path) {
  const page = await person.page.context().newPage();
  const other = new Person(person.name, page, person.server);
  await other.watch();
  await page.goto(person.server.url + path);
  return other;
}

/** Opens a window and signs in by the form, which begins the session of all tabs. */
async function signedIn(cast, name, room, options) {
  await cast.server.room(room, name, ["bob"]);
  const person = await cast.window(name, { path: `/#/${room}`, ...options });
  await person.page.getByRole("combobox", { name: "Your name" }).fill(name);
  await person.button("Sign in").click();
  await person.composer.waitFor();
  return person;
}

const account = person => person.page.locator(".me").click();

/** Loads the code of the account's dialog. */
async function glance(person) {
  await account(person);
  await person.button("Sign out").waitFor();
  await person.page.keyboard.press("Escape");
  await expect(person.button("Sign out")).toHaveCount(0);
  await person.page.waitForFunction(() => !history.state); // going back from the menu would undo what comes next
}
const question = person => person.page.getByRole("alertdialog", { name: "Sign out?" });
const heading = (person, name) => person.page.getByRole("heading", { name });

async function signOut(person) {
  await account(person);
  await person.button("Sign out").click();
}

async function offline(person, ...missing) {
  await person.complete(...missing);
  await person.page.context().setOffline(true);
  await person.page.getByText("Offline. Messages will be sent").waitFor();
}

test.describe("a sign-out", () => {
  test("asks about messages that wait, sends them first, and keeps them when the person cancels", async ({ cast, server }) => {
    const ann = await signedIn(cast, "ann", "waiting");
    ann.allow(DOWN);
    await glance(ann);
    await offline(ann);
    await ann.say("first of all");
    await ann.say("second of all");
    await signOut(ann);
    await question(ann).getByText("2 messages were not sent.").waitFor();
    await clean(ann, "the question of a sign-out", "dialog");
    await question(ann).getByRole("button", { name: "Cancel" }).click();
    await ann.row("second of all").waitFor();
    await signOut(ann);
    await question(ann).getByRole("button", { name: "Send first" }).click();
    await question(ann).getByText("When you are back, all is sent, and you are signed out.").waitFor();
    await ann.page.context().setOffline(false);
    await heading(ann, "Signed out").waitFor();
    expect((await server.messages("bob", "waiting")).map(m => m.text)).toEqual(["first of all", "second of all"]);
  });

  test("without a network shows the way back, discards only what the person says, and the next sign-in works", async ({ cast, server }) => {
    const ann = await signedIn(cast, "ann", "dark", { viewport: PHONE });
    ann.allow(DOWN);
    await ann.page.getByRole("button", { name: "Back to rooms" }).click();
    await glance(ann);
    await ann.go("dark");
    await offline(ann);
    await ann.say("never sent");
    await ann.kept("never sent");
    await ann.page.getByRole("button", { name: "Back to rooms" }).click();
    await signOut(ann);
    await question(ann).getByText("1 message was not sent.").waitFor();
    await question(ann).getByRole("button", { name: "Discard and sign out" }).click();
    await heading(ann, "Signed out").waitFor();
    await expect(ann.button("Sign in again")).toBeFocused();
    await ann.button("Sign in again").click();
    await ann.page.context().setOffline(false);
    await ann.page.getByRole("combobox", { name: "Your name" }).fill("ann");
    await ann.button("Sign in").click();
    await ann.nav.or(ann.composer).first().waitFor();
    await ann.go("dark");
    await ann.post("sent later");
    expect((await server.messages("ann", "dark")).map(m => m.text)).toEqual(["sent later"]);
  });

  test("asks about drafts, and leaves none behind", async ({ cast }) => {
    const ann = await signedIn(cast, "ann", "drafted");
    await ann.composer.fill("half a thought");
    await signOut(ann);
    await question(ann).getByText("You have 1 draft.").waitFor();
    await question(ann).getByRole("button", { name: "Discard and sign out" }).click();
    await heading(ann, "Signed out").waitFor();
    const left = () => ann.page.evaluate(() => [...Object.values(localStorage), ...Object.values(sessionStorage)].filter(v => v.includes("half")));
    await expect.poll(left, "the draft is gone").toEqual([]);
  });
});

test("code that could not be loaded is loaded when the network is back", async ({ cast }) => {
  const ann = await signedIn(cast, "ann", "late", { prepare: page => page.route("**/dialogs.js", route => route.abort("internetdisconnected")) });
  ann.allow(DOWN);
  await ann.settled();
  await offline(ann, "dialogs.js", "late.css");
  await ann.page.unroute("**/dialogs.js"); // it would be loaded before it is needed
  await ann.page.keyboard.press("Control+k");
  await ann.page.getByText("It is tried again when you are online.").waitFor();
  await ann.page.context().setOffline(false);
  await ann.page.getByRole("combobox", { name: "Find rooms, people and messages" }).waitFor();
});

test.describe("all tabs of a browser", () => {
  test("have one session: a room and a message open in new tabs, and are signed in", async ({ cast, server }) => {
    const ann = await signedIn(cast, "ann", "tabs");
    const { id } = await server.post("bob", "tabs", "the one of the link");
    const opened = ann.page.context().waitForEvent("page");
    await ann.link("tabs").click({ modifiers: ["ControlOrMeta"] });
    await (await opened).getByRole("textbox", { name: "Message #tabs" }).waitFor();
    const other = await tab(ann, `/#/tabs/${encodeURIComponent(id)}`);
    await other.sees("the one of the link");
  });

  test("are signed out together, and signed in together", async ({ cast }) => {
    const ann = await signedIn(cast, "ann", "together");
    const other = await tab(ann, "/#/together");
    await other.composer.waitFor();
    await other.composer.fill("nobody reads this");
    const drafts = () => ann.page.evaluate(() => Object.values(localStorage).filter(text => text === "nobody reads this").length);
    await expect.poll(drafts, "the draft is in all tabs").toBe(1);
    await signOut(ann);
    await question(ann).getByRole("button", { name: "Discard and sign out" }).click();
    await heading(ann, "Signed out").waitFor();
    await heading(other, "Signed out").waitFor();
    await other.button("Sign in again").click();
    await other.page.getByRole("combobox", { name: "Your name" }).fill("ann");
    await other.button("Sign in").click();
    await other.composer.waitFor();
    await expect(other.composer, "the draft came back").toHaveValue("");
    await ann.composer.waitFor();
  });

  test("never mix two people: the window of a second person stays theirs, and a tab of the former one says who is there", async ({ cast, server }) => {
    const ann = await signedIn(cast, "ann", "mixed");
    const bob = await tab(ann, "/#as=bob");
    await bob.page.getByRole("button", { name: /^bob/ }).waitFor();
    await bob.page.reload();
    await bob.page.getByRole("button", { name: /^bob/ }).waitFor();
    await signOut(bob);
    await heading(bob, "Signed out").waitFor();
    await expect(ann.composer, "ann is signed out, too").toBeVisible();

    // Carl's tokens come from a tab that was asleep while ann signed in.
    const carl = await server.token("carl");
    await bob.page.evaluate(token => localStorage.setItem("parley.tokens", JSON.stringify({ token })), carl);
    await heading(ann, "Somebody else is signed in").waitFor();
    await expect(ann.page.getByRole("main")).toContainText("signed in as carl");
    await clean(ann, "a tab of somebody else");
    await ann.button("Continue as carl").click();
    await ann.page.getByRole("button", { name: /^carl/ }).waitFor();
  });
});

test.describe("an address that leads nowhere", () => {
  test("is one clear statement in the page", async ({ cast, server }) => {
    await server.room("somewhere", "ann");
    const ann = await cast.enter("ann", { room: "somewhere" });
    ann.allow(REFUSED);
    const alone = async () => {
      await ann.page.getByText("This room does not exist, or you may not see it.").waitFor();
      await expect(ann.page.getByText(/could not be loaded|This message does not exist|No messages yet\. Write/)).toHaveCount(0);
    };
    await ann.page.evaluate(() => { location.hash = "#/somewhere/01890a5d-ac96-774b-bcce-b302099a8057~bob"; });
    await ann.page.getByText("This message does not exist, or you may not see it.").waitFor();
    for (const hash of ["#/nowhere", "#/nowhere/01890a5d-ac96-774b-bcce-b302099a8057~bob", "#/No Room!", "#/No Room!/x"]) {
      await ann.page.evaluate(to => { location.hash = to; }, hash);
      await alone();
    }
  });

  test("outside the page is a page that leads to it, and a problem for programs", async ({ cast, server }) => {
    const ann = await cast.window("ann", { path: "/nonsense" });
    ann.allow(/status of 40[14]/);
    await heading(ann, "There is no page at this address").waitFor();
    await clean(ann, "an unknown address");
    const answer = await fetch(`${server.url}/nonsense`);
    expect([answer.status, answer.headers.get("Content-Type")]).toEqual([401, "application/json"]);
    await ann.page.getByRole("link", { name: "Open Parley" }).click();
    await ann.page.getByRole("combobox", { name: "Your name" }).waitFor();
  });
});

test.describe("what is awaited or refused", () => {
  test("is said to load after 150 ms, not before and not much later", async ({ cast, server }) => {
    await server.room("slow", "ann", ["bob"]);
    const ann = await cast.enter("ann", { room: "slow", prepare: page => page.clock.install() });
    await ann.settled();
    await ann.button("Pinned messages").click(); // the panel's code is loaded
    await ann.panel.getByRole("heading", { name: "Pinned messages" }).waitFor();
    await ann.page.clock.pauseAt(Date.now() + 3_600_000);
    await ann.settled();
    const asked = ann.page.waitForRequest("**/slow/members?*");
    await ann.page.route("**/slow/members?*", () => {}); // nobody answers
    await ann.button("People").click();
    await ann.panel.getByRole("heading", { name: "People" }).waitFor();
    await ann.page.clock.runFor(20); // a frame, after which the panel asks
    await asked;
    const loading = ann.panel.getByText("Loading…");
    await ann.page.clock.runFor(120);
    await expect(loading, "a short wait is shown").toHaveCount(0);
    await ann.page.clock.runFor(40);
    await expect(loading, "a wait that is noticed is not shown").toHaveCount(1);
  });

  test("shows the reason next to the button", async ({ cast, server }) => {
    await server.room("open", "bob");
    await server.api("bob", "PUT", "/rooms/open/members/cem", { role: "banned", reason: "rude" });
    const ann = await cast.enter("ann", { room: "open" });
    const join = ann.page.locator(".offer").filter({ has: ann.button("Join") });
    await ann.refuse("**/members/me", 429, "You have joined too many rooms today.", "PUT");
    await join.getByRole("button", { name: "Join" }).click();
    await expect(join.getByRole("alert"), "the reason is elsewhere").toHaveText("You have joined too many rooms today.");
    const bob = await cast.enter("bob", { room: "open" });
    await bob.button("People").click();
    await bob.panel.getByRole("button", { name: "Banned" }).click();
    await bob.refuse("**/members/cem", 429, "Too many changes. Try again later.", "DELETE");
    await bob.panel.getByRole("button", { name: "Unban cem" }).click();
    await expect(bob.panel.getByRole("listitem").getByRole("alert"), "the reason is elsewhere").toHaveText("Too many changes. Try again later.");
  });
});
