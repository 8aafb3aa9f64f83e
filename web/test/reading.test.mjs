// Reading: the display of a room's messages, the actions on them, and moving among them.
import { clean } from "./axe.mjs";
import { DOWN, PHONE, REFUSED, WIDE, calm, expect, gate, suite } from "./fixtures.mjs";
import { probe, record } from "./probe.mjs";

const test = suite({ fill: server => server.api("bob", "PUT", "/people/me", { name: "Bob Baker" }) });
test.use(calm);

const TABLET = { width: 900, height: 860 };
/** More than a window shows, so that it scrolls. */
const MANY = 40;
/** More than the app keeps in its window. */
const LONG = 600;
/** A page of messages, which is drawn in one go; make bench measures how long that takes. */
const PAGE = 50;
/** Only the messages have a scrollbar. */
const SCROLLBAR_PX = 16;

const edges = locator => locator.evaluate(e => { const r = e.getBoundingClientRect(); return { left: r.left, right: r.right, width: r.width, bottom: r.bottom }; });

test.describe("the look of a room", () => {
  test("the day covers no part of a text, wherever one scrolls", async ({ cast, server }) => {
    await server.room("days", "ann", ["bob"]);
    for (let n = 0; n < MANY; n++) await server.post("bob", "days", `line ${n} ${"of many words ".repeat(30)}`);
    await server.read("ann", "days");
    const ann = await cast.enter("ann", { room: "days" });
    await ann.settled();
    for (let step = 0; step < 8; step++) {
      await ann.log.evaluate(log => { log.scrollTop -= 90; });
      await ann.still();
      const covered = await ann.log.evaluate(log => {
        const label = [...log.querySelectorAll(".day")].map(d => d.getBoundingClientRect()).find(r => r.bottom > log.getBoundingClientRect().top);
        const points = [];
        // There must be no text next to the label: a label in a strip of its own covers whole lines.
        for (let x = label.left + 8; x < label.right - 8; x += 16) {
          const hit = document.elementsFromPoint(x, label.top + label.height / 2)[0];
          if (hit.closest("article")) points.push(x);
        }
        return points;
      });
      expect(covered, `text is around the day after ${step} steps`).toEqual([]);
    }
  });

  test("text and composer share one column, and the header's buttons are at the edge", async ({ cast, server }) => {
    await server.room("column", "ann");
    await server.post("ann", "column", "many words ".repeat(80));
    const ann = await cast.enter("ann", { room: "column", viewport: { width: 1600, height: 860 } });
    await ann.settled();
    const text = await edges(ann.row("many words").locator(".main"));
    const form = await edges(ann.page.locator("form.composer"));
    const icons = await edges(ann.page.locator(".head .icons"));
    expect(Math.abs(text.right - form.right), `the text ends at ${text.right}, the composer at ${form.right}`).toBeLessThanOrEqual(SCROLLBAR_PX);
    expect(icons.right, "there the same click closes a panel that it opened").toBe(1600 - 16);
    expect(form.width).toBeLessThanOrEqual(760);
  });

  test("a reply shown in the room says so with an icon, and a thread shows who replied", async ({ cast, server }) => {
    await server.room("threads", "ann", ["bob"]);
    const { id } = await server.post("ann", "threads", "a question");
    await server.post("bob", "threads", "an answer", { thread: id, showInRoom: true });
    const ann = await cast.enter("ann", { room: "threads" });
    const shown = ann.row("an answer").getByRole("button", { name: "In a thread" });
    await shown.waitFor();
    await expect(shown.locator("svg")).toHaveCount(1);
    const replies = ann.row("a question").getByRole("button", { name: /^1 reply, last / });
    await expect(replies.locator(".face")).toHaveText("BB");
    await expect(replies, "it is no part of the text").toHaveCSS("border-top-style", "solid");
    await clean(ann, "thread links");
    await shown.click();
    await expect(ann.panel.getByRole("article")).toHaveCount(2);
  });

  test("on a tablet a panel has a scrim, which closes it", async ({ cast, server }) => {
    await server.room("tablet", "ann", ["bob"]);
    const ann = await cast.enter("ann", { room: "tablet", viewport: TABLET });
    await ann.button("People").click();
    await ann.panel.getByRole("heading", { name: "People" }).waitFor();
    await clean(ann, "a panel on a tablet");
    await ann.page.mouse.click(TABLET.width / 2 - 100, TABLET.height / 2);
    await expect(ann.panel).toHaveCount(0);
    await ann.focusIs("People");
  });

  test("on a phone the actions are a sheet with emoji in its first row, and Back closes it", async ({ cast, server }) => {
    await server.room("sheet", "ann", ["bob"]);
    await server.post("bob", "sheet", "who comes?");
    const ann = await cast.enter("ann", { room: "sheet", viewport: PHONE, hasTouch: true });
    await ann.menu(ann.row("who comes?"));
    const menu = ann.page.getByRole("menu");
    await menu.waitFor();
    const at = await edges(menu);
    expect([at.left, at.width, at.bottom], "the sheet is at the lower edge").toEqual([0, PHONE.width, PHONE.height]);
    await clean(ann, "a sheet");
    await ann.page.goBack();
    await expect(menu).toHaveCount(0);
    await ann.menu(ann.row("who comes?"));
    await ann.page.touchscreen.tap(PHONE.width / 2, 20);
    await expect(menu, "a tap outside closes it").toHaveCount(0);
    await ann.menu(ann.row("who comes?"), "React with 👍");
    await ann.row("who comes?").getByRole("button", { name: "👍 1" }).waitFor();
  });

  test("the emoji that were chosen last are one click away", async ({ cast, server }) => {
    await server.room("quick", "ann", ["bob"]);
    await server.post("bob", "quick", "shipped");
    const ann = await cast.enter("ann", { room: "quick", viewport: WIDE });
    await ann.act("shipped", "React");
    await ann.page.getByRole("combobox", { name: "Find an emoji" }).pressSequentially("party");
    await ann.page.keyboard.press("Enter");
    await ann.row("shipped").getByRole("button", { name: "🎉 1" }).click();
    await expect(ann.row("shipped").getByRole("button", { name: "🎉 1" })).toHaveCount(0);
    await ann.row("shipped").hover();
    await ann.row("shipped").getByRole("button", { name: "React with 🎉" }).click();
    await ann.row("shipped").getByRole("button", { name: "🎉 1" }).waitFor();
  });
});

