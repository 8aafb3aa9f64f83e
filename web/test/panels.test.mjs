// The panels beside the timeline: people, settings, documents, history, reports and places.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { clean } from "./axe.mjs";
import { Cast, DOWN, PHONE, REFUSED, launch, until } from "./harness.mjs";
import { Server } from "./server.mjs";

let browser, server, cast;
before(async () => { [browser, server] = await Promise.all([launch(), Server.start()]); });
after(async () => { await browser?.close(); await server?.close(); });
beforeEach(() => { cast = new Cast(browser, server); });
afterEach(context => cast.close(context));

/** A room of ann, with cem as its moderator, and a window in it. */
async function enter(room, user = "ann", options = {}) {
  await server.room(room, "ann", ["bob", "cem"], options.settings);
  await server.api("ann", "PUT", `/rooms/${room}/members/cem`, { role: "moderator" });
  const { settings, ...window } = options;
  return cast.enter(user, { room, ...window });
}

const member = (room, user) => server.api("ann", "GET", `/rooms/${room}/members/${user}`);
const dialog = (person, name) => person.page.getByRole("dialog", { name });
const button = (within, name) => within.getByRole("button", { name, exact: true });

/** The texts of the menu of a person, which it closes again. */
async function offered(person, user) {
  await button(person.panel, `Actions for ${user}`).click();
  await person.page.getByRole("menuitem").first().waitFor();
  const items = await person.page.getByRole("menuitem").allTextContents();
  await person.page.keyboard.press("Escape");
  return items;
}

describe("finding", () => {
  test("a new direct message begins with the people of the room, and a room that one is not in says so", async () => {
    const ann = await enter("found");
    await server.room("elsewhere", "dora");
    await ann.button("New direct message").click();
    const people = dialog(ann, "New direct message");
    await people.getByRole("option", { name: "cem" }).waitFor();
    assert.deepEqual((await people.getByRole("option").locator("[dir]").allTextContents()).sort(), ["bob", "cem"]);
    assert.equal(await button(people, "Create a new room").count(), 0);
    await people.getByRole("combobox", { name: "Find a person" }).fill("nobody-here");
    await people.getByRole("option", { name: "Write to the user id nobody-here" }).waitFor();
    await people.getByRole("combobox").fill("bo");
    await people.getByRole("option", { name: "bob" }).click();
    await ann.page.getByRole("textbox", { name: "Message bob" }).waitFor();
    await ann.page.keyboard.press("Control+k");
    const all = dialog(ann, "Find a room or person");
    await all.getByRole("combobox").fill("elsewh");
    await all.getByRole("option", { name: "elsewhere Join" }).click();
    await ann.page.getByRole("textbox", { name: "Message #elsewhere" }).waitFor();
  });
});

