// The everyday actions, by keys and by clicks, and their table in docs/web.md.
import { readFile } from "node:fs/promises";
import { actions, clickOf, missing, table } from "./actions.mjs";
import { clean } from "./axe.mjs";
import { calm, expect, suite } from "./fixtures.mjs";

const test = suite({ fill: async server => {
  await server.room("lounge", "bob", ["ann"]);
  await server.room("garden", "bob");
  for (const user of ["bob", "cem"]) await server.api(user, "PUT", "/people/me", { name: user });
} });
test.use(calm);

test("the table in the documentation is the one of the tests, and has sixty-one actions", async () => {
  expect(Object.values(actions).flat().length + Object.keys(missing).length).toBe(61);
  const docs = await readFile(new URL("../../docs/web.md", import.meta.url), "utf8");
  const [, found] = /### Everyday actions\n[^|]*((?:\|.*\n)+)/.exec(docs) ?? [];
  expect(found, "docs/web.md has the table").toBe(`${table()}\n`);
});

/** Marks a room as read up to a message, once that is counted. */
async function read(server, user, room, message) {
  const unread = async () => (await server.api(user, "GET", "/people/me/rooms")).items.find(r => r.id === room)?.unread;
  await expect.poll(unread, "the message is counted").toBeGreaterThan(0);
  await server.api(user, "PUT", `/rooms/${room}/read`, { message });
}

/** Opens a room whose newest message is somebody's, and begins an action there. */
async function begin(person, server, room, { mine, joined, before }, way) {
  const people = [person.name, "bob"];
  const [owner, member] = joined ? people.toReversed() : people;
  await server.room(room, owner, [member]);
  const earlier = await server.post(mine ? "bob" : person.name, room, "an earlier one");
  if (mine) await read(server, person.name, room, earlier.id); // Shift+Tab leads to what is unread
  await server.post(mine ? person.name : "bob", room, "the newest one");
  await person.go(room);
  await person.sees("the newest one");
  await person.link(room).waitFor(); // the room's name opens a menu once the room is listed
  await before?.(person, { server });
  const row = person.row("the newest one");
  await (way === "clicks" ? row.locator("time") : person.composer).hover(); // a toast may cover the text
  if (way === "clicks") await row.getByRole("button", { name: "More", exact: true }).waitFor();
  await person.settled();
  await person.composer.focus();
}

/** Types what a person types anyway, and waits until the page has found it. */
async function type({ page }, { types, into }) {
  if (into) return page.getByRole("textbox", { name: into }).fill(types);
  await page.keyboard.type(types);
  const list = page.locator("[role=listbox]");
  if (await list.isVisible()) await list.getByRole("option").filter({ hasText: types }).or(list.getByRole("option", { name: types })).first().waitFor();
}

async function press(person, action) {
  for (const [n, token] of action.keys.split(" ").entries()) {
    if (n) await person.settled(); // what the key before has opened
    if (token === "…") await type(person, action);
    else if (/^[a-z]{2,}$/.test(token)) await type(person, { types: token });
    else await person.page.keyboard.press(token);
  }
}

async function click(person, action) {
  for (const step of action.clicks) {
    if (step === "…") {
      await person.settled(); // what the click before has opened
      await type(person, action);
    } else {
      const { role, name, within } = clickOf(step);
      await (within ? person.page.getByRole(within) : person.page).getByRole(role, { name, exact: typeof name === "string" }).first().click();
    }
  }
}

const ways = { keys: press, clicks: click };
for (const [group, list] of Object.entries(actions)) {
  for (const [way, act] of Object.entries(ways)) {
    test(`${group} by ${way}`, async ({ cast, server }) => {
      const user = `ann-${group.toLowerCase()}-${way}`;
      await server.api(user, "PUT", "/rooms/lounge/members/me", { role: "member" });
      const ann = await cast.enter(user, { room: "lounge", permissions: ["clipboard-write"] });
      ann.allow(/409 .*\/rooms\/act-new/); // the test of the other way has a room of that name
      for (const [n, action] of list.filter(a => a[way]?.length && a.then).entries()) {
        await test.step(action.what, async () => {
          const room = `act-${user}-${n}`;
          await begin(ann, server, room, action, way);
          await act(ann, action);
          await action.then(ann, { server, room });
          for (let layers = 0; layers < 2; layers++) await ann.page.keyboard.press("Escape"); // what it has opened
        });
      }
    });
  }
}

test("the keys of a message are in its menu and work there, and after a click they are a text", async ({ cast, server }) => {
  await server.room("letters", "ann", ["bob"]);
  await server.post("bob", "letters", "about tea");
  const ann = await cast.enter("ann", { room: "letters" });
  await ann.settled();
  await ann.page.keyboard.press("Shift+Tab");
  await ann.row("about tea").getByRole("button", { name: "More", exact: true }).waitFor();
  await ann.page.keyboard.press("Enter");
  await expect(ann.item("Save for yourself")).toHaveAttribute("aria-keyshortcuts", "A");
  await clean(ann, "a menu with keys");
  await ann.page.keyboard.press("a");
  await ann.page.getByText("Saved for you.").waitFor();
  await ann.row("about tea").locator(".text").click();
  await ann.page.keyboard.type("early or late");
  await expect(ann.composer).toHaveValue("early or late");
});

test("a thread that is opened again has the caret in its field", async ({ cast, server }) => {
  await server.room("again", "ann", ["bob"]);
  await server.post("bob", "again", "about tea");
  const ann = await cast.enter("ann", { room: "again" });
  for (let n = 0; n < 2; n++) {
    await ann.row("about tea").hover();
    await ann.button("Reply in thread").click();
    await ann.focusIs("Message the thread");
    await ann.page.keyboard.press("Escape");
    await expect(ann.panel).toHaveCount(0);
  }
});

test("the finder is loaded before it is needed, and takes # and @ before a name", async ({ cast, server }) => {
  const ann = await cast.window("ann", { path: "/#as=ann" });
  await ann.page.waitForResponse(/\/dialogs\.js/); // once the page is quiet
  await ann.go("lounge");
  await ann.settled(); // with what that imports
  await ann.page.route(/\.js$/, route => route.abort());
  await ann.page.keyboard.press("Control+k");
  await ann.page.getByRole("combobox").fill("#gard");
  await ann.page.getByRole("option", { name: "garden" }).waitFor();
  await ann.page.getByRole("combobox").fill("@cem");
  await ann.page.getByRole("option", { name: /^cem/ }).waitFor();
});
