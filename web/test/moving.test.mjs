// The list of rooms, and the ways between rooms: its menus, keys, the finder and the counts.
import { clean } from "./axe.mjs";
import { PHONE, calm, expect, gate, suite } from "./fixtures.mjs";

const test = suite();
test.use(calm);

const button = (within, name) => within.getByRole("button", { name, exact: true });
const section = (person, name) => person.nav.getByRole("button", { name, exact: true });
/** The names of the person's rooms in the list, from above. */
const rooms = person => person.nav.getByRole("link").evaluateAll(links => links.map(link => link.querySelector("bdi").textContent));
/** Opens the menu of a room in the list. */
const menuOf = async (person, room) => {
  await person.link(room).hover();
  await button(person.nav, `Actions for ${room}`).click();
};

test.describe("the list", () => {
  test("shows a room in a line, counts mentions apart, and keeps a section collapsed after a reload", async ({ cast, server }) => {
    for (const room of ["row-one", "row-two"]) await server.room(room, "bob", ["ann"]);
    const ann = await cast.enter("ann", { room: "row-one" });
    await server.post("bob", "row-two", "@ann look", { mentions: ["ann"] });
    await server.post("bob", "row-two", "and this");
    await expect(ann.link("row-two")).toHaveAccessibleName("row-two, 2 unread, 1 mention");
    await ann.link("row-two").getByText("@1").waitFor();
    const { height } = await ann.link("row-two").boundingBox();
    expect(height, "a row is one line").toBeLessThanOrEqual(32);
    await clean(ann, "the list");

    await section(ann, "Rooms").press("Enter");
    await expect(section(ann, "Rooms")).toHaveAttribute("aria-expanded", "false");
    expect(await rooms(ann), "collapsed, it shows the current room and what is unread").toEqual(["row-two", "row-one"]);
    await ann.link("row-two").click();
    await expect(ann.link("row-two")).toHaveAccessibleName("row-two");
    await ann.composer.hover();
    await expect.poll(() => rooms(ann)).toEqual(["row-two"]);
    await ann.page.reload();
    await expect(section(ann, "Rooms")).toHaveAttribute("aria-expanded", "false");
    await section(ann, "Rooms").press("Enter");
    await ann.link("row-one").waitFor();
  });

  test("orders rooms by name, and shows the newest messages, also after a reload", async ({ cast, server }) => {
    for (const room of ["zebra", "aardvark"]) await server.room(room, "cem");
    await server.post("cem", "zebra", "stripes");
    const cem = await cast.enter("cem", { room: "zebra" });
    await expect.poll(() => rooms(cem)).toEqual(["zebra", "aardvark"]);
    await button(cem.nav, "Options of the list").click();
    await cem.page.getByRole("menuitemcheckbox", { name: "Order by name" }).click();
    await button(cem.nav, "Options of the list").click();
    await cem.page.getByRole("menuitemcheckbox", { name: "Show the newest messages" }).click();
    await cem.page.reload();
    await expect.poll(() => rooms(cem)).toEqual(["aardvark", "zebra"]);
    await cem.nav.getByText("You: stripes").waitFor();
    await clean(cem, "the list with two lines");
  });

  test("marks a room with a draft, until it is sent", async ({ cast, server }) => {
    for (const room of ["draft-a", "draft-b"]) await server.room(room, "vic");
    const vic = await cast.enter("vic", { room: "draft-a" });
    await vic.composer.fill("half a thought");
    await vic.link("draft-b").click();
    await expect(vic.link("draft-a")).toHaveAccessibleName("draft-a, draft");
    await clean(vic, "a draft in the list");
    await vic.link("draft-a").click();
    await vic.composer.press("Enter");
    await vic.sees("half a thought");
    await vic.link("draft-b").click();
    await expect(vic.link("draft-a")).toHaveAccessibleName("draft-a");
  });

  test("a new person is offered rooms to join, one click each", async ({ cast, server }) => {
    await server.room("open-house", "dan");
    const eve = await cast.enter("eve");
    await eve.nav.getByRole("heading", { name: "Rooms you can join" }).waitFor();
    await clean(eve, "rooms to join");
    await button(eve.nav, "Join open-house").click();
    await eve.page.getByRole("textbox", { name: "Message #open-house" }).waitFor();
    await eve.link("open-house").waitFor();
    await expect(button(eve.nav, "Join open-house"), "it is joined").toHaveCount(0);
    await eve.focusIs("Message #open-house");
  });
});

