// People who talk to each other in windows of their own, beside a third on a phone.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { Cast, DOWN, PATIENCE_MS, PHONE, REFUSED, launch, until } from "./harness.mjs";
import { Server } from "./server.mjs";

let browser, server, cast;
before(async () => { [browser, server] = await Promise.all([launch(), Server.start()]); });
after(async () => { await browser?.close(); await server?.close(); });
beforeEach(() => { cast = new Cast(browser, server); });
afterEach(context => cast.close(context));

/** Later than the page is there, and before the client gives up waiting. */
const LATE_MS = 3000;
/** Longer than somebody is shown as typing after the last report. */
const TYPING_MS = 12_000;

/** Two people in windows beside each other, and a third on a phone, all in one new room. */
async function three(room) {
  await server.room(room, "ann", ["bob", "cem"]);
  return [await cast.enter("ann", { room }), await cast.enter("bob", { room }), await cast.enter("cem", { room, viewport: PHONE })];
}

/** Types until others are shown it at once. A frame of typing is sent once, so a busy machine may show it too late. */
async function typesFor(person, others) {
  const shown = other => other.page.locator(".typing", { hasText: `${person.name} is typing` }).waitFor({ timeout: TYPING_MS });
  for (let tries = 5; ; tries--) {
    try {
      return await Promise.all([person.composer.pressSequentially("hey"), ...others.map(shown)]);
    } catch (error) {
      if (tries === 1) throw error;
    }
  }
}

describe("first sight", () => {
  test("a new server has one room, a focused composer and an offer of a second person", async () => {
    const ann = await cast.window(" Ann Lee ");
    await ann.signIn();
    await ann.page.getByRole("button", { name: /^Ann Lee/ }).waitFor();
    assert.equal(await ann.nav.getByRole("link", { name: /^general\b/i }).count(), 1);
    assert.equal((await server.api("ann-lee", "GET", "/people/me/rooms")).rooms.length, 1);
    assert.equal(await ann.composer.getAttribute("aria-label"), "Message #General");
    await until(() => ann.composer.evaluate(box => box === document.activeElement), "the composer has the focus");

    const offer = ann.page.locator("a[href$='#as=bob']");
    const opened = ann.page.context().waitForEvent("page");
    await offer.click();
    const second = await opened;
    await until(() => ann.composer.evaluate(box => box === document.activeElement), "the focus is back in the composer");
    await second.getByRole("textbox", { name: /^Message / }).fill("hello from a second window");
    await second.keyboard.press("Enter");
    await ann.sees("hello from a second window");
    await second.close();
  });
});

describe("talk", () => {
  test("a message, typing, an edit and a deletion show in the others' windows", async () => {
    const [ann, bob, cem] = await three("talk");
    await cem.page.clock.install(); // his time is moved on below
    await ann.post("hello bob and cem");
    await Promise.all([bob.sees("hello bob and cem"), cem.sees("hello bob and cem")]);

    await typesFor(bob, [ann, cem]);
    assert.equal(await bob.page.locator(".typing", { hasText: "bob" }).count(), 0, "bob is told that he types");
    await cem.page.clock.fastForward(TYPING_MS);
    await until(async () => !await cem.page.locator(".typing").textContent(), "the typing line is empty after a while");
    const said = await bob.composer.inputValue();
    await bob.composer.press("Enter");
    await ann.sees(said);
    assert.equal(await ann.page.locator(".typing").textContent(), "", "bob types a message that is sent");

    await ann.act("hello bob and cem", "Edit");
    const box = ann.page.getByRole("textbox", { name: "Edit message" });
    assert.equal(await box.inputValue(), "hello bob and cem");
    await box.fill("hello everybody");
    await ann.button("Save").click();
    await Promise.all([ann, bob, cem].map(person => person.sees("hello everybody")));
    assert.equal(await bob.row("hello bob and cem").count(), 0);

    await ann.act("hello everybody", "Delete");
    const question = ann.page.getByRole("alertdialog", { name: "Delete this message?" });
    await question.getByRole("button", { name: "Delete" }).click();
    for (const person of [ann, bob, cem]) await until(async () => await person.row("hello everybody").count() === 0, `${person.name} sees the deletion`);
  });

  test("unread messages are counted, marked by a line, and cleared in all windows", async () => {
    const [ann, bob] = await three("unread");
    await server.room("elsewhere", "bob");
    await bob.go("elsewhere");
    await ann.post("first unread");
    await ann.post("second unread");
    await bob.nav.getByRole("link", { name: /^unread ?, 2 unread/ }).waitFor();
    await until(async () => /2/.test(await bob.page.title()), "the title counts");

    const again = await cast.enter("bob", { room: "elsewhere" });
    await again.nav.getByRole("link", { name: /^unread ?, 2 unread/ }).waitFor();
    await bob.link("unread").click();
    await bob.sees("second unread");
    await bob.page.getByRole("separator", { name: "New messages" }).waitFor();
    for (const window of [bob, again]) {
      await until(async () => !/unread ?, \d/.test(await window.link("unread").ariaSnapshot()), "the count is cleared");
      await until(async () => !/\d/.test(await window.page.title()), "the title is cleared");
    }
  });

  test("a person is found, and a direct room opens", async () => {
    const [ann, bob] = await three("lobby");
    await ann.page.keyboard.press("Control+k");
    const find = ann.page.getByRole("combobox", { name: "Find a room or person" });
    await find.fill("bob");
    await ann.page.getByRole("option", { name: /^bob/ }).first().click();
    await ann.page.getByRole("textbox", { name: "Message bob" }).waitFor();
    await ann.post("between us");
    await bob.link("ann").click();
    await bob.sees("between us");
    await bob.post("nobody else");
    await ann.sees("nobody else");
  });

  test("a room is created by its name", async () => {
    const ann = await cast.enter("ann");
    await ann.nav.getByRole("button", { name: "Create a room" }).click();
    await ann.page.getByRole("textbox", { name: "Name of the room" }).fill("Garden plans");
    await ann.button("Create").click();
    await ann.page.getByRole("heading", { level: 1, name: "Garden plans" }).waitFor();
    await ann.post("first seed");
  });
});