describe("people", () => {
  test("a moderator mutes and bans with an end and a reason, and takes both back", async () => {
    const ann = await enter("order");
    await ann.withPerson("bob", "Mute");
    const mute = dialog(ann, "Mute bob");
    await mute.getByRole("combobox", { name: "For how long" }).selectOption("1 hour");
    await mute.getByRole("textbox", { name: "Reason" }).fill("too loud");
    await button(mute, "Mute").click();
    await ann.panel.getByText("muted until").waitFor();
    const muted = await member("order", "bob");
    assert.equal(muted.reason, "too loud");
    assert.ok(Math.abs(new Date(muted.until) - Date.now() - 3_600_000) < 60_000, `muted until ${muted.until}`);
    await ann.withPerson("bob", "Unmute");
    await until(async () => (await member("order", "bob")).role === "member", "bob may write again");

    await ann.withPerson("bob", "Ban");
    const ban = dialog(ann, "Ban bob");
    await ban.getByRole("textbox", { name: "Reason" }).fill("spam, three times");
    await button(ban, "Ban").click();
    await until(async () => await button(ann.panel, "Actions for bob").count() === 0, "bob leaves the list");
    await button(ann.panel, "Banned").click();
    await ann.panel.getByText("spam, three times").waitFor();
    await button(ann.panel, "Unban bob").click();
    await ann.panel.getByText("Nobody is banned.").waitFor();
    assert.equal((await member("order", "bob")).role, "member");
  });

  test("each is offered what their role allows, and sees changes as they happen", async () => {
    const cem = await enter("roles", "cem");
    const { id } = await server.post("ann", "roles", "who has read this?");
    await server.api("bob", "PUT", "/rooms/roles/read", { message: id });
    await cem.button("People").click();
    await cem.panel.getByRole("listitem").filter({ hasText: "bob" }).getByText(/^Read /).waitFor();
    assert.deepEqual(await offered(cem, "ann"), ["Write to ann", "Block"]);
    assert.deepEqual(await offered(cem, "bob"), ["Write to bob", "Mute", "Block", "Remove", "Ban"]);
    assert.equal(await button(cem.panel, "Actions for cem").count(), 0, "cem acts on himself");
    await server.api("ann", "PUT", "/rooms/roles/members/bob", { role: "muted" });
    await cem.panel.getByRole("listitem").filter({ hasText: "bob" }).getByText("muted").waitFor();
    await server.api("ann", "PUT", "/rooms/roles/members/eve", { role: "member" });
    await button(cem.panel, "Actions for eve").waitFor();

    const bob = await cast.enter("bob", { room: "roles" });
    await bob.button("People").click();
    assert.deepEqual(await offered(bob, "eve"), ["Write to eve", "Block"]);
    assert.equal(await button(bob.panel, "Invite").count() + await button(bob.panel, "Banned").count(), 0, "bob moderates");
    await bob.panel.getByRole("searchbox", { name: "Search people" }).fill("cem");
    await until(async () => await bob.panel.getByRole("listitem").count() === 1, "one person is found");
    await bob.withPerson("cem", "Write to cem");
    await bob.page.getByRole("textbox", { name: "Message cem" }).waitFor();
  });

  test("a menu stays open while its person comes and goes", async () => {
    await server.room("coming", "ann", ["bob"]);
    const ann = await cast.enter("ann", { room: "coming" });
    await ann.button("People").click();
    const group = name => ann.panel.getByRole("region", { name });
    await group("Away").getByRole("button", { name: "Actions for bob" }).click();
    const choice = ann.page.getByRole("menuitem", { name: "Write to bob" });
    await choice.waitFor();
    await cast.enter("bob", { room: "coming" });
    await ann.page.getByRole("main").getByText("2 people, 2 online").waitFor();
    assert.equal(await choice.count(), 1, "the menu is gone");
    await ann.page.keyboard.press("Escape");
    await group("Online").getByRole("button", { name: "Actions for bob" }).waitFor();
  });

  test("people come in by name and by a link, and the room goes to another", async () => {
    const ann = await enter("growing");
    await ann.button("People").click();
    await button(ann.panel, "Invite").click();
    const invite = dialog(ann, "Invite people to growing");
    await invite.getByRole("textbox", { name: "Add somebody" }).fill("dora");
    await button(invite, "Add dora").click();
    await invite.getByText("dora was added.").waitFor();
    assert.equal((await member("growing", "dora")).role, "member");
    await button(invite, "Create a link").click();
    const link = await invite.getByRole("textbox", { name: "Copy the link now: it is shown only once" }).inputValue();
    const fred = await cast.enter("fred");
    await fred.page.evaluate(to => { location.href = to; }, link);
    await fred.page.getByRole("heading", { level: 1, name: "growing" }).waitFor();
    assert.equal((await member("growing", "fred")).role, "member");
    await invite.getByRole("button", { name: /^Revoke the link/ }).click();
    await until(async () => await invite.getByRole("button", { name: /^Revoke/ }).count() === 0, "the link is revoked");
    await button(invite, "Done").click();

    await ann.withPerson("cem", "Make member");
    await until(async () => (await member("growing", "cem")).role === "member", "cem is a member");
    await ann.withPerson("bob", "Remove");
    await button(ann.page.getByRole("alertdialog"), "Remove").click();
    await until(async () => await button(ann.panel, "Actions for bob").count() === 0, "bob is removed");
    await ann.withPerson("cem", "Hand over the room");
    await button(ann.page.getByRole("alertdialog"), "Hand over").click();
    await until(async () => (await member("growing", "cem")).role === "owner", "cem owns the room");
  });
});