test.describe("a room's menu", () => {
  test("opens with the pointer and the keys, marks as read, and leaves", async ({ cast, server }) => {
    await server.room("menu-here", "bob", ["fay"]);
    await server.room("menu-there", "bob", ["fay"]);
    const fay = await cast.enter("fay", { room: "menu-here" });
    await server.post("bob", "menu-there", "unread");
    await expect(fay.link("menu-there")).toHaveAccessibleName(/1 unread/);
    await menuOf(fay, "menu-there");
    await clean(fay, "a room's menu");
    await fay.item("Mark as read").click();
    await expect(fay.link("menu-there")).toHaveAccessibleName("menu-there");
    expect(await fay.page.evaluate(() => location.hash), "the room stays").toBe("#/menu-here");

    await fay.link("menu-there").click({ button: "right" });
    await fay.item("Settings").click();
    await fay.page.getByRole("complementary", { name: "Settings of menu-there" }).waitFor();
    await fay.hashIs("#/menu-there");

    await fay.link("menu-here").focus();
    await fay.page.keyboard.press("Tab");
    await expect(button(fay.nav, "Actions for menu-here")).toBeFocused();
    await fay.page.keyboard.press("Enter");
    await fay.pick("Leave the room");
    await button(fay.page.getByRole("alertdialog", { name: "Leave menu-here?" }), "Leave").click();
    await expect(fay.link("menu-here")).toHaveCount(0);
    await fay.hashIs("#/menu-there");
  });

  test("favors and mutes a room, in all windows, and a muted room counts only mentions", async ({ cast, server }) => {
    for (const room of ["pref-a", "pref-b"]) await server.room(room, "bob", ["max"]);
    const max = await cast.enter("max", { room: "pref-a" });
    const other = await cast.enter("max", { room: "pref-a" });
    await menuOf(max, "pref-b");
    await max.item("Add to favorites").click();
    for (const window of [max, other]) await section(window, "Favorites").waitFor();
    await max.composer.hover();
    await expect.poll(() => rooms(max), "favorites come first").toEqual(["pref-b", "pref-a"]);

    await menuOf(max, "pref-b");
    await max.item("Mute").click();
    await expect(max.page.locator(".toast span"), "what muting does").toHaveText("pref-b is muted: only mentions count.");
    for (const window of [max, other]) await expect(window.link("pref-b")).toHaveAccessibleName("pref-b, muted");
    await server.post("bob", "pref-b", "noise");
    await expect(max.link("pref-b")).toHaveAccessibleName("pref-b, 1 unread, muted");
    await clean(max, "a muted room");
    await expect(max.page, "noise does not count").toHaveTitle("pref-a · Parley");
    await server.post("bob", "pref-b", "@max signal", { mentions: ["max"] });
    await expect(max.page).toHaveTitle("(1) pref-a · Parley");
    await menuOf(max, "pref-b");
    await max.item("Unmute").click();
    await expect(max.page).toHaveTitle("(2) pref-a · Parley");
    await menuOf(max, "pref-b");
    await max.item("Remove from favorites").click();
    for (const window of [max, other]) await expect(section(window, "Favorites")).toHaveCount(0);
  });

  test("an archived room is below the others, in a section that is closed at first", async ({ cast, server }) => {
    for (const room of ["old-room", "new-room"]) await server.room(room, "ned");
    await server.api("ned", "PATCH", "/rooms/old-room", { archived: true });
    const ned = await cast.enter("ned", { room: "new-room" });
    await expect(section(ned, "Archived")).toHaveAttribute("aria-expanded", "false");
    expect(await rooms(ned)).toEqual(["new-room"]);
    await section(ned, "Archived").click();
    await expect(ned.link("old-room")).toHaveAccessibleName("old-room, archived");
  });

  test("leaves counts next to its button, and presence stands off the initials", async ({ cast, server }) => {
    for (const room of ["counted-a", "counted-b"]) await server.room(room, "una", ["vic"]);
    for (let n = 0; n < 12; n++) await server.post("vic", "counted-b", `unread ${n}`);
    const { id } = await server.api("una", "POST", "/rooms", { direct: ["vic"] });
    await server.post("vic", id, "hello");
    const una = await cast.enter("una", { room: "counted-a" });
    await cast.enter("vic", { room: "counted-a" });
    await una.link("counted-b").hover();
    const badge = await una.link("counted-b").locator(".badge").boundingBox();
    const more = await una.nav.getByRole("button", { name: "Actions for counted-b" }).boundingBox();
    expect(badge.x + badge.width, "the end of the count").toBeLessThanOrEqual(more.x);
    const face = una.nav.locator(".room .face.on");
    await face.waitFor();
    const { text, dot } = await face.evaluate(e => {
      const range = document.createRange();
      range.selectNodeContents(e.firstChild);
      const { right, bottom } = range.getBoundingClientRect();
      const at = getComputedStyle(e, "::after");
      const [end, below, size, border] = ["right", "bottom", "width", "borderTopWidth"].map(name => parseFloat(at[name]));
      const around = e.getBoundingClientRect();
      return { text: { right, bottom }, dot: { left: around.right - end - border - size, top: around.bottom - below - border - size } };
    });
    expect(text.right <= dot.left || text.bottom <= dot.top, `initials to ${JSON.stringify(text)}, presence from ${JSON.stringify(dot)}`).toBe(true);
  });

  test("opens by a long touch", async ({ cast, server }) => {
    for (const room of ["touch-one", "touch-two"]) await server.room(room, "gus");
    const gus = await cast.enter("gus", { viewport: PHONE, hasTouch: true, isMobile: true });
    await gus.page.goto(`${server.url}/#/`);
    await gus.link("touch-two").waitFor();
    const { height } = await gus.link("touch-two").boundingBox();
    expect(height, "a row is as high as a finger").toBeGreaterThanOrEqual(44);
    await gus.link("touch-two").dispatchEvent("contextmenu", { clientX: 100, clientY: 300 }); // what browsers send for it
    await gus.item("Copy link").waitFor();
  });
});