describe("details", () => {
  test("a new name shows at the person's own messages, and its notice ends with the sign-out", async () => {
    await server.room("rename", "nia");
    const nia = await cast.enter("nia", { room: "rename" });
    await nia.post("who am I");
    await nia.page.locator(".me").click();
    await nia.page.getByRole("textbox", { name: "Name that others see" }).fill("Nia Lind");
    await nia.button("Save").click();
    await nia.row("who am I").locator(".who b", { hasText: "Nia Lind" }).waitFor();
    const notice = nia.page.getByText("Your name was saved.");
    await notice.waitFor();
    await nia.page.locator(".me").click();
    await nia.button("Sign out").click();
    await nia.page.getByRole("heading", { name: "Signed out" }).waitFor();
    const again = nia.button("Sign in again");
    await until(() => again.evaluate(e => e === document.activeElement), "the way back has the focus");
    assert.equal(await notice.count(), 0, "the notice is gone");
  });

  test("the list keeps its order under the pointer", async () => {
    for (const room of ["under", "above"]) await server.room(room, "ann", ["bob"]);
    const ann = await cast.enter("ann", { room: "above" });
    const rooms = () => ann.nav.getByRole("link").evaluateAll(links => links.map(link => link.hash).filter(hash => /under|above/.test(hash)));
    await server.post("bob", "above", "last of all");
    await ann.sees("last of all");
    await until(async () => (await rooms())[0] === "#/above", "the newest is first");
    await ann.link("under").hover();
    await server.post("bob", "under", "now newer");
    await ann.nav.getByText("bob: now newer").waitFor();
    assert.deepEqual(await rooms(), ["#/above", "#/under"]);
    await ann.composer.hover();
    await until(async () => (await rooms())[0] === "#/under", "the order is new again");
  });

  test("a link leaves the address's query out, a text typed at its message goes to the composer, and a report begins at its reason", async () => {
    await server.room("links", "ann", ["bob"]);
    const { id } = await server.post("ann", "links", "look here");
    const bob = await cast.window("bob", { path: "/?dev#as=bob", permissions: ["clipboard-read", "clipboard-write"] });
    await bob.nav.waitFor();
    await bob.go("links", id);
    await bob.act("look here", "Copy link");
    await until(async () => await bob.page.evaluate(() => navigator.clipboard.readText()) === `${server.url}/#/links/${encodeURIComponent(id)}`, "the link is copied");
    await until(async () => {
      await bob.row("look here").press("s"); // the keys of the log are loaded after the messages
      return await bob.composer.inputValue() === "s";
    }, "the first letter goes to the composer");
    await bob.page.keyboard.type("o I do");
    assert.equal(await bob.composer.inputValue(), "so I do");
    await bob.act("look here", "Report");
    await until(() => bob.page.getByRole("textbox", { name: "Reason" }).evaluate(box => box === document.activeElement), "the reason has the focus");
  });
});