test("a message that is shown before it is counted is read, too", async ({ cast, server }) => {
  await server.room("early", "ann", ["bob"]);
  await server.post("bob", "early", "quick");
  const uncounted = async route => {
    const answer = await route.fetch();
    const body = await answer.json();
    for (const r of body.items ?? [body.me]) r.unread = 0;
    await route.fulfill({ response: answer, json: body });
  };
  const patterns = [/\/people\/me\/rooms\?/, /\/rooms\/early(\?|$)/];
  const ann = await cast.enter("ann", { room: "early", prepare: async page => { for (const p of patterns) await page.route(p, uncounted); } });
  await ann.sees("quick");
  await ann.settled();
  await expect(ann.link("early"), "it is not counted yet").toHaveAccessibleName("early");
  for (const p of patterns) await ann.page.unroute(p);
  await server.api("ann", "PUT", "/people/me/blocks/dora"); // the list is loaded again
  const unread = async () => (await server.api("ann", "GET", "/people/me/rooms")).items.find(r => r.id === "early").unread;
  await expect.poll(unread, "the message is read").toBe(0);
});

test.describe("a deletion", () => {
  const storedText = (server, user, room, id) => server.api(user, "GET", `/rooms/${room}/messages/${encodeURIComponent(id)}`).then(m => m.text ?? "");
  const undone = person => person.page.locator(".toast").getByRole("button", { name: "Undo" });

  test("shows immediately and can be undone; only then nothing is sent", async ({ cast, server }) => {
    const [ann, bob] = await cast.pair("undo");
    const id = await ann.post("a hasty word");
    await bob.sees("a hasty word");
    const sent = [];
    ann.page.on("request", r => { if (r.method() === "DELETE") sent.push(r.url()); });
    await ann.page.clock.install();
    await ann.act("a hasty word", "Delete");
    await expect(ann.row("a hasty word"), "it shows as deleted before it is").toHaveCount(0);
    await ann.row("Message deleted").waitFor();
    await clean(ann, "a deletion with undo");
    await undone(ann).click();
    await ann.sees("a hasty word");
    await ann.page.clock.runFor(20_000);
    await ann.settled();
    expect(sent, "a deletion that was undone is sent").toEqual([]);
    await ann.page.reload();
    await ann.sees("a hasty word");
    expect(await storedText(server, "ann", "undo", id)).toBe("a hasty word");
    await expect(bob.row("a hasty word")).toHaveCount(1);
  });

  test("is sent when its time ends, or as the page is left", async ({ cast }) => {
    const [ann, bob] = await cast.pair("sent");
    await ann.post("the first word");
    await ann.post("the last word");
    await bob.sees("the last word");
    await ann.act("the first word", "Delete");
    await ann.row("Message deleted").getByRole("button", { name: "Undo" }).waitFor();
    await expect(bob.row("the first word"), "the first deletion is sent").toHaveCount(0);
    await expect(undone(ann), "it can be undone no more").toHaveCount(0);
    await ann.act("the last word", "Delete");
    await ann.page.goto("about:blank");
    await expect(bob.row("the last word"), "the second one is sent as the window leaves").toHaveCount(0);
  });

  test("is sent as its person signs out", async ({ cast }) => {
    const [ann, bob] = await cast.pair("leaves");
    await ann.post("a last word");
    await bob.sees("a last word");
    await ann.act("a last word", "Delete");
    await ann.row("Message deleted").waitFor();
    await ann.nav.getByRole("button", { name: /^ann/ }).click();
    await ann.button("Sign out").click();
    await expect(bob.row("a last word"), "it is deleted").toHaveCount(0);
  });

  test("that could not be sent is sent by the next window", async ({ cast }) => {
    const [ann, bob] = await cast.pair("later");
    ann.allow(DOWN);
    await ann.post("a word too many");
    await bob.sees("a word too many");
    await ann.complete();
    await ann.page.context().setOffline(true);
    await ann.act("a word too many", "Delete");
    await ann.row("Message deleted").waitFor();
    await expect(undone(ann), "its time ends").toHaveCount(0);
    await ann.page.goto("about:blank");
    await ann.page.context().setOffline(false);
    await ann.page.goto(`${ann.server.url}/#as=ann`);
    await ann.go("later");
    await expect(bob.row("a word too many"), "it is not lost").toHaveCount(0);
  });

  test("of another's message asks first, and a refusal is explained next to the message", async ({ cast, server }) => {
    await server.room("asked", "ann", ["bob"]);
    await server.post("bob", "asked", "spam");
    const ann = await cast.enter("ann", { room: "asked" });
    await ann.act("spam", "Delete");
    await ann.page.getByRole("alertdialog", { name: "Delete this message?" }).getByRole("button", { name: "Delete" }).click();
    await expect(ann.row("spam")).toHaveCount(0);
    await ann.post("mine");
    await ann.refuse("**/messages/*", 409, "The room is being archived.", "DELETE");
    await ann.act("mine", "Delete");
    await expect(ann.row("mine"), "it is deleted at first").toHaveCount(0);
    await ann.row("mine").getByText("Not deleted. The room is being archived.").waitFor();
  });
});

