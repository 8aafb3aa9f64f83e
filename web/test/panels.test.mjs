// The panels next to the timeline: people, settings, documents, history, reports and places.
import { readFileSync } from "node:fs";
import { clean } from "./axe.mjs";
import { DOWN, PHONE, REFUSED, expect, gate, suite } from "./fixtures.mjs";

const test = suite().extend({
  /** Opens a window in a new room of ann, with cem as its moderator. */
  enter: ({ cast, server }, use) => use(async (room, user = "ann", { settings, ...window } = {}) => {
    await server.room(room, "ann", ["bob", "cem"], settings);
    await server.api("ann", "PUT", `/rooms/${room}/members/cem`, { role: "moderator" });
    return cast.enter(user, { room, ...window });
  }),
  member: ({ server }, use) => use((room, user) => server.api("ann", "GET", `/rooms/${room}/members/${user}`)),
});

/** The clocks of the page and of this process are one, but a page keeps to the server's, by its answers. */
const SKEW_MS = 60_000;

const dialog = (person, name) => person.page.getByRole("dialog", { name });
const button = (within, name) => within.getByRole("button", { name, exact: true });

/** Checks the menu of a person, and closes it again. */
async function offers(person, user, items) {
  const opener = button(person.panel, `Actions for ${user}`);
  await opener.click();
  await expect(person.page.getByRole("menuitem")).toHaveText(items);
  await expect(person.page.getByRole("menuitem").first()).toBeFocused();
  await person.page.keyboard.press("Escape");
  await expect(opener).toBeFocused();
}

test("the buttons of the header stay where they are, so that a second click closes the panel", async ({ enter }) => {
  for (const viewport of [{ width: 1440, height: 900 }, { width: 1100, height: 700 }]) {
    const cem = await enter(`still-${viewport.width}`, "cem", { viewport });
    for (const name of ["Pinned messages", "Files", "People", "Settings"]) {
      const before = await cem.button(name).boundingBox();
      const [x, y] = [before.x + before.width / 2, before.y + before.height / 2];
      await cem.page.mouse.click(x, y);
      await cem.panel.getByRole("heading", { level: 2 }).waitFor();
      expect(await cem.button(name).boundingBox()).toEqual(before);
      await cem.page.mouse.click(x, y);
      await expect(cem.panel).toHaveCount(0);
    }
  }
});

test("an empty room offers what begins it, and a direct one shows the person", async ({ cast, server }) => {
  await server.api("chef", "PUT", "/people/me", { name: "Bea", status: { emoji: "🍲", text: "Cooking" } });
  await server.api("gil", "PUT", "/rooms/empty", { name: "Empty" });
  const gil = await cast.enter("gil", { room: "empty" });
  await gil.button("Say what it is about").click();
  await gil.panel.getByRole("textbox", { name: "Topic" }).waitFor();
  await gil.button("Add people").click();
  await button(gil.panel, "Invite").waitFor();
  await gil.button("Write a first message").click();
  await expect(gil.composer).toBeFocused();
  await clean(gil, "an empty room");
  const { id } = await server.api("gil", "POST", "/rooms", { direct: ["chef"] });
  await gil.go(id);
  await expect(gil.log.locator(".start")).toHaveText("BBea🍲 Cooking");
  const cid = await cast.enter("cid", { room: "empty" });
  await expect(cid.log.locator(".start").getByRole("button")).toHaveText(["Write a first message"]);
});

test("a first sign-in shows rooms to join, and a ban says why", async ({ cast, server }) => {
  // Their ids are the first of those that other tests create, of which eight are shown.
  await server.api("ann", "PUT", "/rooms/aa-garden", { name: "Garden" });
  await server.api("ann", "PUT", "/rooms/aa-cellar", { name: "Cellar" });
  await server.api("ann", "PUT", "/rooms/aa-cellar/members/nia", { role: "banned", reason: "Too loud", until: new Date(Date.now() + 86_400_000).toISOString() });
  const nia = await cast.window("nia", { path: "/" });
  nia.allow(REFUSED);
  await nia.page.getByRole("combobox", { name: "Your name" }).fill("nia");
  await nia.button("Sign in").click();
  await nia.nav.getByRole("region", { name: "Rooms you can join" }).getByRole("button", { name: "Join Garden" }).waitFor();
  await expect(nia.page.getByText("Cellar"), "a room that has banned her is not offered").toHaveCount(0);
  await clean(nia, "the first sign-in");
  await nia.page.goto(`${server.url}/#/aa-cellar`);
  await nia.page.getByText(/^You are banned from this room until/).waitFor();
  await nia.page.getByText("Too loud").waitFor();
  await nia.page.goto(`${server.url}/#/nowhere`);
  await nia.page.getByText("This room does not exist, or you may not see it.").waitFor();
});