test.describe("keys", () => {
  test("Alt with arrows moves between rooms and unread rooms, from the composer and the people", async ({ cast, server }) => {
    for (const room of ["key-a", "key-b", "key-c"]) await server.room(room, "bob", ["hal"]);
    const hal = await cast.enter("hal", { room: "key-a" });
    await button(hal.nav, "Options of the list").click();
    await hal.page.getByRole("menuitemcheckbox", { name: "Order by name" }).click();
    await hal.composer.press("Alt+ArrowDown");
    await hal.hashIs("#/key-b");
    await hal.focusIs("Message #key-b");
    await hal.composer.press("Alt+ArrowUp");
    await hal.hashIs("#/key-a");
    await server.post("bob", "key-c", "unread");
    await expect(hal.link("key-c")).toHaveAccessibleName(/1 unread/);
    await hal.button("People").click();
    await hal.focusIs("People");
    await hal.page.keyboard.press("Alt+Shift+ArrowDown");
    await hal.hashIs("#/key-c");
    await hal.focusIs("Message #key-c");
    await expect(hal.link("key-c")).toHaveAccessibleName("key-c");
    await hal.page.keyboard.press("Alt+Shift+ArrowUp");
    await hal.page.getByText("There are no unread messages.").waitFor();
    await hal.hashIs("#/key-c");
  });

  test("a panel whose code is late leaves the focus where the person went meanwhile", async ({ cast, server }) => {
    for (const room of ["late-a", "late-b"]) await server.room(room, "bob", ["hana"]);
    const { open, opened } = gate();
    const hana = await cast.enter("hana", { room: "late-a", prepare: page => page.route("**/panel.js", async route => { await opened; await route.fallback(); }) });
    await hana.button("People").click();
    await hana.page.keyboard.press("Alt+ArrowDown");
    await hana.focusIs(/^Message #late-/);
    const { hash } = new URL(hana.page.url());
    open();
    await hana.panel.getByRole("heading", { name: "People" }).waitFor();
    await hana.focusIs(/^Message #late-/);
    await hana.hashIs(hash);
  });

  test("a date that is found late leads nowhere in another room", async ({ cast, server }) => {
    for (const room of ["dated-a", "dated-b"]) await server.room(room, "bob", ["iris"]);
    await server.post("bob", "dated-a", "the first");
    const { open, opened } = gate();
    const iris = await cast.enter("iris", { room: "dated-a" });
    await iris.sees("the first");
    await iris.page.route(/order=asc/, async route => { await opened; await route.fallback(); });
    await button(iris.page, "Today").click();
    const asked = iris.page.waitForRequest(/order=asc/);
    await iris.item("The beginning").click();
    await asked;
    await iris.go("dated-b");
    const answered = iris.page.waitForResponse(/order=asc/);
    open();
    await answered;
    await iris.settled(); // the console would show a message that is not in this room
    await iris.hashIs("#/dated-b");
  });

  test("with the people open, the finder leads to the composer of another room", async ({ cast, server }) => {
    for (const room of ["found-a", "found-b"]) await server.room(room, "ida", ["bob"]);
    const ida = await cast.enter("ida", { room: "found-a" });
    await ida.button("People").click();
    await ida.panel.getByRole("button", { name: "Actions for bob" }).waitFor();
    await ida.focusIs("People");
    await ida.page.keyboard.press("Control+k");
    await ida.page.getByRole("dialog").getByRole("combobox").fill("found-b");
    await ida.page.keyboard.press("Enter");
    await ida.hashIs("#/found-b");
    await ida.page.getByRole("complementary", { name: "People in found-b" }).getByRole("button", { name: "Actions for bob" }).waitFor();
    await ida.focusIs("Message #found-b");
    await ida.page.keyboard.type("here I am");
    await expect(ida.composer).toHaveValue("here I am");
  });

  test("after an action with the pointer, and with the focus nowhere, a text is for the composer", async ({ cast, server }) => {
    await server.room("loose", "mia", ["bob"]);
    await server.post("bob", "loose", "a question");
    const mia = await cast.enter("mia", { room: "loose" });
    await mia.row("a question").hover();
    await mia.button("React with 👍").click();
    await mia.button("Documents").hover();
    await mia.focusIs("Message #loose");
    await mia.act("a question", "Save for yourself");
    await mia.button("Documents").hover();
    await mia.focusIs("Message #loose");
    await mia.button("Saved").click();
    await mia.focusIs("Saved messages");
    await mia.page.evaluate(() => document.activeElement.blur());
    await mia.page.keyboard.press("Escape");
    await expect(mia.panel, "Escape closes the panel").toHaveCount(0);
    await mia.page.evaluate(() => document.activeElement.blur());
    await mia.page.keyboard.type("an answer");
    await expect(mia.composer).toHaveValue("an answer");
  });

  test("a dialog that a button of a message opened leads back to the composer", async ({ cast, server }) => {
    for (const room of ["from", "to"]) await server.room(room, "ned", ["bob"]);
    await server.post("bob", "from", "take it there");
    const ned = await cast.enter("ned", { room: "from" });
    await ned.act("take it there", "Forward…");
    await ned.page.getByRole("dialog", { name: "Forward a message" }).getByRole("textbox", { name: "Comment" }).hover(); // so the button is gone
    await ned.page.keyboard.press("Escape");
    await ned.focusIs("Message #from");
  });

  test("the finder shows people by their names, and runs commands", async ({ cast, server }) => {
    await server.api("u-1017", "PUT", "/people/me", { name: "Zoe Quill" });
    await server.room("finder", "lou");
    const lou = await cast.enter("lou", { room: "finder" });
    await lou.page.keyboard.press("Control+k");
    await lou.page.getByRole("combobox").fill("Zoe");
    await expect(lou.page.getByRole("option", { name: /^Zoe Quill/ }).locator(".face")).toHaveText("ZQ");
    await lou.page.getByRole("combobox").fill("shortc");
    await lou.page.getByRole("option", { name: "Keyboard shortcuts Command" }).waitFor();
    await clean(lou, "a command");
    await lou.page.keyboard.press("Enter");
    await lou.page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await lou.page.keyboard.press("Escape");
    await expect(lou.page.getByRole("dialog"), "the dialog is gone, and takes no keys").toHaveCount(0);
    await lou.page.keyboard.press("Control+k");
    await lou.page.getByRole("combobox").fill("create a");
    await lou.page.keyboard.press("Enter");
    await lou.page.getByRole("textbox", { name: "Name of the room" }).waitFor();
  });

  test("are listed in a dialog", async ({ cast, server }) => {
    await server.room("keys", "jan");
    const jan = await cast.enter("jan", { room: "keys" });
    await jan.composer.press("Control+/");
    const keys = jan.page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await keys.getByText("Next and previous unread").waitFor();
    await clean(jan, "the shortcuts");
    await jan.page.keyboard.press("Escape");
    await jan.focusIs("Message #keys");
    await jan.composer.press("?");
    await expect(jan.composer, "a question mark that is written").toHaveValue("?");
    await jan.link("keys").focus();
    await jan.page.keyboard.press("?");
    await keys.waitFor();
  });
});

test.describe("counts", () => {
  test("title and icon show what is unread, until all is marked as read", async ({ cast, server }) => {
    for (const room of ["count-a", "count-b", "count-c"]) await server.room(room, "bob", ["kim"]);
    const drawIcons = page => page.addInitScript(() => {
      const create = URL.createObjectURL.bind(URL);
      window.icons = {};
      URL.createObjectURL = blob => {
        const url = create(blob);
        if (blob.type === "image/svg+xml") void blob.text().then(text => { window.icons[url] = text; });
        return url;
      };
    });
    const kim = await cast.enter("kim", { room: "count-a", prepare: drawIcons });
    const icon = number => expect.poll(() => kim.page.evaluate(() => {
      const { href } = document.querySelector("link[rel=icon]");
      return href.endsWith("/favicon.svg") ? "" : /<text[^>]*>(.*?)</.exec(window.icons[href] ?? "")?.[1];
    }), "the number on the icon").toBe(number);
    await icon("");
    await server.post("bob", "count-b", "one");
    await expect(kim.page).toHaveTitle("(1) count-a · Parley");
    await icon("1");
    await server.post("bob", "count-c", "@kim two", { mentions: ["kim"] });
    await expect(kim.page).toHaveTitle("(2) count-a · Parley");
    await icon("2");
    await button(kim.nav, "Options of the list").click();
    await kim.item("Mark all as read").click();
    await expect(kim.page).toHaveTitle("count-a · Parley");
    await icon("");
    await kim.page.reload();
    await expect(kim.link("count-c"), "the server knows").toHaveAccessibleName("count-c");
  });
});

test.describe("unread by keys", () => {
  const unread = (server, user) => server.api(user, "GET", "/people/me/rooms").then(({ items }) => items.reduce((n, r) => n + r.unread, 0));

  test("leads to each unread room, then to unread threads", async ({ cast, server }) => {
    for (const room of ["next-a", "next-b", "next-c"]) await server.room(room, "lou", ["bob"]);
    const asked = await server.post("lou", "next-a", "a question");
    const lou = await cast.enter("lou", { room: "next-a" });
    await server.post("bob", "next-c", "news");
    await server.post("bob", "next-a", "an answer", { thread: asked.id });
    await button(lou.nav, "Threads, 1 unread").waitFor();
    await lou.page.keyboard.press("Alt+Shift+ArrowUp"); // the list begins with the newest
    await lou.hashIs("#/next-c");
    await lou.sees("news");
    await expect(lou.link("next-c")).toHaveAccessibleName("next-c");
    await lou.page.keyboard.press("Alt+Shift+ArrowDown");
    await lou.page.getByRole("complementary", { name: "Thread in next-a" }).getByText("an answer").waitFor();
    await lou.hashIs("#/next-a");
    await button(lou.nav, /^Threads$/).waitFor();
    await lou.page.keyboard.press("Alt+Shift+ArrowDown");
    await lou.page.getByText("There are no unread messages.").waitFor();
  });

  test("Escape marks the room as read, with an undo, and Shift+Escape everything, after a question", async ({ cast, server }) => {
    for (const room of ["esc-a", "esc-b"]) await server.room(room, "pia", ["bob"]);
    const asked = await server.post("pia", "esc-b", "a question");
    await server.post("bob", "esc-a", "the first of many");
    for (let n = 0; n < 60; n++) await server.post("bob", "esc-a", `line ${n}\n${"and so on\n".repeat(4)}`);
    const pia = await cast.enter("pia", { room: "esc-a" });
    await pia.row("the first of many").waitFor();
    await server.post("bob", "esc-b", "other news");
    await server.post("bob", "esc-b", "@pia an answer", { thread: asked.id, mentions: ["pia"] });
    await button(pia.nav, "Threads, 1 unread").waitFor();
    await pia.composer.press("Escape");
    await pia.page.getByText("esc-a is marked as read.").waitFor();
    await expect(pia.link("esc-a")).toHaveAccessibleName("esc-a");
    await button(pia.page, "Undo").click();
    await expect(pia.link("esc-a")).toHaveAccessibleName("esc-a, 61 unread");
    expect((await server.api("pia", "GET", "/rooms/esc-a")).me.unread).toBe(61);
    await pia.composer.press("Shift+Escape");
    const question = pia.page.getByRole("alertdialog", { name: "Mark everything as read?" });
    await question.getByText("62 messages are unread. This cannot be undone.").waitFor();
    await button(question, "Mark as read").click();
    await pia.page.getByText("Everything is marked as read.").waitFor();
    await expect(pia.page).toHaveTitle("esc-a · Parley");
    await button(pia.nav, /^Threads$/).waitFor();
    await button(pia.nav, /^Activity$/).waitFor();
    expect(await unread(server, "pia")).toBe(0);
    await expect.poll(async () => (await server.api("pia", "GET", "/people/me/threads")).items[0].unread).toBe(0);
  });

  test("the oldest unread mention is one key away, also in a thread", async ({ cast, server }) => {
    for (const room of ["old-a", "old-b", "old-c"]) await server.room(room, "quin", ["bob"]);
    const root = await server.post("bob", "old-b", "a plan");
    await server.post("bob", "old-b", "@quin first", { mentions: ["quin"], thread: root.id });
    await server.post("bob", "old-c", "@quin second", { mentions: ["quin"] });
    const quin = await cast.enter("quin", { room: "old-a" });
    await expect(quin.page).toHaveTitle(/^\(2\) /);
    await quin.page.keyboard.press("Alt+Shift+M"); // it is older than the newest room
    await quin.page.getByRole("complementary", { name: "Thread in old-b" }).getByText("@quin first").waitFor();
    await expect(quin.link("old-b")).toHaveAccessibleName("old-b");
    await quin.page.keyboard.press("Alt+Shift+M");
    await quin.sees("@quin second");
    await expect(quin.page).toHaveTitle("old-c · Parley");
    await quin.page.keyboard.press("Alt+Shift+M");
    await quin.page.getByText("There are no unread mentions.").waitFor();
  });
});

test.describe("the header", () => {
  test("opens the room's menu by its name, and copies an invitation link with one click", async ({ cast, server }) => {
    await server.room("headed", "sol");
    const sol = await cast.enter("sol", { room: "headed", permissions: ["clipboard-write"] });
    await button(sol.page, "Copy an invitation link").click();
    await sol.page.getByText("Invitation link copied. It lets 100 people in within 7 days.").waitFor();
    await sol.composer.press("ControlOrMeta+v"); // the page itself may not read what was copied
    await expect(sol.composer).toHaveValue(/#invite=/);
    const link = await sol.composer.inputValue();
    await sol.composer.fill("");
    const tea = await cast.enter("tea");
    await tea.page.evaluate(to => { location.href = to; }, link);
    await button(tea.page, "Join").click();
    await tea.page.getByRole("heading", { level: 1, name: "headed", exact: true }).waitFor();

    const name = sol.page.getByRole("heading", { level: 1 }).getByRole("button", { name: "headed", exact: true });
    await name.press("Enter");
    await expect(sol.page.getByRole("menuitem")).toHaveText(["Copy an invitation link", "Add to favorites", "Mute", "Copy link", "Search this room", "Documents", "Files", "Settings", "Leave the room"]);
    await clean(sol, "the menu of the header");
    await sol.page.keyboard.press("Escape");
    await expect(name).toBeFocused();
    await name.press("Enter");
    await sol.pick("Settings");
    await sol.page.getByRole("complementary", { name: "Settings of headed" }).waitFor();
  });

  test("has space for the name on a phone, whose menu leads to the documents", async ({ cast, server }) => {
    await server.room("pocket-header", "uma");
    const uma = await cast.enter("uma", { room: "pocket-header", viewport: PHONE, hasTouch: true, isMobile: true });
    const name = uma.page.getByRole("heading", { level: 1 }).getByRole("button");
    expect((await name.boundingBox()).width, "the name is readable").toBeGreaterThan(120);
    await name.tap();
    await uma.item("Documents").tap();
    await uma.panel.getByText("No documents yet.").waitFor();
  });
});

test.describe("rooms", () => {
  test("are browsed with topic, members and activity, joined in place and opened", async ({ cast, server }) => {
    await server.room("browse-home", "ole");
    await server.room("garden", "bob", ["cem"], { topic: "what grows" });
    await server.post("bob", "garden", "beans");
    await server.room("silence", "bob");
    const ole = await cast.enter("ole", { room: "browse-home" });
    await button(ole.nav, "Browse rooms").click();
    const browse = ole.page.getByRole("dialog", { name: "Browse rooms" });
    const row = name => browse.getByRole("listitem").filter({ has: ole.page.getByRole("link", { name, exact: true }) });
    await row("garden").scrollIntoViewIfNeeded();
    await expect(row("garden")).toContainText(/2 people, active \d\d:\d\d · what grows/);
    await row("silence").scrollIntoViewIfNeeded(); // details are loaded for rows in sight
    await expect(row("silence")).toContainText("1 person, no messages yet");
    await clean(ole, "browsing");
    await browse.getByRole("searchbox", { name: "Search rooms" }).fill("GROWS");
    await expect(browse.getByRole("listitem")).toHaveCount(1);
    await button(browse, "Join garden").click();
    await button(browse, "Open garden").waitFor();
    await ole.link("garden").waitFor();
    await ole.hashIs("#/browse-home");
    await button(browse, "Open garden").click();
    await ole.focusIs("Message #garden");
    await ole.sees("beans");
  });

  test("details are requested for four rows at a time, and only for those in sight", async ({ cast, server }) => {
    await server.room("patient", "pat");
    for (let n = 0; n < 40; n++) await server.room(`many-${n}`, "bob");
    const pat = await cast.enter("pat", { room: "patient" });
    let asked = 0, most = 0, open = 0;
    await pat.page.route(/\/rooms\/many-\d+\?include=count/, async route => {
      asked++;
      most = Math.max(most, ++open);
      const answer = await route.fetch();
      open--;
      await route.fulfill({ response: answer });
    });
    await button(pat.nav, "Browse rooms").click();
    const browse = pat.page.getByRole("dialog", { name: "Browse rooms" });
    await browse.getByText("1 person, no messages yet").first().waitFor();
    await pat.settled();
    expect(most, "at the same time").toBeLessThanOrEqual(4);
    expect(asked, "rows out of sight").toBeLessThan(40);
  });

  test("a private room is created with its topic and its members", async ({ cast, server }) => {
    await server.api("u-2042", "PUT", "/people/me", { name: "Ria Solberg" });
    await server.room("creators", "quin");
    const quin = await cast.enter("quin", { room: "creators" });
    await button(quin.nav, "Create a room").click();
    const create = quin.page.getByRole("dialog", { name: "Create a room" });
    await create.getByRole("textbox", { name: "Name of the room" }).fill("Secret garden");
    await create.getByRole("textbox", { name: "Topic" }).fill("roses");
    await create.getByRole("radio", { name: /Private/ }).check();
    const field = create.getByRole("combobox", { name: "People to add" });
    const refused = async words => {
      await button(create, "Create").click();
      await expect.poll(() => field.evaluate(e => e.validationMessage)).toBe(words);
      await expect(field, "a name that is typed is not dropped").toBeFocused();
    };
    await field.fill("Nobody Known");
    await refused("Nobody has this name. Correct it, or clear the field.");
    await field.fill("Ria");
    await create.getByRole("option", { name: /^Ria Solberg/ }).waitFor();
    await clean(quin, "a new room");
    await refused("Choose a person from the list, or clear the field.");
    await quin.page.keyboard.press("Enter");
    await button(create, "Take out Ria Solberg").waitFor();
    await button(create, "Create").click();
    await quin.page.getByRole("heading", { level: 1, name: "Secret garden" }).waitFor();
    await quin.focusIs("Message #Secret garden");
    await expect(quin.topic).toHaveText("2 people, 1 online · roses");
    await expect(quin.page.getByText("To see both sides"), "nobody else could open it").toHaveCount(0);
    const { items } = await server.api("u-2042", "GET", "/people/me/rooms");
    expect(items.map(r => [r.name, r.visibility])).toEqual([["Secret garden", "private"]]);
  });
});