describe("peace", () => {
  test("a blocked person's messages are hidden, and come back", async () => {
    const [ann, bob] = await three("blocking");
    await bob.post("buy my watches");
    await ann.sees("buy my watches");
    await ann.withPerson("bob", "Block");
    const question = ann.page.getByRole("alertdialog", { name: "Block bob?" });
    await question.getByRole("button", { name: "Cancel" }).click();
    await bob.post("and my clocks");
    await ann.sees("and my clocks");
    await ann.withPerson("bob", "Block");
    await question.getByRole("button", { name: "Block", exact: true }).click();
    await ann.page.getByText("bob is blocked. Unblock in Your account.").waitFor();
    await until(async () => await ann.row("buy my watches").count() === 0, "the message is hidden");
    await bob.post("cheap watches");
    const cem = await cast.enter("cem", { room: "blocking" });
    await cem.sees("cheap watches");
    await until(async () => await ann.log.getByRole("article", { name: /^Blocked message/ }).count() === 3, "the next message is hidden, too");
    assert.equal(await ann.row("cheap watches").count(), 0);
    await ann.page.getByRole("button", { name: /^ann/ }).click();
    const account = ann.page.getByRole("dialog", { name: "Your account" });
    await account.getByRole("button", { name: "Unblock bob" }).press("Enter");
    await until(() => account.evaluate(e => e.contains(document.activeElement)), "the focus stays in the dialog");
    await ann.sees("cheap watches");
    await account.getByRole("button", { name: "Cancel" }).click();
    assert.deepEqual((await server.api("ann", "GET", "/people/me/blocks")).blocks, []);

    await ann.withPerson("cem", "Write to cem");
    await ann.page.getByRole("textbox", { name: "Message cem" }).waitFor();
    await ann.withPerson("cem", "Block");
    await ann.page.getByRole("alertdialog", { name: "Block cem?" }).getByRole("button", { name: "Block", exact: true }).click();
    await ann.page.getByText("cem is blocked. Unblock in Your account.").waitFor();
    await until(async () => await ann.page.getByRole("textbox", { name: "Message cem" }).count() === 0, "the direct room is left");
    await server.api("ann", "DELETE", "/people/me/blocks/cem");
  });

  test("a banned person loses the room at once", async () => {
    const [ann, bob, cem] = await three("banning");
    bob.expect(REFUSED);
    await ann.withPerson("bob", "Ban");
    await ann.page.getByRole("dialog", { name: "Ban bob" }).getByRole("button", { name: "Ban", exact: true }).click();
    await bob.page.getByRole("status").filter({ hasText: "This room does not exist, or you may not see it." }).waitFor();
    await until(async () => await bob.composer.count() === 0, "the composer is gone");
    await until(async () => await bob.link("banning").count() === 0, "the room leaves the list");
    await cem.post("only us now");
    await ann.sees("only us now");
    assert.equal(await bob.page.getByText("only us now").count(), 0);
  });
});

