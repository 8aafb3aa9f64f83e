// What people do with messages beside writing them: quotes and mentions, live and by keyboard.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { clean } from "./axe.mjs";
import { Cast, PHONE, REFUSED, launch, until } from "./harness.mjs";
import { Server, uuid7 } from "./server.mjs";

let browser, server, cast;
before(async () => {
  [browser, server] = await Promise.all([launch(), Server.start()]);
  await server.api("bob", "PUT", "/people/me", { name: "Bob Baker" });
});
after(async () => { await browser?.close(); await server?.close(); });
beforeEach(() => { cast = new Cast(browser, server, { reducedMotion: "reduce" }); });
afterEach(context => cast.close(context));

/** Two people in windows of a room, which ann owns. */
async function two(room, options) {
  await server.room(room, "ann", ["bob"]);
  return Promise.all(["ann", "bob"].map(user => cast.enter(user, { room, ...options })));
}

const item = (person, name) => person.page.getByRole("menuitem", { name, exact: true });

const last = async (user, room) => (await server.messages(user, room)).at(-1);

describe("quotes", () => {
  test("a message is quoted by keyboard, shows in both windows, and leads to what it quotes", async () => {
    const [ann, bob] = await two("quotes");
    const { id } = await server.post("bob", "quotes", "Objections by *Monday* please");
    await ann.sees("Objections by");
    await ann.choose("Quote");
    await until(async () => await ann.focused() === "Message #quotes", "the composer has the focus");
    await ann.page.locator(".quoting").getByText("Bob Baker: Objections by Monday please").waitFor();
    await clean(ann, "quoting");
    await ann.say("None from me");
    await ann.button("Do not quote").waitFor({ state: "detached" });
    for (const person of [ann, bob]) {
      await person.row("None from me").getByRole("link", { name: "Bob Baker: Objections by Monday please" }).waitFor();
    }
    await ann.sent("None from me");
    assert.equal((await last("ann", "quotes")).quote.id, id);
    await clean(ann, "a quote");
    await ann.choose("Go to quoted message");
    await until(async () => (await ann.focused()).startsWith("Bob Baker, "), "the quoted message has the focus");
    assert.ok((await ann.page.evaluate(() => location.hash)).endsWith(encodeURIComponent(id)));
  });

  test("Escape takes a quote back, and a deleted message is quoted without its text", async () => {
    const [ann, bob] = await two("unquoted");
    const id = await bob.post("on second thought");
    await ann.sees("on second thought");
    await ann.choose("Quote");
    await ann.button("Do not quote").waitFor();
    await ann.page.keyboard.press("Escape");
    await ann.button("Do not quote").waitFor({ state: "detached" });
    await ann.post("plain");
    assert.equal((await last("ann", "unquoted")).quote, undefined);
    await server.api("ann", "POST", "/rooms/unquoted/messages", { id: uuid7(Date.now()), text: "with it", quote: id });
    await bob.row("with it").getByRole("link", { name: "Bob Baker: on second thought" }).waitFor();
    await bob.act("on second thought", "Delete");
    await bob.page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    for (const person of [ann, bob]) await person.row("with it").getByRole("link", { name: "Bob Baker: Message deleted" }).waitFor();
    await bob.page.reload();
    await bob.row("with it").getByRole("link", { name: "Bob Baker: Message deleted" }).waitFor();
  });

  test("a quote of a message that is not loaded has its text, on a phone too", async () => {
    await server.room("far", "ann", ["bob"]);
    const { id } = await server.post("bob", "far", "long ago");
    for (let n = 0; n < 55; n++) await server.post(n % 2 ? "ann" : "bob", "far", `line ${n}`);
    await server.api("ann", "PUT", "/rooms/far/read", { message: (await last("ann", "far")).id });
    const ann = await cast.enter("ann", { room: "far", viewport: PHONE, hasTouch: true });
    await server.api("bob", "POST", "/rooms/far/messages", { id: uuid7(Date.now()), text: "as I said", quote: id });
    await ann.row("as I said").getByRole("link", { name: "Bob Baker: long ago" }).waitFor();
    await clean(ann, "a quote on a phone");
    await ann.row("as I said").getByRole("button", { name: "More" }).click();
    await item(ann, "Quote").click();
    await ann.page.locator(".quoting").getByText("Bob Baker: as I said").waitFor();
    await clean(ann, "quoting on a phone");
  });
});