test.describe("finding", () => {
  test("a new direct message begins with the people of the room, and a room that one is not in says so", async ({ enter, server }) => {
    const ann = await enter("found");
    await server.room("elsewhere", "dora");
    await ann.button("New direct message").click();
    const people = dialog(ann, "New direct message");
    await people.getByRole("option", { name: "cem" }).waitFor();
    await expect(people.getByRole("option").locator("[dir]")).toHaveText(["bob", "cem"]);
    await expect(button(people, "Create a new room")).toHaveCount(0);
    await people.getByRole("combobox", { name: "Find a person" }).fill("nobody-here");
    await button(people, "Write to the user id nobody-here").waitFor();
    await expect(people.getByRole("option"), "it is no result").toHaveCount(0);
    await people.getByRole("combobox").fill("bo");
    await people.getByRole("option", { name: "bob" }).click();
    await ann.page.getByRole("textbox", { name: "Message bob" }).waitFor();
    await ann.page.keyboard.press("Control+k");
    const all = dialog(ann, "Find rooms, people and messages");
    await all.getByRole("combobox").fill("elsewh");
    await all.getByRole("option", { name: "elsewhere Join" }).click();
    await ann.page.getByRole("textbox", { name: "Message #elsewhere" }).waitFor();
  });
});

test.describe("a long list", () => {
  test("loads the rooms at its end when they are in sight, or when one is looked for by its name", async ({ cast, server }) => {
    for (let n = 0; n < 120; n++) await server.room(`many-${n}`, "max");
    const max = await cast.enter("max", { room: "many-119" });
    const rows = max.nav.getByRole("link", { name: /^many-/ });
    const end = max.nav.getByRole("button", { name: /more rooms/ });
    await expect(end).toHaveText("70 more rooms");
    await expect(rows).toHaveCount(50);
    await end.scrollIntoViewIfNeeded();
    await expect(rows).toHaveCount(100);
    // An open room is in the list, wherever it is.
    await max.page.evaluate(() => { location.hash = "#/many-3"; });
    await max.page.getByRole("textbox", { name: "Message #many-3" }).waitFor();
    await expect(max.link("many-3")).toHaveAttribute("aria-current", "page");
    await max.page.keyboard.press("Control+k");
    await max.page.getByRole("combobox", { name: "Find rooms, people and messages" }).fill("many-0");
    await max.page.getByRole("option", { name: "many-0", exact: true }).click();
    await max.page.getByRole("textbox", { name: "Message #many-0" }).waitFor();
    await expect(rows).toHaveCount(120);
    await expect(end).toHaveCount(0);
  });

  test("shows a room in bold to which somebody has added the person, until they have opened it", async ({ cast, server }) => {
    await server.room("home", "cem", ["bob"]);
    await server.room("surprise", "cem");
    const bob = await cast.enter("bob", { room: "home" });
    await server.api("cem", "PUT", "/rooms/surprise/members/bob", { role: "member" });
    await expect(bob.link("surprise")).toHaveAccessibleName("surprise, new");
    await expect(bob.link("surprise")).toHaveClass(/unread/);
    await bob.link("surprise").click();
    await bob.page.getByRole("textbox", { name: "Message #surprise" }).waitFor();
    await expect(bob.link("surprise")).toHaveAccessibleName("surprise");
  });
});