describe("settings", () => {
  test("an owner changes them, a fault is at its field, and a member only reads them", async () => {
    const ann = await enter("tidy");
    await ann.button("Settings").click();
    const name = ann.panel.getByRole("textbox", { name: "Name" });
    ann.expect(REFUSED);
    await name.fill(" ");
    await button(ann.panel, "Save").click();
    await ann.panel.getByText("Must have a visible character.").waitFor();
    assert.equal(await name.getAttribute("aria-invalid"), "true");
    assert.ok(await name.evaluate(field => field === document.activeElement), "the field has the focus");
    await name.fill("Tidy room");
    await ann.panel.getByRole("textbox", { name: "Topic" }).fill("what is where");
    const reloaded = ann.page.waitForResponse(answer => answer.url().endsWith("/rooms/tidy?include=count,people"));
    await server.api("ann", "PUT", "/rooms/tidy", { receipts: false }); // elsewhere, meanwhile
    await (await reloaded).finished();
    await ann.panel.getByRole("combobox", { name: "Slow mode" }).selectOption("30 seconds");
    await ann.panel.getByRole("textbox", { name: "Place" }).fill("USA / WA / Seattle");
    await button(ann.panel, "Save").click();
    await ann.page.getByRole("heading", { level: 1, name: "Tidy room" }).waitFor();
    const { topic, slowModeSeconds, place, receipts } = await server.api("ann", "GET", "/rooms/tidy");
    assert.deepEqual({ topic, slowModeSeconds, place, receipts }, { topic: "what is where", slowModeSeconds: 30, place: ["USA", "WA", "Seattle"], receipts: false });
    await until(async () => !await ann.panel.getByRole("checkbox").isChecked(), "the form shows what was set elsewhere");

    await button(ann.panel, "Archive the room").click();
    await button(ann.panel, "Reopen the room").waitFor();
    assert.ok(await name.isDisabled(), "an archived room's name can be typed");
    await button(ann.panel, "Reopen the room").click();
    await button(ann.panel, "Archive the room").waitFor();

    const bob = await cast.enter("bob", { room: "tidy" });
    await bob.button("Settings").click();
    await bob.panel.getByText("30 seconds").waitFor();
    assert.equal(await bob.panel.getByRole("textbox").count(), 0, "bob may type settings");
    await button(bob.panel, "Leave the room").click();
    await button(bob.page.getByRole("alertdialog"), "Leave").click();
    await until(async () => await bob.link("Tidy room").count() === 0, "the room leaves bob's list");
  });

  test("a room is deleted only by its name", async () => {
    const ann = await enter("doomed");
    ann.expect(REFUSED);
    await ann.button("Settings").click();
    await button(ann.panel, "Delete the room").click();
    const question = ann.page.getByRole("alertdialog", { name: "Delete doomed?" });
    const action = button(question, "Delete for good");
    assert.ok(await action.isDisabled());
    await question.getByRole("textbox", { name: "Type doomed to confirm" }).fill("doomed");
    await action.click();
    await until(async () => await ann.link("doomed").count() === 0, "the room leaves the list");
    await assert.rejects(server.api("ann", "GET", "/rooms/doomed"), /404/);
  });

  test("rooms are found by their place", async () => {
    await server.room("pike", "ann", [], { place: ["Here", "North", "Pike"] });
    await server.room("lake", "ann", [], { place: ["Here", "North"] });
    const bob = await enter("map", "bob", { settings: { place: ["Here"] } });
    await bob.button("Settings").click();
    await button(bob.panel, "Public rooms by place").click();
    await bob.panel.getByRole("button", { name: /^Here.*3 rooms/ }).click();
    await bob.panel.getByRole("button", { name: /^North.*2 rooms/ }).click();
    await button(bob.panel, "Here").click();
    await bob.panel.getByRole("button", { name: /^North/ }).click();
    await bob.panel.getByRole("link", { name: "lake" }).click();
    await bob.page.getByRole("heading", { level: 1, name: "lake" }).waitFor();
    // ann, the only member, is away. A message comes later than the news that bob is there.
    await until(async () => (await server.api("bob", "GET", "/rooms/lake/online")).count === 1, "the server knows that bob is there");
    await server.post("ann", "lake", "said from afar");
    await bob.sees("said from afar");
    assert.equal(await bob.page.locator(".topic").textContent(), "1 person", "a visitor is none of the people");
    await bob.button("Settings").click();
    await button(bob.panel, "Join the room").click();
    await bob.link("lake").waitFor();
  });
});

