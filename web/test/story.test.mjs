// People who talk to each other in two windows, and a third on a phone.
import { DOWN, PHONE, REFUSED, TYPING_MS, expect, gate, suite, types } from "./fixtures.mjs";

const test = suite();

/** Two people in separate windows, and a third on a phone, all in one new room. */
async function three(cast, room) {
  await cast.server.room(room, "ann", ["bob", "cem"]);
  return [await cast.enter("ann", { room }), await cast.enter("bob", { room }), await cast.enter("cem", { room, viewport: PHONE })];
}

test.describe("first sight", () => {
  test("a new server has one room, a focused composer and an offer of a second person", async ({ cast, server }) => {
    const ann = await cast.window(" Ann Lee ");
    await ann.signIn();
    await ann.page.getByRole("button", { name: /^Ann Lee/ }).waitFor();
    await expect(ann.nav.getByRole("link", { name: /^general\b/i })).toHaveCount(1);
    await expect.poll(async () => (await server.api("ann-lee", "GET", "/people/me/rooms")).items.length).toBe(1);
    await expect(ann.composer).toHaveAttribute("aria-label", "Message #General");
    await expect(ann.composer, "the composer has the focus").toBeFocused();

    const offer = ann.page.locator("a[href$='#as=bob']");
    const opened = ann.page.context().waitForEvent("page");
    await offer.click();
    const second = await opened;
    await expect(ann.composer, "the focus is back in the composer").toBeFocused();
    const field = second.getByRole("textbox", { name: /^Message / });
    await field.fill("hello from a second window");
    await field.press("Enter");
    await ann.sees("hello from a second window");
    await second.close();
  });
});

test.describe("talk", () => {
  test("a message, typing, an edit and a deletion show in the others' windows", async ({ cast, server }) => {
    const [ann, bob, cem] = await three(cast, "talk");
    await cem.page.clock.install(); // his time is moved on below
    await server.post("ann", "talk", "hello bob and cem"); // her page reports typing once in 8 s: see below
    await Promise.all([ann, bob, cem].map(person => person.sees("hello bob and cem")));

    await types(bob, ann);
    await expect(bob.page.locator(".typing", { hasText: "bob" }), "bob sees that he types himself").toHaveCount(0);
    const said = await bob.composer.inputValue();
    await bob.composer.press("Enter");
    await ann.sees(said);
    // The change that shows the message ends the typing; a second look could come after its time.
    expect(await ann.page.locator(".typing").textContent(), "bob types a message that is sent").toBe("");

    await types(ann, cem);
    await cem.page.clock.fastForward(TYPING_MS);
    await expect(cem.page.locator(".typing"), "the typing line is empty after a while").toBeEmpty();

    await ann.act("hello bob and cem", "Edit");
    const box = ann.page.getByRole("textbox", { name: "Edit message" });
    await expect(box).toHaveValue("hello bob and cem");
    await box.fill("hello everybody");
    await ann.button("Save").click();
    await Promise.all([ann, bob, cem].map(person => person.sees("hello everybody")));
    await expect(bob.row("hello bob and cem")).toHaveCount(0);

    await ann.act("hello everybody", "Delete");
    for (const person of [ann, bob, cem]) await expect(person.row("hello everybody"), `${person.name} sees the deletion`).toHaveCount(0);
  });

  test("unread messages are counted, marked by a line, and cleared in all windows", async ({ cast, server }) => {
    const [ann, bob] = await three(cast, "unread");
    await server.room("elsewhere", "bob");
    await bob.go("elsewhere");
    await ann.post("first unread");
    await ann.post("second unread");
    await bob.nav.getByRole("link", { name: /^unread ?, 2 unread/ }).waitFor();
    await expect(bob.page, "the title counts").toHaveTitle(/2/);

    await server.post("bob", "elsewhere", "newest"); // the room in which a window begins
    const again = await cast.enter("bob", { room: "elsewhere" });
    await again.nav.getByRole("link", { name: /^unread ?, 2 unread/ }).waitFor();
    await bob.link("unread").click();
    await bob.sees("second unread");
    await bob.page.getByRole("separator", { name: "New messages" }).waitFor();
    for (const window of [bob, again]) {
      await expect(window.link("unread"), "the count is cleared").not.toHaveAccessibleName(/unread ?, \d/);
      await expect(window.page, "the title is cleared").not.toHaveTitle(/\d/);
    }
  });

  test("a person is found, and a direct room opens", async ({ cast }) => {
    const [ann, bob] = await three(cast, "lobby");
    await ann.page.keyboard.press("Control+k");
    const find = ann.page.getByRole("combobox", { name: "Find rooms, people and messages" });
    await find.fill("bob");
    await ann.page.getByRole("option", { name: /^bob/ }).first().click();
    await ann.page.getByRole("textbox", { name: "Message bob" }).waitFor();
    await ann.post("between us");
    await bob.link("ann").click();
    await bob.sees("between us");
    await bob.post("nobody else");
    await ann.sees("nobody else");
  });

  test("a room is created by its name", async ({ cast }) => {
    const ann = await cast.enter("ann");
    for (const name of ["P & L", "Garden plans"]) { // the id of the first is not p-l, which is a private room's
      await ann.nav.getByRole("button", { name: "Create a room" }).click();
      await ann.page.getByRole("textbox", { name: "Name of the room" }).fill(name);
      await ann.button("Create").click();
      await ann.page.getByRole("heading", { level: 1, name }).waitFor();
      await ann.post("first seed");
    }
  });
});