describe("without a server", () => {
  test("a message waits, and is stored once with the same id after a kill and a restart", async () => {
    const [ann, bob, cem] = await three("offline");
    await ann.post("before");
    await ann.button("People").click();
    const there = ann.panel.getByRole("region", { name: "Online" }).getByRole("listitem");
    await until(async () => await there.count() === 3, "all three are online");
    for (const person of [ann, bob, cem]) person.expect(DOWN);
    await server.kill();
    await ann.say("written in the dark");
    const row = ann.row("written in the dark");
    assert.equal(await row.getAttribute("data-status"), "pending");
    const id = await row.getAttribute("data-id");
    await row.getByText("Waiting for the connection").waitFor();
    await ann.page.getByRole("status").filter({ hasText: "Offline. Messages will be sent when you are back." }).waitFor();
    await until(async () => await there.count() === 0, "nobody is shown as online");
    assert.equal(await ann.page.locator(".topic").textContent(), "3 people");
    await server.launch();
    await ann.sent("written in the dark");
    await Promise.all([bob.sees("written in the dark"), cem.sees("written in the dark")]);
    for (const person of [ann, bob, cem]) assert.equal(await person.row("written in the dark").count(), 1);
    assert.equal(await row.getByText("Waiting").count(), 0);
    assert.equal(await row.getAttribute("data-id"), id);
    const stored = (await server.messages("ann", "offline")).filter(m => m.text === "written in the dark");
    assert.deepEqual(stored.map(m => m.id), [id]);
  });

  test("a message waits across a reload of the page", async () => {
    await server.room("reload", "ann");
    const ann = await cast.enter("ann", { room: "reload" });
    ann.expect(DOWN);
    await server.kill();
    await ann.say("kept on disk");
    const id = await ann.row("kept on disk").getAttribute("data-id");
    await ann.kept("kept on disk");
    await ann.page.goto("about:blank");
    await server.launch();
    await ann.page.goto(`${server.url}/#/reload`);
    assert.equal(await ann.sent("kept on disk"), id);
    assert.deepEqual((await server.messages("ann", "reload")).map(m => m.id), [id]);
  });

  test("a message whose answer was lost is stored once", async () => {
    await server.room("doubt", "ann");
    const ann = await cast.enter("ann", { room: "doubt" });
    ann.expect(/ERR_FAILED/);
    let lost = 0;
    await ann.page.route("**/rooms/doubt/messages", async route => {
      if (route.request().method() !== "POST" || lost++) return route.continue();
      const stored = route.fetch();
      await route.abort(); // before the socket brings the message, which would end the tries
      await stored;
    });
    const id = await ann.post("said once");
    assert.ok(lost, "no answer was lost");
    assert.deepEqual((await server.messages("ann", "doubt")).map(m => m.id), [id]);
    assert.equal(await ann.row("said once").count(), 1, "said once is there twice");
  });

  test("a window begins again when the server has lost changes, and keeps what is unsent", async () => {
    await server.room("reset", "ann", ["bob"]);
    await server.post("ann", "reset", "saved in the backup");
    await server.stop();
    const restore = await server.backup();
    await server.launch();
    const [ann, bob] = [await cast.enter("ann", { room: "reset" }), await cast.enter("bob", { room: "reset" })];
    for (const person of [ann, bob]) {
      person.expect(DOWN);
      person.expect(REFUSED); // a marker at the message that is lost
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
      await until(async () => await person.row("lost with the disk").count() === 0, `${person.name} forgets what is lost`);
      await person.sees("saved in the backup");
      await person.sees("written meanwhile");
    }
    await bob.post("and on we go");
    await ann.sees("and on we go");
  });
});

describe("a network that dies early", () => {
  test("what can be typed is on disk, however late the code that sends it comes", async () => {
    await server.room("early", "ann");
    const ann = await cast.window("ann", { path: "/favicon.svg" });
    for (const shown of [DOWN, REFUSED]) ann.expect(shown); // a picture alone has no icon
    await ann.page.route("**/more.js", async route => {
      await new Promise(resolve => { setTimeout(resolve, LATE_MS); });
      await route.continue().catch(() => undefined);
    });
    await ann.page.goto(`${server.url}/#as=ann`);
    await ann.nav.waitFor();
    await ann.go("early");
    await ann.page.context().setOffline(true);
    await ann.say("just in time");
    await ann.kept("just in time");
    await ann.page.context().setOffline(false);
    await ann.sent("just in time");
  });

  /** Opens a room whose composer comes only when release is called. */
  async function withoutComposer(room) {
    const ann = await cast.enter("ann", { room });
    let release;
    const held = new Promise(done => { release = done; });
    await ann.page.route("**/chunks/composer-*.js", async route => { await held; return route.continue(); });
    await ann.page.reload();
    return { ann, release };
  }

  test("what has the focus among the messages keeps it when the code of the composer comes", async () => {
    await server.room("calm", "ann");
    await server.post("ann", "calm", "a line to read");
    const { ann, release } = await withoutComposer("calm");
    await ann.row("a line to read").focus();
    release();
    await ann.composer.waitFor();
    assert.ok(await ann.row("a line to read").evaluate(e => e === document.activeElement), "the composer has taken the focus");
  });

  test("an open menu stays when the code of the composer comes", async () => {
    await server.room("menus", "ann", ["bob"]);
    const { ann, release } = await withoutComposer("menus");
    await ann.button("People").click();
    await ann.panel.getByRole("button", { name: "Actions for bob" }).click();
    await ann.page.getByRole("menu").waitFor();
    release();
    await ann.composer.waitFor();
    assert.equal(await ann.page.getByRole("menu").count(), 1, "the composer has closed the menu");
  });
});