describe("documents", () => {
  test("a document is written, read in its versions, and taken back to one", async () => {
    const ann = await enter("library");
    await ann.button("Documents").click();
    await ann.panel.getByText("No documents yet.").waitFor();
    await button(ann.panel, "New document").click();
    const form = dialog(ann, "New document");
    assert.ok(await button(form, "Create").isDisabled(), "a document without a title can be created");
    await form.getByRole("textbox", { name: "Title" }).fill("Charter");
    await form.getByRole("combobox", { name: "Writers" }).selectOption("Moderators and owners");
    await button(form, "Create").click();
    await ann.panel.getByRole("heading", { name: "Charter" }).waitFor();
    await until(() => ann.panel.getByRole("textbox", { name: "Text" }).evaluate(box => box === document.activeElement), "the text of a new document has the focus");
    await ann.page.keyboard.type("We meet to talk.");
    await button(ann.panel, "Save").click();
    await button(ann.panel, "Edit text").waitFor();
    assert.equal(await ann.panel.getByRole("heading", { name: "text" }).count(), 0, "the only part needs no name");
    await button(ann.panel, "Edit text").click();
    await ann.panel.getByRole("textbox", { name: "Text", exact: true }).fill("We meet on Mondays to talk.");
    await button(ann.panel, "Save").click();
    await ann.panel.getByText("Version 2, ").waitFor();
    await until(async () => await ann.focused() === "Edit text", "the focus is where the edit began");
    await button(ann.panel, "Versions of text").click();
    await ann.panel.getByRole("checkbox", { name: "Show what changed" }).check();
    await ann.panel.getByRole("button", { name: /^Version 2/ }).click();
    assert.deepEqual(await ann.panel.locator("ins").allTextContents(), ["on Mondays "]);
    await ann.panel.getByRole("button", { name: /^Version 1/ }).click();
    await button(ann.panel, "Restore version 1").click();
    await ann.panel.getByText("Version 3, ").waitFor();

    const bob = await cast.enter("bob", { room: "library" });
    await bob.button("Documents").click();
    await bob.panel.getByRole("button", { name: /^Charter/ }).click();
    await bob.panel.getByText("We meet to talk.").waitFor();
    assert.equal(await button(bob.panel, "Edit text").count(), 0, "bob may write what is for moderators");
  });

  test("a save that comes too late shows both texts, and the person chooses", async () => {
    const part = "/rooms/shelf/documents/rules/parts/first";
    const ann = await enter("shelf");
    ann.expect(REFUSED);
    const save = async (version, text) => {
      const headers = { Authorization: `Bearer ${await server.token("bob")}`, "Content-Type": "application/json", "If-Match": `"${version}"` };
      const answer = await fetch(server.url + part, { method: "PUT", headers, body: JSON.stringify({ text }) });
      assert.equal(answer.status, 200);
    };
    const newest = async () => (await server.api("ann", "GET", part)).text;
    await server.api("ann", "PUT", part, { text: "Be kind." });
    await ann.button("Documents").click();
    await ann.panel.getByRole("button", { name: /^rules/ }).click();
    const text = ann.panel.getByRole("textbox", { name: "Text of first" });

    await button(ann.panel, "Edit first").click();
    await text.fill("Be kind and brief.");
    await ann.button("People").click(); // by mistake
    await save(1, "Be kind, please.");
    await ann.button("Documents").click();
    await ann.panel.getByRole("button", { name: /^rules/ }).click();
    await button(ann.panel, "Edit first").click();
    assert.equal(await text.inputValue(), "Be kind and brief.", "what was typed is lost");
    await button(ann.panel, "Save").click();
    await ann.panel.getByText("Be kind, please.").waitFor();
    assert.equal(await newest(), "Be kind, please.", "a late save wins by itself");
    await button(ann.panel, "Keep editing").click();
    assert.equal(await text.inputValue(), "Be kind and brief.");
    await save(2, "Be kind, everybody.");
    await button(ann.panel, "Save").click();
    await button(ann.panel, "Save mine").click();
    await until(async () => await newest() === "Be kind and brief.", "the chosen text is stored");

    await button(ann.panel, "Edit first").click();
    await text.fill("Be anything.");
    await save(4, "Be yourself.");
    await button(ann.panel, "Save").click();
    await button(ann.panel, "Take theirs").click();
    await ann.panel.getByText("Version 5, ").waitFor();
    assert.equal(await newest(), "Be yourself.");
    await save(5, "Be at ease.");
    await button(ann.panel, "Edit first").click();
    await text.waitFor();
    assert.equal(await text.inputValue(), "Be at ease.", "an edit begins with an old text");
  });
});