test.describe("an edit", () => {
  const change = async (person, text, next) => {
    await person.act(text, "Edit");
    const box = person.page.getByRole("textbox", { name: "Edit message" });
    await box.fill(next);
    await box.press("Enter");
  };

  test("shows immediately while it is saved, in a thread too", async ({ cast, server }) => {
    await server.room("edits", "ann");
    const { id } = await server.post("ann", "edits", "teh plan");
    await server.post("ann", "edits", "a reply in it", { thread: id });
    const ann = await cast.enter("ann", { room: "edits" });
    const { open, opened } = gate();
    await ann.page.route("**/messages/*", async route => {
      if (route.request().method() === "PATCH") await opened;
      return route.continue();
    });
    await change(ann, "teh plan", "the plan");
    await ann.row("the plan").getByText("saving…").waitFor();
    await ann.focusIs("Message #edits");
    await ann.row("the plan").getByRole("button", { name: /^1 reply/ }).click();
    await expect(ann.panel.getByRole("article").first()).toContainText("the plan");
    open();
    await expect(ann.row("the plan").getByRole("button", { name: "edited" }), "it is saved").toHaveCount(1);
    await ann.page.reload();
    await ann.sees("the plan");
  });

  test("that is refused gives the text back, says why next to it, and keeps what was written", async ({ cast, server }) => {
    await server.room("refused", "ann");
    await server.post("ann", "refused", "as it was");
    const ann = await cast.enter("ann", { room: "refused" });
    await ann.refuse("**/messages/*", 409, "Another edit was faster.", "PATCH");
    await change(ann, "as it was", "as it should be");
    const row = ann.row("as it was");
    await row.getByText("Not saved. Another edit was faster.").waitFor();
    await clean(ann, "a refused edit");
    await row.getByRole("button", { name: "Edit again" }).click();
    await expect(ann.page.getByRole("textbox", { name: "Edit message" })).toHaveValue("as it should be");
    await ann.page.unroute("**/messages/*");
    await ann.page.keyboard.press("Enter");
    await ann.row("as it should be").getByRole("button", { name: "edited" }).waitFor();
  });
});