test.describe("people", () => {
  test("an open menu of a person stays as it is while the person changes", async ({ enter, server }) => {
    const ann = await enter("steady");
    await ann.show("People");
    await button(ann.panel, "Actions for bob").click();
    const items = ann.page.getByRole("menuitem");
    const before = await items.allTextContents();
    await server.api("ann", "PUT", "/rooms/steady/members/bob", { role: "muted", until: new Date(Date.now() + 3_600_000).toISOString() });
    await ann.panel.getByText("muted until").waitFor();
    await expect(items).toHaveText(before);
    await ann.page.keyboard.press("Escape");
    await button(ann.panel, "Actions for bob").click();
    await ann.item("Unmute").waitFor();
  });

  test("a moderator mutes and bans with an end and a reason, and takes both back", async ({ enter, member }) => {
    const ann = await enter("order");
    await ann.withPerson("bob", "Mute");
    const mute = dialog(ann, "Mute bob");
    await mute.getByRole("combobox", { name: "For how long" }).selectOption("1 hour");
    await mute.getByRole("textbox", { name: "Reason" }).fill("too loud");
    const before = Date.now();
    await button(mute, "Mute").click();
    await ann.panel.getByText("muted until").waitFor();
    const muted = await member("order", "bob");
    expect(muted.reason).toBe("too loud");
    const end = new Date(muted.until) - 3_600_000;
    expect(end, `muted until ${muted.until}`).toBeGreaterThanOrEqual(before - SKEW_MS);
    expect(end, `muted until ${muted.until}`).toBeLessThanOrEqual(Date.now() + SKEW_MS);
    await ann.withPerson("bob", "Unmute");
    await expect.poll(async () => (await member("order", "bob")).role, "bob may write again").toBe("member");

    await ann.withPerson("bob", "Ban");
    const ban = dialog(ann, "Ban bob");
    await ban.getByRole("textbox", { name: "Reason" }).fill("spam, three times");
    await button(ban, "Ban").click();
    await expect(button(ann.panel, "Actions for bob"), "bob leaves the list").toHaveCount(0);
    await button(ann.panel, "Banned").click();
    await ann.panel.getByText("spam, three times").waitFor();
    await button(ann.panel, "Unban bob").click();
    await ann.panel.getByText("Nobody is banned.").waitFor();
    await expect.poll(async () => (await member("order", "bob")).role).toBe("member");
  });

  test("each is offered what their role allows, and sees changes as they happen", async ({ cast, enter, member, server }) => {
    const cem = await enter("roles", "cem");
    await server.post("ann", "roles", "who has read this?");
    await server.read("bob", "roles");
    await cem.button("People").click();
    await cem.panel.getByRole("listitem").filter({ hasText: "bob" }).getByText(/^Read /).waitFor();
    await offers(cem, "ann", ["Write to ann", "Block"]);
    await offers(cem, "bob", ["Write to bob", "Mute", "Block", "Remove", "Ban"]);
    await expect(button(cem.panel, "Actions for cem"), "cem acts on himself").toHaveCount(0);
    await server.api("ann", "PUT", "/rooms/roles/members/bob", { role: "muted" });
    await cem.panel.getByRole("listitem").filter({ hasText: "bob" }).getByText("muted").waitFor();
    await server.api("ann", "PUT", "/rooms/roles/members/eve", { role: "member" });
    await button(cem.panel, "Actions for eve").waitFor();

    const bob = await cast.enter("bob", { room: "roles" });
    await bob.button("People").click();
    await offers(bob, "eve", ["Write to eve", "Block"]);
    await expect(button(bob.panel, "Invite").or(button(bob.panel, "Banned")), "bob moderates").toHaveCount(0);
    await bob.panel.getByRole("searchbox", { name: "Search people" }).fill("cem");
    await expect(bob.panel.getByRole("listitem"), "one person is found").toHaveCount(1);
    await bob.withPerson("cem", "Write to cem");
    await bob.page.getByRole("textbox", { name: "Message cem" }).waitFor();
  });

  test("a menu stays open while its person comes and goes", async ({ cast, enter, server }) => {
    await server.room("coming", "ann", ["bob"]);
    const ann = await cast.enter("ann", { room: "coming" });
    await ann.button("People").click();
    const group = name => ann.panel.getByRole("region", { name });
    await group("Away").getByRole("button", { name: "Actions for bob" }).click();
    const choice = ann.page.getByRole("menuitem", { name: "Write to bob" });
    await choice.waitFor();
    await cast.enter("bob", { room: "coming" });
    await expect(ann.topic).toHaveText("2 people, 2 online");
    await expect(choice, "the menu is gone").toHaveCount(1);
    await expect(choice).toBeFocused();
    await ann.page.keyboard.press("Escape");
    await group("Online").getByRole("button", { name: "Actions for bob" }).waitFor();
  });

  test("people come in by name and by a link, and the room goes to another", async ({ cast, enter, member }) => {
    const ann = await enter("growing");
    await ann.button("People").click();
    await button(ann.panel, "Invite").click();
    const invite = dialog(ann, "Invite people to growing");
    await invite.getByRole("textbox", { name: "Add somebody" }).fill("dora");
    await button(invite, "Add dora").click();
    await invite.getByText("dora was added.").waitFor();
    await expect.poll(async () => (await member("growing", "dora")).role).toBe("member");
    await button(invite, "Create a link").click();
    const link = await invite.getByRole("textbox", { name: "Copy the link now: it is shown only once" }).inputValue();
    const fred = await cast.enter("fred");
    const question = fred.page.getByRole("alertdialog", { name: "Join a room?" });
    const follows = async choice => {
      await fred.page.evaluate(to => { location.href = to; }, link);
      await question.getByText("ann invites you to growing, a public room.").waitFor();
      await button(question, choice).click();
    };
    await follows("Cancel");
    await expect(question).toHaveCount(0);
    await expect(member("growing", "fred"), "an address lets somebody join unasked").rejects.toThrow(/404/);
    await follows("Join");
    await fred.page.getByRole("heading", { level: 1, name: "growing" }).waitFor();
    await expect.poll(async () => (await member("growing", "fred")).role).toBe("member");
    await invite.getByRole("button", { name: /^Revoke the link/ }).click();
    await expect(invite.getByRole("button", { name: /^Revoke/ }), "the link is revoked").toHaveCount(0);
    fred.allow(/404/);
    await fred.page.evaluate(to => { location.href = to; }, link);
    await question.getByText("This invitation has ended. Ask for a new one.").waitFor();
    await expect(button(question, "Join")).toHaveCount(0);
    await button(question, "Cancel").click();
    await button(invite, "Done").click();

    await ann.withPerson("cem", "Make member");
    await expect.poll(async () => (await member("growing", "cem")).role, "cem is a member").toBe("member");
    await ann.withPerson("bob", "Remove");
    await button(ann.page.getByRole("alertdialog"), "Remove").click();
    await expect(button(ann.panel, "Actions for bob"), "bob is removed").toHaveCount(0);
    await ann.withPerson("cem", "Hand over the room");
    await button(ann.page.getByRole("alertdialog"), "Hand over").click();
    await expect.poll(async () => (await member("growing", "cem")).role, "cem owns the room").toBe("owner");
  });
});