test.describe("details", () => {
  test("a new name shows at the person's own messages, and its notice ends with the sign-out", async ({ cast, server }) => {
    await server.room("rename", "nia");
    const nia = await cast.enter("nia", { room: "rename" });
    await nia.post("who am I");
    await nia.page.locator(".me").click();
    await nia.page.getByRole("textbox", { name: "Name that others see" }).fill("Nia Lind");
    await nia.button("Save").click();
    await nia.row("who am I").locator(".who b", { hasText: "Nia Lind" }).waitFor();
    const notice = nia.page.getByText("Your profile was saved.");
    await notice.waitFor();
    await nia.page.locator(".me").click();
    await nia.button("Sign out").click();
    await nia.page.getByRole("heading", { name: "Signed out" }).waitFor();
    const again = nia.button("Sign in again");
    await expect(again, "the way back has the focus").toBeFocused();
    await expect(notice, "the notice is gone").toHaveCount(0);
  });

  test("the list keeps its order under the pointer", async ({ cast, server }) => {
    for (const room of ["under", "above"]) await server.room(room, "ann", ["bob"]);
    const ann = await cast.enter("ann", { room: "above" });
    const rooms = () => ann.nav.getByRole("link").evaluateAll(links => links.map(link => link.hash).filter(hash => /under|above/.test(hash)));
    await server.post("bob", "above", "last of all");
    await ann.sees("last of all");
    await expect.poll(rooms, "the newest is first").toEqual(["#/above", "#/under"]);
    await ann.link("under").hover();
    await server.post("bob", "under", "now newer");
    await expect(ann.link("under")).toHaveAccessibleName(/, 1 unread/);
    expect(await rooms(), "the order is kept under the pointer").toEqual(["#/above", "#/under"]);
    await ann.composer.hover();
    await expect.poll(rooms, "the order is new again").toEqual(["#/under", "#/above"]);
  });

  test("a link leaves the address's query out, a text typed at its message goes to the composer, and a report begins at its reason", async ({ cast, server }) => {
    await server.room("links", "ann", ["bob"]);
    const { id } = await server.post("ann", "links", "look here");
    const bob = await cast.window("bob", { path: "/?dev#as=bob", permissions: ["clipboard-write"] });
    await bob.nav.waitFor();
    await bob.go("links", id);
    await bob.act("look here", "Copy link");
    await expect(async () => { // the page itself may not read what was copied
      await bob.composer.fill("");
      await bob.composer.press("ControlOrMeta+v");
      await expect(bob.composer).toHaveValue(`${server.url}/#/links/${encodeURIComponent(id)}`, { timeout: 1000 });
    }, "the link is copied").toPass();
    await bob.composer.fill("");
    await expect(async () => { // the keys of the log are loaded after the messages
      await bob.row("look here").press("Escape");
      await expect(bob.composer).toBeFocused({ timeout: 1000 });
    }, "Escape leads to the composer").toPass();
    await bob.row("look here").press("s");
    await expect(bob.composer, "the first letter goes to the composer").toHaveValue("s");
    await expect(bob.composer).toBeFocused();
    await bob.page.keyboard.type("o I do");
    await expect(bob.composer).toHaveValue("so I do");
    await bob.act("look here", "Report");
    await expect(bob.page.getByRole("textbox", { name: "Reason" }), "the reason has the focus").toBeFocused();
  });
});