describe("addresses", () => {
  test("links lead to a room and to a message, which is in sight", async () => {
    await server.room("long", "ann", ["bob", "eve"]);
    const posted = [];
    for (let n = 0; n < 120; n++) posted.push(await server.post(n % 2 ? "ann" : "eve", "long", `line ${n} of a long talk`));
    // Far from what is unread, which bob sees first, and older than the newest page, which cem would see.
    const target = posted[45];
    const inSight = person => until(() => person.row("line 45 of").evaluate(e => {
      const r = e.getBoundingClientRect();
      return r.top >= 0 && r.bottom <= innerHeight;
    }), "the message is in sight");
    const bob = await cast.enter("bob");
    await bob.go("long", target.id);
    await inSight(bob);
    await bob.button("Jump to newest").click();
    await bob.sees("line 119 of");
    await bob.page.keyboard.type("a text of its own");
    assert.equal(await bob.composer.inputValue(), "a text of its own", "what was typed is lost");
    assert.match(await bob.page.evaluate(() => location.hash), /^#\/long/);

    const fresh = await cast.window("cem", { path: `/#/long/${target.id}` });
    await fresh.signIn();
    await inSight(fresh);
  });

  test("a room that nobody may see says so", async () => {
    const ann = await cast.enter("ann");
    ann.expect(REFUSED);
    await ann.page.evaluate(() => { location.hash = "#/no-such-room"; });
    await ann.page.getByRole("status").filter({ hasText: "This room does not exist, or you may not see it." }).waitFor();
    await ann.button("Find a room").click();
    await ann.page.getByRole("dialog", { name: "Find a room or person" }).waitFor();
  });

  test("on a phone a room fills the screen, and back leads to the list", async () => {
    for (const room of ["pocket", "purse"]) await server.room(room, "cem"); // an only room would open by itself
    await server.room("yard", "ann", ["cem"]);
    const cem = await cast.enter("cem", { viewport: PHONE, hasTouch: true, isMobile: true });
    await cem.page.goto(`${server.url}/#/`);
    await cem.link("pocket").tap();
    await cem.composer.waitFor();
    assert.equal(await cem.nav.isVisible(), false, "the list is on the screen, too");
    await cem.page.keyboard.press("Control+k"); // dialogs open over a room, too
    await cem.page.getByRole("combobox", { name: "Find a room or person" }).waitFor();
    await cem.page.keyboard.press("Escape");
    const back = cem.page.getByRole("button", { name: /^Back to rooms/ });
    const count = async () => Number(/, (\d+) unread$/.exec(await back.getAttribute("aria-label"))?.[1] ?? 0);
    const before = await count();
    await server.post("ann", "yard", "elsewhere");
    await until(async () => await count() === before + 1, "the way back counts what is unread elsewhere");
    await back.tap();
    await cem.nav.waitFor({ state: "visible", timeout: PATIENCE_MS });
    assert.equal(await cem.composer.isVisible(), false);
    await cem.link("pocket").tap();
    await cem.composer.waitFor();
    await cem.page.goBack();
    await cem.link("pocket").waitFor();
  });

  test("Back on a phone closes a panel or a dialog, and leaves the room beneath as it is", async () => {
    await server.room("hatch", "cem", ["bob"]);
    await server.room("shed", "cem");
    const cem = await cast.enter("cem", { viewport: PHONE });
    await cem.page.goto(`${server.url}/#/`);
    await cem.link("hatch").click();
    await cem.ready();
    const hash = () => cem.page.evaluate(() => location.hash);
    const dialog = cem.page.locator("dialog");
    const closed = (part, name) => until(async () => await part.count() === 0, `${name} is closed`);

    await cem.withPerson("bob", "Remove");
    await dialog.waitFor();
    await cem.page.goBack();
    await closed(dialog, "the dialog");
    assert.equal(await cem.panel.count(), 1, "the panel is still open");
    await cem.page.goBack();
    await closed(cem.panel, "the panel");
    assert.equal(await hash(), "#/hatch");

    await cem.page.keyboard.press("Control+k"); // what is closed in another way leaves nothing behind
    await dialog.waitFor();
    await cem.page.keyboard.press("Escape");
    await closed(dialog, "the finder");
    await until(() => cem.page.evaluate(() => history.state === null), "the history is as it was");
    await cem.page.goBack();
    await until(async () => await hash() === "#/", "Back leads to the list");

    await cem.nav.getByRole("button", { name: /^Find/ }).click();
    await cem.page.getByRole("option", { name: "shed" }).click();
    await until(async () => await hash() === "#/shed", "the finder leads to a room");
    await cem.page.goBack();
    await until(async () => await hash() === "#/", "Back leads from there to the list");
  });
});