/** The settings of a room that its form does not set, with the reasons. */
const unset = {
  archived: "the button below the form archives and reopens the room",
  metadata: "it is for programs, which define its fields",
  shards: "the rate of messages decides, or a program that expects a flood",
  visibility: "the id of a room decides, when the room is created",
};

/** Returns the names of the settings that the API takes. */
function settingsOfTheAPI() {
  const { components } = JSON.parse(readFileSync(new URL("../../api/openapi.json", import.meta.url), "utf8"));
  return Object.keys(components.schemas.RoomSettings.properties).filter(name => name !== "$schema");
}

test.describe("settings", () => {
  test("the form sets every setting of the API but those with a reason", async ({ cast, enter, server }) => {
    const ann = await enter("all-set");
    await ann.button("Settings").click();
    const form = ann.panel.getByRole("form", { name: "Settings of the room" });
    await form.getByRole("textbox", { name: "Name" }).waitFor();
    for (const field of await form.getByRole("textbox").all()) await field.fill("changed");
    for (const box of await form.getByRole("checkbox").all()) await box.click();
    for (const choice of await form.getByRole("combobox").all()) {
      const now = await choice.inputValue();
      await choice.selectOption(await choice.locator("option").evaluateAll((all, old) => all.find(o => o.value !== old).value, now));
    }
    const sent = ann.page.waitForRequest(r => r.method() === "PATCH");
    await button(form, "Save").click();
    const set = Object.keys((await sent).postDataJSON());
    expect([...set, ...Object.keys(unset)].sort(), "a field of the form, or a reason in unset").toEqual(settingsOfTheAPI().sort());
    await ann.page.getByText("Settings saved.").waitFor();
    await expect.poll(() => server.api("ann", "GET", "/rooms/all-set")).toMatchObject({ pinning: "members", roomMentions: "members" });

    const bob = await cast.enter("bob", { room: "all-set" });
    await bob.button("Settings").click();
    await expect(bob.panel.getByText("Who may mention everyone").locator("+ dd")).toHaveText("Members");
    await expect(bob.panel.getByText("Who may pin messages").locator("+ dd")).toHaveText("Members");
  });

  test("an owner changes them, a fault is at its field, and a member only reads them", async ({ cast, enter, server }) => {
    const ann = await enter("tidy");
    await ann.button("Settings").click();
    const name = ann.panel.getByRole("textbox", { name: "Name" });
    ann.allow(REFUSED);
    await name.fill(" ");
    await button(ann.panel, "Save").click();
    await ann.panel.getByText("Must have a visible character.").waitFor();
    await expect(name).toHaveAttribute("aria-invalid", "true");
    await expect(name, "the field has the focus").toBeFocused();
    await name.fill("Tidy room");
    await ann.panel.getByRole("textbox", { name: "Topic" }).fill("what is where");
    const reloaded = ann.page.waitForResponse(answer => answer.url().endsWith("/rooms/tidy?include=count,people"));
    await server.api("ann", "PUT", "/rooms/tidy", { receipts: false }); // elsewhere, meanwhile
    await (await reloaded).finished();
    await ann.panel.getByRole("combobox", { name: "Slow mode" }).selectOption("30 seconds");
    await ann.panel.getByRole("textbox", { name: "Place" }).fill("USA / WA / Seattle");
    await button(ann.panel, "Save").click();
    await ann.page.getByRole("heading", { level: 1, name: "Tidy room" }).waitFor();
    await expect.poll(() => server.api("ann", "GET", "/rooms/tidy"))
      .toMatchObject({ topic: "what is where", slowModeSeconds: 30, place: ["USA", "WA", "Seattle"], receipts: false });
    await expect(ann.panel.getByRole("checkbox", { name: "Read receipts" }), "the form shows what was set elsewhere").not.toBeChecked();

    await button(ann.panel, "Archive the room").click();
    const archive = ann.page.getByRole("alertdialog", { name: "Archive Tidy room?" });
    await expect(button(archive, "Archive"), "the room is archived without its name").toBeDisabled();
    await archive.getByRole("textbox", { name: "Type Tidy room to confirm" }).fill("Tidy room");
    await button(archive, "Archive").click();
    await button(ann.panel, "Reopen the room").waitFor();
    await expect(name, "an archived room's name can be typed").toBeDisabled();
    await button(ann.panel, "Reopen the room").click();
    await button(ann.panel, "Archive the room").waitFor();

    const bob = await cast.enter("bob", { room: "tidy" });
    await bob.button("Settings").click();
    await bob.panel.getByText("30 seconds").waitFor();
    await expect(bob.panel.getByRole("textbox"), "bob may type settings").toHaveCount(0);
    await button(bob.panel, "Leave the room").click();
    await button(bob.page.getByRole("alertdialog"), "Leave").click();
    await expect(bob.link("Tidy room"), "the room leaves bob's list").toHaveCount(0);
  });

  test("a room is deleted only by its name", async ({ cast, enter, server }) => {
    const ann = await enter("doomed");
    ann.allow(REFUSED);
    await ann.button("Settings").click();
    await button(ann.panel, "Delete the room").click();
    const question = ann.page.getByRole("alertdialog", { name: "Delete doomed?" });
    const action = button(question, "Delete for good");
    await expect(action).toBeDisabled();
    await question.getByRole("textbox", { name: "Type doomed to confirm" }).fill("doomed");
    const loads = { bob: 0, cem: 0 };
    const { open, opened } = gate();
    let held = false; // what cem hears
    const prepare = user => async page => {
      page.on("response", r => { if (r.url().includes("/people/me/rooms?")) loads[user]++; });
      if (user === "cem") await page.routeWebSocket(/./, socket => socket.connectToServer().onMessage(async m => { if (held) await opened; socket.send(m); }));
    };
    const [bob, cem] = await Promise.all(["bob", "cem"].map(user => cast.enter(user, { room: "doomed", prepare: prepare(user) })));
    for (const person of [bob, cem]) person.allow(REFUSED);
    await expect.poll(() => Math.min(loads.bob, loads.cem), "each list is loaded again after the hello").toBeGreaterThan(1);
    held = true;
    await action.click();
    await expect(ann.link("doomed"), "the room leaves the list").toHaveCount(0);
    await bob.page.evaluate(() => { location.hash = "#/"; });
    await bob.page.evaluate(() => { location.hash = "#/doomed"; });
    await bob.page.getByText("This room does not exist").waitFor();
    await expect(bob.link("doomed"), "the room leaves bob's list").toHaveCount(0);
    await cem.say("anybody here?");
    await cem.row("anybody here?").getByText("There is no such room.").waitFor();
    open();
    await expect(cem.link("doomed"), "the room leaves cem's list").toHaveCount(0);
    await expect(server.api("ann", "GET", "/rooms/doomed")).rejects.toThrow(/404/);
  });

  test("rooms are found by their place", async ({ enter, member, server }) => {
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
    await expect.poll(async () => (await server.api("bob", "GET", "/rooms/lake/online")).count, "the server knows that bob is there").toBe(1);
    await server.post("ann", "lake", "said from afar");
    await bob.sees("said from afar");
    await expect(bob.page.locator(".topic"), "a visitor is none of the people").toHaveText("1 person");
    await bob.button("Settings").click();
    await button(bob.panel, "Join the room").click();
    await bob.link("lake").waitFor();
  });
});