test.describe("moving in a room", () => {
  const bar = person => person.page.getByRole("group", { name: "New messages" });
  const line = person => person.log.getByRole("separator", { name: "New messages" });
  const scroll = (person, by) => person.log.evaluate((log, px) => { log.scrollTop += px; }, by);

  const unreadOf = async (server, room) => (await server.api("ann", "GET", "/people/me/rooms")).items.find(r => r.id === room).unread;

  /** Fills a room of ann in which so many messages of bob are unread. */
  async function unread(server, room, count) {
    await server.room(room, "ann", ["bob"]);
    for (let n = 0; n < MANY + count; n++) await server.post("bob", room, `line ${n} ${"of some words ".repeat(12)}`);
    const first = (await server.messages("ann", room)).at(-count);
    await server.api("ann", "PUT", `/rooms/${room}/read`, { unreadFrom: first.id });
    await expect.poll(() => unreadOf(server, room), "the list counts them").toBe(count);
  }

  test("what is new is counted at the top while its line is out of sight, and is a click away", async ({ cast, server }) => {
    await unread(server, "news", 30);
    const ann = await cast.enter("ann", { room: "news" });
    await line(ann).waitFor();
    await expect(bar(ann), "the line is in sight").toHaveCount(0);
    await ann.settled();
    await scroll(ann, 500);
    await expect(bar(ann)).toHaveText(/^30 new messages since \d\d:\d\dJumpMark as read$/);
    await clean(ann, "the bar of what is new");
    await bar(ann).getByRole("button", { name: "Jump" }).click();
    await expect(line(ann), "the line is in sight again").toBeInViewport();
    await expect(bar(ann)).toHaveCount(0);
    await scroll(ann, -900);
    await bar(ann).getByRole("button", { name: "Mark as read" }).click();
    await expect(bar(ann)).toHaveCount(0);
    await expect.poll(() => unreadOf(server, "news"), "all is read").toBe(0);
  });

  test("the bar covers the day and nothing else, on a phone too", async ({ cast, server }) => {
    await unread(server, "covered", 20);
    const ann = await cast.enter("ann", { room: "covered", viewport: PHONE, hasTouch: true });
    await line(ann).waitFor();
    await ann.settled();
    await scroll(ann, 400);
    const { bottom } = await edges(bar(ann));
    const day = await edges(ann.log.locator(".day").last());
    expect(bottom, "the bar is higher than the day's strip").toBeLessThanOrEqual(day.bottom);
    await clean(ann, "the bar on a phone");
  });

  test("the day leads to a date, to yesterday and to the beginning, by keyboard too", async ({ cast, server }) => {
    await server.room("dates", "ann", ["bob"]);
    for (let n = 0; n < 3 * MANY; n++) await server.post("bob", "dates", `line ${n} ${"of some words ".repeat(12)}`);
    await server.read("ann", "dates");
    const ann = await cast.enter("ann", { room: "dates" });
    await ann.settled();
    await ann.composer.focus();
    await ann.page.keyboard.press("Shift+Tab");
    await expect(ann.log.getByRole("article").last()).toBeFocused();
    await ann.page.keyboard.press("Shift+Tab");
    await expect(ann.log.getByRole("button", { name: "Today" })).toBeFocused();
    await ann.page.keyboard.press("Enter");
    await clean(ann, "the menu of dates");
    await ann.pick("The beginning");
    await expect(ann.row("line 0 ")).toBeFocused();
    await expect(ann.row("line 0 ")).toBeInViewport();
    await ann.button("Jump to newest").click();
    await expect(ann.row(`line ${3 * MANY - 1} `)).toBeInViewport();
    await ann.log.getByRole("button", { name: "Today" }).click();
    await ann.item("Choose a date…").click();
    const dialog = ann.page.getByRole("dialog", { name: "Jump to a date" });
    await clean(ann, "the dialog of dates");
    await dialog.getByLabel("Day").fill("2020-02-29");
    await dialog.getByRole("button", { name: "Jump", exact: true }).click();
    await expect(ann.row("line 0 "), "the first message after that day").toBeInViewport();
    await expect(ann.row("line 0 ")).toBeFocused();
  });
});