describe("messages", () => {
  test("a history shows the words that changed", async () => {
    const ann = await enter("past");
    const { id } = await server.post("bob", "past", "the map is up");
    await server.api("bob", "PATCH", `/rooms/past/messages/${id}`, { text: "the new map is up" });
    await ann.sees("the new map is up");
    await ann.act("the new map is up", "Edit history");
    await ann.panel.getByText("Original").waitFor();
    assert.deepEqual(await ann.panel.locator("ins").allTextContents(), ["new "]);
    await server.api("bob", "DELETE", `/rooms/past/messages/${id}`);
    await ann.panel.getByText("The message was deleted, and all its versions with it.").waitFor();
  });

  test("a report reaches the moderators, who resolve it", async () => {
    const bob = await enter("watch", "bob");
    await server.post("cem", "watch", "buy my shoes");
    await bob.sees("buy my shoes");
    await bob.act("buy my shoes", "Report");
    bob.expect(REFUSED);
    await button(bob.panel, "Report").click();
    await bob.panel.getByRole("textbox", { name: "Reason" }).and(bob.page.locator("[aria-invalid=true]")).waitFor();
    await bob.panel.getByRole("textbox", { name: "Reason" }).fill("It is an advertisement.");
    await button(bob.panel, "Report").click();
    await bob.panel.getByText("The moderators of watch see your report.").waitFor();
    const ann = await cast.enter("ann", { room: "watch" });
    await ann.button("People").click();
    await button(ann.panel, "Reports").click();
    await ann.panel.getByText("It is an advertisement.").waitFor();
    await ann.panel.getByText("buy my shoes").waitFor();
    await button(ann.panel, "Resolve the report of bob").click();
    await ann.panel.getByText("No open reports.").waitFor();
  });
});