test.describe("documents", () => {
  test("a document is written, read in its versions, and taken back to one", async ({ cast, enter }) => {
    const ann = await enter("library");
    await ann.button("Documents").click();
    await ann.panel.getByText("No documents yet.").waitFor();
    await button(ann.panel, "New document").click();
    const form = dialog(ann, "New document");
    await expect(button(form, "Create"), "a document without a title can be created").toBeDisabled();
    await form.getByRole("textbox", { name: "Title" }).fill("Charter");
    await form.getByRole("combobox", { name: "Writers" }).selectOption("Moderators and owners");
    await button(form, "Create").click();
    await ann.panel.getByRole("heading", { name: "Charter" }).waitFor();
    await expect(ann.panel.getByRole("textbox", { name: "Text" }), "the text of a new document has the focus").toBeFocused();
    await ann.panel.getByRole("textbox", { name: "Text" }).pressSequentially("We meet to talk.");
    await button(ann.panel, "Save").click();
    await button(ann.panel, "Edit text").waitFor();
    await expect(ann.panel.getByRole("heading", { name: "text" }), "the only part needs no name").toHaveCount(0);
    await button(ann.panel, "Edit text").click();
    await ann.panel.getByRole("textbox", { name: "Text", exact: true }).fill("We meet on Mondays to talk.");
    await button(ann.panel, "Save").click();
    await ann.panel.getByText("Version 2, ").waitFor();
    await ann.focusIs("Edit text");
    await button(ann.panel, "Versions of text").click();
    await ann.panel.getByRole("checkbox", { name: "Show what changed" }).check();
    await ann.panel.getByRole("button", { name: /^Version 2/ }).click();
    await expect(ann.panel.locator("ins")).toHaveText(["on Mondays "]);
    await ann.panel.getByRole("button", { name: /^Version 1/ }).click();
    await button(ann.panel, "Restore version 1").click();
    await ann.panel.getByText("Version 3, ").waitFor();

    const bob = await cast.enter("bob", { room: "library" });
    await bob.button("Documents").click();
    await bob.panel.getByRole("button", { name: /^Charter/ }).click();
    await bob.panel.getByText("We meet to talk.").waitFor();
    await expect(button(bob.panel, "Edit text"), "bob may write what is for moderators").toHaveCount(0);
  });

  test("a save that comes too late shows both texts, and the person chooses", async ({ enter, server }) => {
    const part = "/rooms/shelf/documents/rules/parts/first";
    const ann = await enter("shelf");
    ann.allow(REFUSED);
    const save = async (version, text) => {
      const headers = { Authorization: `Bearer ${await server.token("bob")}`, "Content-Type": "application/json", "If-Match": `"${version}"` };
      const answer = await fetch(server.url + part, { method: "PUT", headers, body: JSON.stringify({ text }) });
      expect(answer.status).toBe(200);
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
    await expect(text, "what was typed is lost").toHaveValue("Be kind and brief.");
    await button(ann.panel, "Save").click();
    await ann.panel.getByText("Be kind, please.").waitFor();
    expect(await newest(), "a late save wins by itself").toBe("Be kind, please.");
    await button(ann.panel, "Keep editing").click();
    await expect(text).toHaveValue("Be kind and brief.");
    await save(2, "Be kind, everybody.");
    await button(ann.panel, "Save").click();
    await button(ann.panel, "Save mine").click();
    await expect.poll(newest, "the chosen text is stored").toBe("Be kind and brief.");

    await button(ann.panel, "Edit first").click();
    await text.fill("Be anything.");
    await save(4, "Be yourself.");
    await button(ann.panel, "Save").click();
    await button(ann.panel, "Take theirs").click();
    await ann.panel.getByText("Version 5, ").waitFor();
    await expect.poll(newest).toBe("Be yourself.");
    await save(5, "Be at ease.");
    await button(ann.panel, "Edit first").click();
    await text.waitFor();
    await expect(text, "an edit begins with an old text").toHaveValue("Be at ease.");
  });
});

test.describe("messages", () => {
  test("a history shows the words that changed", async ({ enter, server }) => {
    const ann = await enter("past");
    const { id } = await server.post("bob", "past", "the map is up");
    await server.api("bob", "PATCH", `/rooms/past/messages/${id}`, { text: "the new map is up" });
    await ann.sees("the new map is up");
    await ann.act("the new map is up", "Edit history");
    await ann.panel.getByText("Original").waitFor();
    await expect(ann.panel.locator("ins")).toHaveText(["new "]);
    await server.api("bob", "DELETE", `/rooms/past/messages/${id}`);
    await ann.panel.getByText("The message was deleted, and all its versions with it.").waitFor();
  });

  test("a report reaches the moderators, who resolve it", async ({ cast, enter, server }) => {
    const bob = await enter("watch", "bob");
    await server.post("cem", "watch", "buy my shoes");
    await bob.sees("buy my shoes");
    await bob.act("buy my shoes", "Report");
    bob.allow(REFUSED);
    await button(bob.panel, "Report").click();
    await bob.panel.getByRole("textbox", { name: "Reason" }).and(bob.page.locator("[aria-invalid=true]")).waitFor();
    await bob.panel.getByRole("textbox", { name: "Reason" }).fill("It is an advertisement.");
    await button(bob.panel, "Report").click();
    await bob.panel.getByText("The moderators of watch see your report.").waitFor();
    const ann = await cast.enter("ann", { room: "watch" });
    await ann.button("People, 1 open report").click();
    await ann.panel.getByRole("heading", { name: "People 1 open report" }).waitFor();
    await button(ann.panel, "Reports (1)").click();
    await ann.panel.getByText("It is an advertisement.").waitFor();
    await ann.panel.getByText("buy my shoes").waitFor();
    await button(ann.panel, "Resolve the report of bob").click();
    await ann.panel.getByText("No open reports.").waitFor();
    await ann.panel.getByRole("heading", { name: "People", exact: true }).waitFor();
    await expect(ann.button("People"), "the button counts no report").toBeVisible();
  });
});

test.describe("every panel", () => {
  test("takes the focus, gives it back, and needs no mouse", async ({ enter }) => {
    const ann = await enter("keys");
    const { keyboard } = ann.page;
    await ann.button("People").focus();
    await keyboard.press("Enter");
    await ann.focusIs("People");
    await button(ann.panel, "Actions for bob").focus();
    await keyboard.press("Enter");
    await ann.focusIs("Write to bob");
    await keyboard.press("End");
    await ann.focusIs("Ban");
    await keyboard.press("Enter");
    await expect.poll(() => dialog(ann, "Ban bob").evaluate(e => e.contains(document.activeElement)), "the dialog has the focus").toBe(true);
    await keyboard.press("Escape");
    await ann.focusIs("Actions for bob");
    await expect(ann.panel, "Escape closes only the dialog").toBeVisible();
    await keyboard.press("Escape");
    await expect(ann.panel, "the panel is closed").toHaveCount(0);
    await ann.focusIs("People");
  });

  test("covers a phone, whose rest cannot be reached meanwhile", async ({ enter }) => {
    const cem = await enter("small", "cem", { viewport: PHONE });
    await cem.button("People").click();
    const place = async () => { const { x, width } = await cem.panel.boundingBox(); return [x, width]; };
    await expect.poll(place).toEqual([0, PHONE.width]);
    await cem.focusIs("People"); // its heading
    for (let n = 0; n < 12; n++) {
      await cem.page.keyboard.press("Tab");
      // The browser moves the focus while it handles the key.
      expect(await cem.page.evaluate(() => document.activeElement === document.body || !!document.activeElement.closest("aside")), "Tab leaves the panel").toBe(true);
    }
    await cem.button("Close people").click();
    await expect(cem.button("People")).toBeFocused();
  });

  test("says what it waits for, what failed, and what works again", async ({ enter }) => {
    const ann = await enter("states");
    ann.allow(DOWN, /ERR_FAILED/);
    await ann.page.route("**/panel.js", route => route.abort());
    await ann.button("Documents").click();
    await ann.page.getByRole("status").filter({ hasText: "could not be loaded" }).waitFor();
    await expect(ann.button("Documents"), "the panel is closed").toHaveAttribute("aria-pressed", "false");
    await ann.page.unroute("**/panel.js");

    let mode = "";
    const { open, opened } = gate();
    await ann.page.route("**/rooms/states/documents?**", async route => {
      await opened;
      return mode === "away" ? route.abort() : route.continue();
    });
    await ann.button("Documents").click();
    await ann.panel.getByRole("status").filter({ hasText: "Loading…" }).waitFor();
    open();
    await ann.panel.getByText("No documents yet.").waitFor();
    await ann.focusIs("Documents");
    await ann.page.keyboard.press("Escape");
    await expect(ann.panel).toHaveCount(0);

    mode = "away";
    await ann.button("Documents").click();
    await ann.panel.getByRole("alert").filter({ hasText: "cannot be reached" }).waitFor();
    mode = "";
    await button(ann.panel, "Try again").click();
    await ann.panel.getByText("No documents yet.").waitFor();
    await expect(ann.panel.getByRole("alert"), "the failure is over").toHaveCount(0);
  });

  test("is clean for axe, with its menus and dialogs", async ({ enter, server }) => {
    const ann = await enter("clean", "ann", { settings: { place: ["USA", "WA"] } });
    const message = await server.post("bob", "clean", "a text of bob");
    await server.api("cem", "POST", `/rooms/clean/messages/${message.id}/reports`, { reason: "rude" });
    await server.api("ann", "PUT", "/rooms/clean/documents/charter/parts/text", { text: "We meet to talk." });
    const within = "aside, dialog, [role=menu]";
    await ann.show("People");
    await button(ann.panel, "Actions for bob").click();
    await clean(ann, "a person's menu", within);
    await ann.item("Ban").click();
    await dialog(ann, "Ban bob").waitFor();
    await clean(ann, "a ban", within);
    await ann.page.keyboard.press("Escape");
    await expect(dialog(ann, "Ban bob")).toHaveCount(0);
    await button(ann.panel, "Invite").click();
    await button(ann.page, "Create a link").click();
    await ann.page.getByRole("button", { name: /^Revoke/ }).waitFor();
    await clean(ann, "an invitation", within);
    await ann.page.keyboard.press("Escape");
    await expect(ann.page.getByRole("dialog")).toHaveCount(0);
    await ann.panel.getByRole("button", { name: /^Reports/ }).click(); // counted or not yet
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