describe("mentions", () => {
  const list = person => person.page.getByRole("listbox", { name: "People to mention" });

  test("a name is completed by keyboard, is sent as an id, and is marked for whom it means", async () => {
    const [ann, bob] = await two("names");
    await server.api("cem", "PUT", "/rooms/names/members/me", { role: "member" });
    await ann.composer.pressSequentially("Ask @");
    await list(ann).getByRole("option", { name: "Bob Baker bob" }).waitFor();
    assert.deepEqual((await list(ann).getByRole("option").locator("[dir]").allTextContents()).sort(), ["Bob Baker", "cem", "room"]);
    await clean(ann, "completion");
    await ann.composer.pressSequentially("bo");
    await until(async () => await list(ann).getByRole("option").count() === 1, "one is left");
    await ann.page.keyboard.press("Enter");
    await list(ann).waitFor({ state: "detached" });
    assert.equal(await ann.composer.inputValue(), "Ask @Bob Baker ");
    await ann.composer.pressSequentially("when it is done");
    await ann.page.keyboard.press("Enter");
    await ann.sent("when it is done");
    assert.deepEqual((await last("ann", "names")).mentions, ["bob"]);
    for (const person of [ann, bob]) assert.equal(await person.row("when it is done").locator(".mention").textContent(), "@Bob Baker");
    await bob.page.getByRole("article", { name: /^ann, .*, mentions you$/ }).waitFor();
    assert.equal(await ann.page.getByRole("article", { name: /mentions you/ }).count(), 0);
    await clean(bob, "a mention");
  });

  test("Escape closes the names, the arrows move, and a name that was taken out is not sent", async () => {
    const [ann] = await two("escape");
    await ann.composer.pressSequentially("@");
    const options = list(ann).getByRole("option");
    await options.first().waitFor();
    assert.equal(await options.first().getAttribute("aria-selected"), "true");
    await ann.page.keyboard.press("ArrowDown");
    await until(async () => await options.nth(1).getAttribute("aria-selected") === "true", "the second is active");
    await ann.page.keyboard.press("Escape");
    await list(ann).waitFor({ state: "detached" });
    assert.equal(await ann.composer.inputValue(), "@");
    await ann.composer.fill("");
    await ann.composer.pressSequentially("@bob");
    await options.first().waitFor();
    await ann.page.keyboard.press("Tab");
    assert.equal(await ann.composer.inputValue(), "@Bob Baker ");
    await ann.post("nobody after all");
    assert.equal((await last("ann", "escape")).mentions, undefined);
  });

  test("all of a room are mentioned by those who may", async () => {
    const [ann, bob] = await two("all");
    await bob.composer.pressSequentially("@r");
    await bob.quiet();
    assert.equal(await list(bob).getByRole("option", { name: "room" }).count(), 0);
    await bob.composer.fill("");
    await ann.composer.pressSequentially("@roo");
    await list(ann).getByRole("option", { name: "room Everyone here" }).waitFor();
    await ann.page.keyboard.press("Enter");
    await ann.composer.pressSequentially("lunch");
    await ann.page.keyboard.press("Enter");
    await ann.sent("lunch");
    assert.equal((await last("ann", "all")).mentionRoom, true);
    await bob.page.getByRole("article", { name: /^ann, .*, mentions you$/ }).waitFor();
  });
});

describe("pins", () => {
  test("a message is pinned and taken away by keyboard, and the panels of both show it at once", async () => {
    const [ann, bob] = await two("pins");
    await server.post("ann", "pins", "the map is at *parley.example*");
    await ann.sees("the map is at");
    await bob.sees("the map is at");
    await bob.button("Pinned messages").click();
    await bob.panel.getByText("No messages are pinned.").waitFor();
    await ann.choose("Pin");
    await ann.page.getByText("Pinned for everyone in the room.").waitFor();
    await bob.panel.getByRole("listitem").getByText("the map is at parley.example").waitFor();
    assert.equal(await bob.panel.getByRole("button", { name: "Unpin the message of ann" }).count(), 0);
    await clean(bob, "pins");
    await ann.button("Pinned messages").focus();
    await ann.page.keyboard.press("Enter");
    const unpin = ann.panel.getByRole("button", { name: "Unpin the message of ann" });
    await unpin.focus();
    await ann.page.keyboard.press("Enter");
    for (const person of [ann, bob]) await person.panel.getByText("No messages are pinned.").waitFor();
    await until(async () => await ann.focused() === "Pinned messages", "the focus is at the heading");
    await bob.panel.getByRole("heading").press("Escape");
    await bob.choose("Quote");
    await bob.composer.press("Escape");
    await bob.act("the map is at", "Copy link");
    assert.equal(await item(bob, "Pin").count(), 0);
  });

  test("a pinned message is found from a phone, and members pin where the room lets them", async () => {
    await server.room("found-pins", "ann", ["bob"], { pinning: "members" });
    const { id } = await server.post("ann", "found-pins", "the first of all");
    const bob = await cast.enter("bob", { room: "found-pins", viewport: PHONE, hasTouch: true });
    await bob.row("the first of all").getByRole("button", { name: "More" }).click();
    await item(bob, "Pin").click();
    await bob.page.getByText("Pinned for everyone in the room.").waitFor();
    await bob.button("Pinned messages").click();
    await clean(bob, "pins on a phone");
    await bob.panel.getByRole("link", { name: "Show in room" }).click();
    await until(async () => (await bob.page.evaluate(() => location.hash)).endsWith(encodeURIComponent(id)), "the address is the message's");
    await bob.panel.waitFor({ state: "detached" });
    await bob.row("the first of all").waitFor();
  });
});