describe("every panel", () => {
  test("takes the focus, gives it back, and needs no mouse", async () => {
    const ann = await enter("keys");
    const { keyboard } = ann.page;
    await ann.button("People").focus();
    await keyboard.press("Enter");
    await until(async () => await ann.focused() === "People", "the panel has the focus");
    await button(ann.panel, "Actions for bob").focus();
    await keyboard.press("Enter");
    await until(async () => await ann.focused() === "Write to bob", "the menu has the focus");
    await keyboard.press("End");
    assert.equal(await ann.focused(), "Ban");
    await keyboard.press("Enter");
    await dialog(ann, "Ban bob").waitFor();
    await keyboard.press("Escape");
    await until(async () => await ann.focused() === "Actions for bob", "the focus is where it was");
    await ann.panel.waitFor();
    await keyboard.press("Escape");
    await until(async () => await ann.panel.count() === 0, "the panel is closed");
    assert.equal(await ann.focused(), "People");
  });

  test("covers a phone, whose rest cannot be reached meanwhile", async () => {
    const cem = await enter("small", "cem", { viewport: PHONE });
    await cem.button("People").click();
    const box = await cem.panel.boundingBox();
    assert.deepEqual([box.x, box.width], [0, PHONE.width]);
    for (let n = 0; n < 12; n++) {
      await cem.page.keyboard.press("Tab");
      assert.ok(await cem.page.evaluate(() => document.activeElement === document.body || !!document.activeElement.closest("aside")), "Tab leaves the panel");
    }
    await cem.button("Close people").click();
    assert.equal(await cem.focused(), "People");
  });

  test("says what it waits for, what failed, and what works again", async () => {
    const ann = await enter("states");
    ann.expect(DOWN);
    ann.expect(/ERR_FAILED/);
    await ann.page.route("**/chunks/panel*", route => route.abort());
    await ann.button("Documents").click();
    await ann.page.getByRole("status").filter({ hasText: "could not be loaded" }).waitFor();
    await until(async () => await ann.button("Documents").getAttribute("aria-pressed") === "false", "the panel is closed");
    await ann.page.unroute("**/chunks/panel*");

    let mode = "", release;
    const held = new Promise(resolve => { release = resolve; });
    await ann.page.route("**/rooms/states/documents?**", async route => {
      await held;
      return mode === "away" ? route.abort() : route.continue();
    });
    await ann.button("Documents").click();
    await ann.panel.getByRole("status").filter({ hasText: "Loading…" }).waitFor();
    release();
    await ann.panel.getByText("No documents yet.").waitFor();
    await ann.page.keyboard.press("Escape");

    mode = "away";
    await ann.button("Documents").click();
    await ann.panel.getByRole("alert").filter({ hasText: "cannot be reached" }).waitFor();
    mode = "";
    await button(ann.panel, "Try again").click();
    await ann.panel.getByText("No documents yet.").waitFor();
    await until(async () => await ann.panel.getByRole("alert").count() === 0, "the failure is over");
  });

  test("is clean for axe, with its menus and dialogs", async () => {
    const ann = await enter("clean", "ann", { settings: { place: ["USA", "WA"] } });
    const message = await server.post("bob", "clean", "a text of bob");
    await server.api("cem", "POST", `/rooms/clean/messages/${message.id}/reports`, { reason: "rude" });
    await server.api("ann", "PUT", "/rooms/clean/documents/charter/parts/text", { text: "We meet to talk." });
    const within = "aside, dialog, [role=menu]";
    await ann.button("People").click();
    await button(ann.panel, "Actions for bob").click();
    await clean(ann, "a person's menu", within);
    await ann.page.getByRole("menuitem", { name: "Ban" }).click();
    await clean(ann, "a ban", within);
    await ann.page.keyboard.press("Escape");
    await button(ann.panel, "Invite").click();
    await button(ann.page, "Create a link").click();
    await ann.page.getByRole("button", { name: /^Revoke/ }).waitFor();
    await clean(ann, "an invitation", within);
    await ann.page.keyboard.press("Escape");
    await button(ann.panel, "Reports").click();
    await ann.panel.getByText("rude").waitFor();
    await clean(ann, "the reports", within);
    await ann.button("Settings").click();
    await button(ann.panel, "Public rooms by place").click();
    await ann.panel.getByRole("button", { name: /^USA/ }).click();
    await clean(ann, "the places", within);
    await ann.button("Documents").click();
    await ann.panel.getByRole("button", { name: /^charter/ }).click();
    await button(ann.panel, "Edit text").click();
    await clean(ann, "a document and an editor", within);
  });
});