test.describe("peace", () => {
  test("a blocked person's messages are hidden, and come back", async ({ cast, server }) => {
    const [ann, bob] = await three(cast, "blocking");
    await bob.post("buy my watches");
    await ann.sees("buy my watches");
    await ann.withPerson("bob", "Block");
    const question = ann.page.getByRole("alertdialog", { name: "Block bob?" });
    await question.getByRole("button", { name: "Cancel" }).click();
    await bob.post("and my clocks");
    await ann.sees("and my clocks");
    await ann.withPerson("bob", "Block");
    await question.getByRole("button", { name: "Block", exact: true }).click();
    await ann.page.getByText("bob is blocked. Unblock in Profile and preferences.").waitFor();
    await expect(ann.row("buy my watches"), "the message is hidden").toHaveCount(0);
    await bob.post("cheap watches");
    const cem = await cast.enter("cem", { room: "blocking" });
    await cem.sees("cheap watches");
    await expect(ann.log.getByRole("article", { name: /^Blocked message/ }), "the next message is hidden, too").toHaveCount(3);
    await expect(ann.row("cheap watches")).toHaveCount(0);
    await ann.page.locator(".me").click();
    const account = ann.page.getByRole("dialog", { name: "Profile and preferences" });
    await account.getByRole("button", { name: "Unblock bob" }).press("Enter");
    await expect.poll(() => account.evaluate(e => e.contains(document.activeElement)), "the focus stays in the dialog").toBe(true);
    await ann.sees("cheap watches");
    await account.getByRole("button", { name: "Cancel" }).click();
    await expect.poll(async () => (await server.api("ann", "GET", "/people/me/blocks")).items).toEqual([]);

    await ann.withPerson("cem", "Write to cem");
    await ann.page.getByRole("textbox", { name: "Message cem" }).waitFor();
    await ann.withPerson("cem", "Block");
    await ann.page.getByRole("alertdialog", { name: "Block cem?" }).getByRole("button", { name: "Block", exact: true }).click();
    await ann.page.getByText("cem is blocked. Unblock in Profile and preferences.").waitFor();
    await expect(ann.page.getByRole("textbox", { name: "Message cem" }), "the direct room is left").toHaveCount(0);
    await server.api("ann", "DELETE", "/people/me/blocks/cem");
  });

  test("a banned person loses the room immediately", async ({ cast, server }) => {
    const [ann, bob, cem] = await three(cast, "banning");
    bob.allow(REFUSED);
    await ann.withPerson("bob", "Ban");
    await ann.page.getByRole("dialog", { name: "Ban bob" }).getByRole("button", { name: "Ban", exact: true }).click();
    await bob.page.getByRole("status").filter({ hasText: "You are banned from this room." }).waitFor();
    await expect(bob.composer, "the composer is gone").toHaveCount(0);
    await expect(bob.link("banning"), "the room leaves the list").toHaveCount(0);
    await cem.post("only us now");
    await ann.sees("only us now");
    await expect(bob.page.getByText("only us now")).toHaveCount(0);
  });
});