describe("reactions", () => {
  const chip = (person, text, name) => person.row(text).getByRole("button", { name, exact: true });

  test("an emoji is found by its name and chosen by keyboard, and both windows count it", async () => {
    const [ann, bob] = await two("reactions");
    await bob.post("shipped");
    await ann.sees("shipped");
    await ann.choose("React");
    const field = ann.page.getByRole("combobox", { name: "Find an emoji" });
    await field.waitFor();
    await clean(ann, "picker");
    await ann.page.keyboard.press("ArrowRight");
    await until(async () => await ann.page.getByRole("option", { name: "red heart love" }).getAttribute("aria-selected") === "true", "the arrow moves");
    await field.pressSequentially("party");
    await ann.page.getByRole("option", { name: "party popper celebrate" }).waitFor();
    await ann.page.keyboard.press("Enter");
    for (const person of [ann, bob]) await chip(person, "shipped", "🎉 1").waitFor();
    assert.equal(await chip(ann, "shipped", "🎉 1").getAttribute("aria-pressed"), "true");
    assert.equal(await chip(bob, "shipped", "🎉 1").getAttribute("aria-pressed"), "false");
    await chip(bob, "shipped", "🎉 1").click();
    for (const person of [ann, bob]) await chip(person, "shipped", "🎉 2").waitFor();
    await until(async () => await chip(ann, "shipped", "🎉 2").getAttribute("aria-pressed") === "true", "the count leaves the choice");
    await clean(ann, "chips");
    await ann.page.reload();
    await until(async () => await chip(ann, "shipped", "🎉 2").getAttribute("aria-pressed") === "true", "the choice is still there");
    await chip(ann, "shipped", "🎉 2").focus();
    await ann.page.keyboard.press("Enter");
    for (const person of [ann, bob]) await chip(person, "shipped", "🎉 1").waitFor();
    await chip(bob, "shipped", "🎉 1").click();
    for (const person of [ann, bob]) await chip(person, "shipped", "🎉 1").waitFor({ state: "detached" });
  });

  test("a reaction that is refused is taken back, and a second window of the person has the choice, on a phone too", async () => {
    await server.room("second", "ann", ["bob"]);
    await server.post("bob", "second", "who comes?");
    const wide = await cast.enter("ann", { room: "second" });
    const phone = await cast.enter("ann", { room: "second", viewport: PHONE, hasTouch: true });
    await phone.row("who comes?").getByRole("button", { name: "More" }).click();
    await item(phone, "React").click();
    await clean(phone, "picker on a phone");
    await phone.page.getByRole("option", { name: "raising hand question" }).click();
    for (const person of [wide, phone]) await until(async () => await chip(person, "who comes?", "🙋 1").getAttribute("aria-pressed") === "true", "it is chosen");
    wide.expect(REFUSED);
    await wide.page.route("**/reactions/**", route => route.fulfill({ status: 409, json: { type: "about:blank", title: "Conflict", status: 409, detail: "A message has 20 kinds.", retryable: false } }));
    await chip(wide, "who comes?", "🙋 1").click();
    await wide.page.getByText("A message has 20 kinds.").waitFor();
    await until(async () => await chip(wide, "who comes?", "🙋 1").getAttribute("aria-pressed") === "true", "the choice is back");
  });
});