test.describe("links to messages", () => {
  test("a permalink shows what it leads to, and nothing moves when that arrives", async ({ cast, server }) => {
    await server.room("source", "bob");
    const { id } = await server.post("bob", "source", "the **plan** is `here`");
    await server.room("target", "ann", ["bob"]);
    const link = `${server.url}/#/source/${encodeURIComponent(id)}`;
    await server.post("bob", "target", `see ${link}`);
    for (let n = 0; n < 5; n++) await server.post("bob", "target", `line ${n}`);
    const { open, opened } = gate();
    const asked = [];
    const ann = await cast.enter("ann", { room: "target", prepare: async page => {
      await page.addInitScript(record);
      await page.route("**/rooms/source/messages/*", async route => { asked.push(route.request().url()); await opened; return route.continue(); });
    } });
    const card = ann.row("see").locator("a.linked");
    await expect(card).toHaveAttribute("aria-busy", "true");
    await expect.poll(() => asked.length).toBe(1);
    const before = await edges(card);
    open();
    await expect(card).toHaveText(/^Bob Baker \d\d:\d\d in #source\s*the plan is here$/);
    expect(await edges(card)).toEqual(before);
    expect((await probe(ann.page)).shifts).toEqual([]);
    const [inside, outside] = [await edges(card.locator(".linked-text")), await edges(card)];
    expect([inside.left >= outside.left, inside.bottom <= outside.bottom], "the text is in the card").toEqual([true, true]);
    await clean(ann, "a preview");
    await card.click();
    await ann.hashIs(`#/source/${encodeURIComponent(id)}`);
    await ann.go("target");
    await expect(card).toContainText("the plan is here");
    expect(asked.length, "it is loaded once").toBe(1);
  });

  test("the server decides who sees a preview", async ({ cast, server }) => {
    const secret = await server.api("bob", "POST", "/rooms", { name: "secret", visibility: "private" });
    const { id } = await server.post("bob", secret.id, "nobody knows");
    await server.room("open", "ann", ["bob"]);
    await server.post("bob", "open", `look: ${server.url}/#/${secret.id}/${encodeURIComponent(id)}`);
    const ann = await cast.enter("ann", { room: "open", prepare: page => page.addInitScript(record) });
    ann.allow(REFUSED);
    await ann.row("look").getByText("This message does not exist, or you may not see it.").waitFor();
    await expect(ann.page.getByText("nobody knows")).toHaveCount(0);
    expect((await probe(ann.page)).shifts).toEqual([]);
  });

  test("a message is forwarded to another room with a comment and its link", async ({ cast, server }) => {
    await server.room("from", "ann", ["bob"]);
    await server.room("elsewhere", "ann", ["bob"]);
    const { id } = await server.post("bob", "from", "first line\nsecond line");
    const ann = await cast.enter("ann", { room: "from" });
    const bob = await cast.enter("bob", { room: "elsewhere" });
    await ann.act("first line", "Forward…");
    const dialog = ann.page.getByRole("dialog", { name: "Forward a message" });
    await ann.focusIs("Find a room or person");
    await clean(ann, "the dialog to forward");
    await ann.page.keyboard.type("else");
    await expect(dialog.getByRole("radio", { name: "#elsewhere" })).toBeChecked();
    await dialog.getByLabel("Comment").fill("please read");
    await dialog.getByRole("button", { name: "Forward", exact: true }).click();
    await ann.page.getByText("Forwarded to #elsewhere.").waitFor();
    await bob.sees("please read");
    await expect(bob.row("please read").locator("a.linked"), "one card has the text").toHaveText(/^Bob Baker \d\d:\d\d in #from\s*first line\s+second line$/);
    await expect(bob.row("please read")).not.toContainText("http");
    await expect(bob.row("please read").getByText("second line")).toHaveCount(1);
    expect((await server.messages("bob", "elsewhere")).at(-1).text).toBe(`please read\n\n> first line\n> second line\n${server.url}/#/from/${encodeURIComponent(id)}`);
  });
});

test("what cannot be forwarded is not offered, or says why", async ({ cast, server }) => {
  for (const room of ["source", "closed", "quieted", "strict"]) await server.room(room, "bob", ["ann"]);
  await server.post("bob", "source", "worth reading");
  await server.api("bob", "PATCH", "/rooms/closed", { archived: true });
  await server.api("bob", "PUT", "/rooms/quieted/members/ann", { role: "muted" });
  await server.api("bob", "PATCH", "/rooms/strict", { posting: "moderators" });
  const { id: secret } = await server.api("bob", "POST", "/rooms", { name: "Secret", visibility: "private" });
  const { id } = await server.post("bob", secret, "for few");
  await server.post("bob", "source", `> for few\n${server.url}/#/${secret}/${encodeURIComponent(id)}`);
  const ann = await cast.enter("ann", { room: "source" });
  ann.allow(REFUSED);
  await expect(ann.row("worth").first()).toBeVisible();
  await expect(ann.log.locator("a.linked"), "who may not read the room sees what was forwarded").toHaveText(/^Forwarded message.*for few$/);
  await ann.act("worth reading", "Forward…");
  const dialog = ann.page.getByRole("dialog", { name: "Forward a message" });
  await expect(dialog.getByRole("radio", { name: "#strict" })).toBeVisible();
  await expect(dialog.getByRole("radio", { name: /closed|quieted/ })).toHaveCount(0);
  await dialog.getByRole("radio", { name: "#strict" }).check();
  await dialog.getByRole("button", { name: "Forward", exact: true }).click();
  await expect(dialog.getByRole("alert")).toHaveText(/role/);
  await expect(ann.page.getByText(/^Forwarded to/)).toHaveCount(0);
  await expect(ann.link("strict"), "nothing is left to be sent").not.toHaveAccessibleName(/not sent/);
});

test("a message that is refused marks its room, until it is discarded", async ({ cast, server }) => {
  for (const room of ["first-room", "second-room"]) await server.room(room, "bob", ["ann"]);
  const ann = await cast.enter("ann", { room: "first-room" });
  await ann.settled();
  await ann.refuse("**/messages", 403, "Your role in this room does not allow this.", "POST");
  await ann.say("never");
  await ann.go("second-room");
  await expect(ann.link("first-room")).toHaveAccessibleName(/not sent/);
  await ann.go("first-room");
  await ann.row("never").getByRole("button", { name: "Discard" }).click();
  await expect(ann.link("first-room")).not.toHaveAccessibleName(/not sent/);
});

test("Shift+Tab leads to a message while scrolled up, and only what counts is marked as unread", async ({ cast, server }) => {
  await server.room("tall", "ann", ["bob"]);
  for (let n = 0; n < 40; n++) await server.post("bob", "tall", `message ${n}\nof two lines`);
  const ann = await cast.enter("ann", { room: "tall" });
  await ann.say("an own one");
  await ann.row("an own one").hover();
  await ann.menu(ann.row("an own one"));
  expect(await ann.items()).not.toContain("Mark as unread");
  await ann.page.keyboard.press("Escape");
  await ann.row("message 39").hover();
  await ann.menu(ann.row("message 39"));
  expect(await ann.items()).toContain("Mark as unread");
  await ann.page.keyboard.press("Escape");
  await ann.log.evaluate(log => log.scrollTo(0, 0));
  await ann.button("Jump to newest").waitFor();
  await ann.composer.focus();
  await ann.page.keyboard.press("Shift+Tab");
  await expect.poll(() => ann.page.evaluate(() => document.activeElement.tagName)).toBe("ARTICLE");
});

test.describe("reactions", () => {
  test("who reacted shows on hover and focus, and is listed by the menu", async ({ cast, server }) => {
    await server.room("who", "ann", ["bob", "cem"]);
    const { id } = await server.post("bob", "who", "lunch?");
    for (const user of ["ann", "bob", "cem"]) await server.api(user, "PUT", `/rooms/who/messages/${encodeURIComponent(id)}/reactions/${encodeURIComponent("👍")}`);
    const ann = await cast.enter("ann", { room: "who" });
    const chip = ann.row("lunch?").getByRole("button", { name: "👍 3" });
    await chip.hover();
    const tip = ann.page.getByRole("tooltip");
    await expect(tip).toHaveText(/reacted with 👍$/);
    for (const name of ["You", "Bob Baker", "cem"]) await expect(tip).toContainText(name);
    await clean(ann, "who reacted");
    await ann.page.mouse.move(5, 5);
    await expect(tip).toHaveCount(0);
    await ann.composer.focus();
    await ann.page.keyboard.press("Shift+Tab");
    await ann.row("lunch?").getByRole("button", { name: "More" }).waitFor();
    await ann.page.keyboard.press("Tab"); // to the actions
    await expect(async () => {
      await ann.page.keyboard.press("ArrowLeft");
      await expect(chip).toBeFocused({ timeout: 100 });
    }).toPass();
    await expect(tip, "the focus shows it, too").toContainText("Bob Baker");
    await ann.menu(ann.row("lunch?"), "Who reacted");
    await ann.page.getByRole("complementary", { name: "Who reacted" }).getByRole("list", { name: "👍" }).getByText("Bob Baker").waitFor();
    await clean(ann, "the panel of who reacted");
  });
});

test.describe("fingers", () => {
  /** Moves a finger from an element by x and y, and holds it for some ms before it is lifted. */
  async function drag(person, locator, x, y, hold = 0) {
    await locator.scrollIntoViewIfNeeded();
    await person.still();
    const box = await locator.boundingBox();
    const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const touch = await person.page.context().newCDPSession(person.page);
    const send = (type, points) => touch.send("Input.dispatchTouchEvent", { type, touchPoints: points });
    await send("touchStart", [from]);
    const steps = x || y ? 8 : 0;
    for (let n = 1; n <= steps; n++) await send("touchMove", [{ x: from.x + x * n / steps, y: from.y + y * n / steps }]);
    if (hold) await person.page.waitForFunction(until => performance.now() >= until, await person.page.evaluate(ms => performance.now() + ms, hold));
    await send("touchEnd", []);
    await touch.detach();
  }

  test("a swipe quotes, a long press opens the actions, and scrolling does neither", async ({ cast, server }) => {
    await server.room("swipe", "ann", ["bob"]);
    for (let n = 0; n < MANY; n++) await server.post("bob", "swipe", `line ${n} of some words`);
    const ann = await cast.enter("ann", { room: "swipe", viewport: PHONE, hasTouch: true, isMobile: true });
    await ann.settled();
    const text = n => ann.row(`line ${n} `).locator(".text");
    const last = MANY - 4;
    await drag(ann, text(last), 40, 0);
    await drag(ann, text(last), 30, 120);
    await drag(ann, text(last), 0, 150);
    await ann.still();
    await expect(ann.page.locator(".quoting"), "a short swipe or scrolling quotes").toHaveCount(0);
    await expect(ann.page.getByRole("menu")).toHaveCount(0);
    await drag(ann, text(last), 90, 0);
    await ann.page.locator(".quoting").getByText(`line ${last}`).waitFor();
    await ann.button("Do not quote").click();
    await drag(ann, text(last), 0, 0, 700);
    await ann.page.getByRole("menu").waitFor();
    await ann.item("React with 👍").click();
    const chip = ann.row(`line ${last} `).getByRole("button", { name: "👍 1" });
    await chip.waitFor();
    await drag(ann, chip, 0, 0, 700);
    await ann.page.getByRole("complementary", { name: "Who reacted" }).waitFor();
    await ann.page.goBack();
    await expect(chip, "the press was no click").toBeVisible();
  });
});

test.describe("long rooms", () => {
  test("draw only one page of rows while they are scrolled, and nothing shifts", async ({ cast, server }) => {
    await server.room("long", "ann", ["bob"]);
    for (let n = 0; n < LONG; n++) await server.post(n % 3 ? "ann" : "bob", "long", `line ${n} ${n % 5 ? "" : `**bold** and \`code\` ${server.url}/#/long/x `}${"of some words ".repeat(n % 17)}`);
    await server.read("ann", "long");
    const ann = await cast.enter("ann", { room: "long", prepare: page => page.addInitScript(record) });
    ann.allow(REFUSED);
    await ann.settled();
    await ann.page.evaluate(() => {
      const rows = e => (e.matches?.("article") ? 1 : e.querySelectorAll?.("article").length ?? 0);
      window.drawn = [];
      new MutationObserver(all => window.drawn.push(all.flatMap(m => [...m.addedNodes]).reduce((sum, e) => sum + rows(e), 0)))
        .observe(document.body, { childList: true, subtree: true });
    });
    for (let step = 0; step < 60; step++) {
      await ann.page.mouse.move(700, 400);
      await ann.page.mouse.wheel(0, -900);
      await ann.still();
    }
    expect((await probe(ann.page)).shifts).toEqual([]);
    expect(Math.max(...await ann.page.evaluate(() => window.drawn)), "the most rows that one task draws").toBe(PAGE);
  });
});