test.describe("without a server", () => {
  test("a message waits, and is stored once with the same id after a kill and a restart", async ({ cast, server }) => {
    const [ann, bob, cem] = await three(cast, "offline");
    await ann.post("before");
    await ann.button("People").click();
    const there = ann.panel.getByRole("region", { name: "Online" }).getByRole("listitem");
    await expect(there, "all three are online").toHaveCount(3);
    for (const person of [ann, bob, cem]) person.allow(DOWN);
    await server.kill();
    await ann.say("written in the dark");
    const row = ann.row("written in the dark");
    await expect(row).toHaveAttribute("data-status", "pending");
    const id = await row.getAttribute("data-id");
    await row.getByText("Waiting for the connection").waitFor();
    await ann.page.getByRole("status").filter({ hasText: "Offline. Messages will be sent when you are back." }).waitFor();
    await expect(there, "nobody is shown as online").toHaveCount(0);
    await expect(ann.page.locator(".topic")).toHaveText("3 people");
    await server.launch();
    await ann.sent("written in the dark");
    await Promise.all([bob.sees("written in the dark"), cem.sees("written in the dark")]);
    for (const person of [ann, bob, cem]) await expect(person.row("written in the dark")).toHaveCount(1);
    await expect(row.getByText("Waiting")).toHaveCount(0);
    await expect(row).toHaveAttribute("data-id", id);
    const stored = async () => (await server.messages("ann", "offline")).filter(m => m.text === "written in the dark").map(m => m.id);
    await expect.poll(stored).toEqual([id]);
  });

  test("a message waits across a reload of the page", async ({ cast, server }) => {
    await server.room("reload", "ann");
    const ann = await cast.enter("ann", { room: "reload" });
    ann.allow(DOWN);
    await ann.complete();
    await server.kill();
    await ann.say("kept on disk");
    const id = await ann.row("kept on disk").getAttribute("data-id");
    await ann.kept("kept on disk");
    await ann.page.goto("about:blank");
    await server.launch();
    await ann.page.goto(`${server.url}/#/reload`);
    expect(await ann.sent("kept on disk")).toBe(id);
    await expect.poll(async () => (await server.messages("ann", "reload")).map(m => m.id)).toEqual([id]);
  });

  test("a message whose answer was lost is stored once", async ({ cast, server }) => {
    await server.room("doubt", "ann");
    const ann = await cast.enter("ann", { room: "doubt" });
    ann.allow(/ERR_FAILED/);
    let lost = 0;
    await ann.page.route("**/rooms/doubt/messages", async route => {
      if (route.request().method() !== "POST" || lost++) return route.continue();
      const stored = route.fetch();
      await route.abort(); // before the socket brings the message, which would end the tries
      await stored;
    });
    const id = await ann.post("said once");
    expect(lost, "no answer was lost").toBeGreaterThan(0);
    await expect.poll(async () => (await server.messages("ann", "doubt")).map(m => m.id)).toEqual([id]);
    await expect(ann.row("said once"), "said once is there twice").toHaveCount(1);
  });

  test("a window begins again when the server has lost changes, and keeps what is unsent", async ({ cast, server }) => {
    await server.room("reset", "ann", ["bob"]);
    await server.post("ann", "reset", "saved in the backup");
    await server.stop();
    const restore = await server.backup();
    await server.launch();
    const [ann, bob] = [await cast.enter("ann", { room: "reset" }), await cast.enter("bob", { room: "reset" })];
    for (const person of [ann, bob]) {
      person.allow(DOWN, REFUSED); // a marker at the message that is lost
    }
    // More changes than come after the restore: the windows' positions are then beyond the end.
    for (const text of ["one more", "another one", "and another", "lost with the disk"]) await ann.post(text);
    await bob.sees("lost with the disk");
    await server.kill();
    await bob.say("written meanwhile");
    await restore();
    await server.launch();
    await bob.sent("written meanwhile");
    for (const person of [ann, bob]) {
      await expect(person.row("lost with the disk"), `${person.name} forgets what is lost`).toHaveCount(0);
      await person.sees("saved in the backup");
      await person.sees("written meanwhile");
    }
    await bob.post("and on we go");
    await ann.sees("and on we go");
  });
});

test.describe("addresses", () => {
  test("links lead to a room and to a message, which is in sight", async ({ cast, server }) => {
    await server.room("long", "ann", ["bob", "eve"]);
    const posted = [];
    for (let n = 0; n < 120; n++) posted.push(await server.post(n % 2 ? "ann" : "eve", "long", `line ${n} of a long talk`));
    // Far from what is unread, which bob sees first, and older than the newest page, which cem would see.
    const target = posted[45];
    const inSight = person => expect(person.row("line 45 of"), "the message is in sight").toBeInViewport({ ratio: 1 });
    const bob = await cast.enter("bob");
    await bob.go("long", target.id);
    await inSight(bob);
    await bob.button("Jump to newest").click();
    await bob.sees("line 119 of");
    await expect(bob.composer).toBeFocused();
    await bob.page.keyboard.type("a text of its own");
    await expect(bob.composer, "what was typed is lost").toHaveValue("a text of its own");
    await bob.hashIs(/^#\/long/);

    const fresh = await cast.window("cem", { path: `/#/long/${target.id}` });
    await fresh.signIn();
    await inSight(fresh);
  });

  test("a link that is followed before the rooms are known leads to its room", async ({ cast, server }) => {
    for (const room of ["former", "latter"]) await server.room(room, "kit");
    const rooms = gate();
    const kit = await cast.window("kit", { path: "/#as=kit", prepare: async page => {
      await page.route("**/people/me/rooms**", async route => { await rooms.opened; return route.continue(); });
      // The address changes before the page hears of it, here long before.
      await page.addInitScript(() => addEventListener("hashchange", e => e.stopImmediatePropagation()));
    } });
    await kit.hashIs("#/");
    await kit.page.evaluate(() => { location.hash = "#/former"; });
    rooms.open();
    await kit.link("latter").waitFor();
    await kit.still();
    await kit.hashIs("#/former");
  });

  test("a room that nobody may see says so", async ({ cast }) => {
    const ann = await cast.enter("ann");
    ann.allow(REFUSED);
    await ann.page.evaluate(() => { location.hash = "#/no-such-room"; });
    await ann.page.getByRole("status").filter({ hasText: "This room does not exist, or you may not see it." }).waitFor();
    await ann.button("Find a room").click();
    await ann.page.getByRole("dialog", { name: "Find rooms, people and messages" }).waitFor();
  });

  test("on a phone a room fills the screen, and back leads to the list", async ({ cast, server }) => {
    for (const room of ["pocket", "purse"]) await server.room(room, "pia"); // an only room would open by itself
    await server.room("yard", "ann", ["pia"]);
    const pia = await cast.enter("pia", { viewport: PHONE, hasTouch: true, isMobile: true });
    await pia.page.goto(`${server.url}/#/`);
    await pia.link("pocket").tap();
    await pia.composer.waitFor();
    await expect(pia.nav, "the list is on the screen, too").toBeHidden();
    await pia.page.keyboard.press("Control+k"); // dialogs open over a room, too
    await pia.page.getByRole("combobox", { name: "Find rooms, people and messages" }).press("Escape");
    await expect(pia.page.getByRole("dialog")).toHaveCount(0);
    const back = pia.page.getByRole("button", { name: /^Back to rooms/ });
    await server.post("ann", "yard", "elsewhere");
    await expect(back, "the way back counts what is unread elsewhere").toHaveAccessibleName(/, 1 unread$/);
    await back.tap();
    await pia.nav.waitFor();
    await expect(pia.composer).toBeHidden();
    await pia.link("pocket").tap();
    await pia.composer.waitFor();
    await pia.page.goBack();
    await pia.link("pocket").waitFor();
  });

  test("Back on a phone closes a panel or a dialog, and leaves the room beneath as it is", async ({ cast, server }) => {
    await server.room("hatch", "cem", ["bob"]);
    await server.room("shed", "cem");
    const cem = await cast.enter("cem", { viewport: PHONE });
    await cem.page.goto(`${server.url}/#/`);
    await cem.link("hatch").click();
    await cem.ready();
    const dialog = cem.page.locator("dialog");
    const closed = (part, name) => expect(part, `${name} is closed`).toHaveCount(0);

    await cem.withPerson("bob", "Remove");
    await dialog.waitFor();
    await cem.page.goBack();
    await closed(dialog, "the dialog");
    await expect(cem.panel, "the panel is still open").toHaveCount(1);
    await cem.page.goBack();
    await closed(cem.panel, "the panel");
    await cem.hashIs("#/hatch");

    await cem.page.keyboard.press("Control+k"); // what is closed in another way leaves nothing behind
    await dialog.getByRole("combobox").press("Escape");
    await closed(dialog, "the finder");
    await expect.poll(() => cem.page.evaluate(() => history.state), "the history is as it was").toBe(null);
    await cem.page.goBack();
    await cem.hashIs("#/");

    await cem.nav.getByRole("button", { name: "Search", exact: true }).click();
    await cem.page.getByRole("option", { name: "shed" }).click();
    await cem.hashIs("#/shed");
    await cem.page.goBack();
    await cem.hashIs("#/");
  });
});
