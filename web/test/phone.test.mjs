// Parley under fingers: on a phone, in both orientations, with large text and with a keyboard on the screen.
import { clean } from "./axe.mjs";
import { PHONE, expect, suite } from "./fixtures.mjs";
import { DOWN } from "./person.mjs";

const test = suite();

const TYPING = { width: 360, height: 400 }; // what a keyboard leaves of a phone
const LANDSCAPE = { width: 740, height: 360 };
const FINGER = 44;
const FINGERS = { viewport: PHONE, hasTouch: true, isMobile: true };

/** How high and wide the area is in which a tap reaches an element. */
const area = locator => locator.evaluate(e => {
  const { left, top, width, height } = e.getBoundingClientRect();
  const hits = (x, y) => e.contains(document.elementFromPoint(left + width / 2 + x, top + height / 2 + y)) || e.control === document.elementFromPoint(left + width / 2 + x, top + height / 2 + y);
  const reach = (x, y) => { let n = 0; while (n < 40 && hits(x * n, y * n)) n++; return n; };
  return { height: reach(0, -1) + reach(0, 1), width: reach(-1, 0) + reach(1, 0) };
});

/** Lets the browser's text be twice as large. */
const enlarge = person => person.page.evaluate(() => { document.documentElement.style.fontSize = "200%"; });

const size = locator => locator.evaluate(e => parseFloat(getComputedStyle(e).fontSize));

/** Holds a finger on an element. */
async function hold(person, locator) {
  const { x, y, width, height } = await locator.boundingBox();
  const touch = await person.page.context().newCDPSession(person.page);
  const send = (type, touchPoints) => touch.send("Input.dispatchTouchEvent", { type, touchPoints });
  await send("touchStart", [{ x: x + width / 2, y: y + height / 2 }]);
  await person.page.waitForFunction(until => performance.now() >= until, await person.page.evaluate(() => performance.now() + 700));
  await send("touchEnd", []);
  await touch.detach();
}

test("the actions of messages pass below the label of their day", async ({ cast, server }) => {
  await server.room("below", "ann", ["bob"]);
  for (let n = 0; n < 30; n++) await server.post(n % 2 ? "ann" : "bob", "below", `line ${n} of some words`);
  const ann = await cast.enter("ann", { room: "below", ...FINGERS });
  await ann.settled();
  await ann.log.locator(".tools").first().waitFor();
  const covered = await ann.log.evaluate(log => {
    const { top, right } = log.getBoundingClientRect();
    let found = 0;
    for (log.scrollTop = log.scrollHeight; log.scrollTop > 200; log.scrollTop -= 8) {
      if (document.elementFromPoint(right - 30, top + 20)?.closest(".tools")) found++;
    }
    return found;
  });
  expect(covered, "places where an action is above the day").toBe(0);
});

test("texts have 13 px, fields 16 px, and the menu of a day looks as others", async ({ cast, server }) => {
  await server.room("sizes", "ann", ["bob"]);
  await server.post("bob", "sizes", "a text");
  const ann = await cast.enter("ann", { room: "sizes", ...FINGERS });
  await ann.settled();
  expect(await size(ann.topic)).toBe(13);
  expect(await size(ann.composer), "browsers of phones enlarge the page for smaller fields").toBe(16);
  await ann.button("People").tap();
  expect(await size(ann.panel.getByRole("searchbox").or(ann.panel.getByRole("combobox")).first())).toBe(16);
  await ann.page.goBack();
  await ann.log.locator(".day button").tap();
  expect(await size(ann.item("Yesterday"))).toBe(15);
});

test("what is tapped is as large as a finger", async ({ cast, server }) => {
  await server.room("areas", "ann", ["bob"]);
  await server.post("bob", "areas", "a text");
  const ann = await cast.enter("ann", { room: "areas", ...FINGERS });
  await ann.settled();
  await ann.menu(ann.row("a text"), "React with 👍");
  const chip = ann.row("a text").getByRole("button", { name: "👍 1" });
  await chip.waitFor();
  await ann.still();
  const heights = async named => Object.fromEntries(await Promise.all(Object.entries(named).map(async ([name, locator]) => [name, (await area(locator)).height >= FINGER])));
  expect(await heights({ title: ann.page.getByRole("heading", { level: 1 }).getByRole("button"), day: ann.log.locator(".day button"), chip }))
    .toEqual({ title: true, day: true, chip: true });
  await ann.menu(ann.row("a text"), "Reply in thread");
  await ann.panel.getByText("Also in the room").waitFor();
  expect((await area(ann.panel.getByText("Also in the room"))).height).toBeGreaterThanOrEqual(FINGER);
});

test("a text has the width of the composer, Enter begins a line, and the button sends", async ({ cast, server }) => {
  await server.room("place", "ann", ["bob"]);
  const ann = await cast.enter("ann", { room: "place", ...FINGERS });
  const width = async locator => (await locator.boundingBox()).width;
  const whole = await width(ann.page.locator("form.composer"));
  await ann.composer.fill("- one");
  expect(whole - await width(ann.composer), "what the field leaves to others").toBeLessThanOrEqual(16);
  await expect(ann.composer, "what the keyboard shows").toHaveAttribute("enterkeyhint", "enter");
  await ann.composer.press("Enter");
  await expect(ann.composer).toHaveValue("- one\n- ");
  await ann.composer.pressSequentially("two");
  await ann.button("Send").tap();
  await ann.sent("two");
});

test("Enter does what the person chose for this browser", async ({ cast, server }) => {
  await server.room("enters", "ann", ["bob"]);
  const choose = async (person, value) => {
    await person.page.locator(".me").click();
    await person.page.getByRole("group", { name: "Enter key" }).getByRole("button", { name: value }).click();
    const shut = person.page.getByRole("dialog").getByRole("button", { name: "Close" });
    await expect(shut, "in sight, however far the dialog is scrolled").toBeInViewport({ ratio: 1 });
    await shut.click();
    await expect(person.page.getByRole("dialog")).toHaveCount(0);
    await person.still(); // the history has gone back: a reload meanwhile is aborted
    await person.page.reload();
    await person.go("enters");
  };
  const ann = await cast.enter("ann", { room: "enters", ...FINGERS });
  await ann.page.getByRole("button", { name: /^Back to rooms/ }).tap();
  await choose(ann, "Send");
  await ann.composer.fill("by a finger");
  await ann.composer.press("Enter");
  await ann.sent("by a finger");
  const bob = await cast.enter("bob", { room: "enters" });
  await choose(bob, "New line");
  await bob.composer.fill("one");
  await bob.composer.press("Enter");
  await expect(bob.composer).toHaveValue("one\n");
  await bob.composer.press("Control+Enter");
  await bob.sent("one");
  await bob.composer.press("ArrowUp");
  const editor = bob.page.getByRole("textbox", { name: "Edit message" });
  await editor.press("Enter");
  await expect(editor).toHaveValue("one\n");
  await editor.press("Control+Enter");
  await expect(editor).toHaveCount(0);
});

test("a dialog that opens while the history goes back from a menu stays", async ({ cast, server }) => {
  await server.room("slow-back", "ann", ["bob"]);
  const slowly = page => page.addInitScript(() => {
    const back = history.back.bind(history);
    history.back = () => { setTimeout(back, 300); };
    addEventListener("popstate", () => { window.returned = true; });
  });
  const ann = await cast.enter("ann", { room: "slow-back", ...FINGERS, prepare: slowly });
  await ann.complete();
  await ann.add("Create a poll");
  const question = ann.page.getByRole("textbox", { name: "Question" });
  await question.waitFor();
  await ann.page.waitForFunction(() => window.returned && history.state === "layer"); // the menu's entry is gone, and the dialog has its own
  await expect(question).toBeVisible();
  await ann.page.goBack();
  await expect(question, "Back closes it").toHaveCount(0);
});

/** Waits until the toast has some words, and fails if it overlaps a part of the page that is in sight. */
async function coversNothing(person, words, where) {
  const toast = person.page.locator(".toast span");
  await expect(toast, where).toHaveText(words);
  await person.still();
  const overlapped = await toast.evaluate(e => {
    const box = e.getBoundingClientRect();
    const parts = [...document.querySelectorAll(".notices, .head, .stage, .composer, .nav, .p-head, .t-log")].filter(part => !part.closest("[inert]"));
    const over = ({ left, right, top, bottom }) => box.left < right && box.right > left && box.top < bottom && box.bottom > top;
    const seen = e.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
    return [...parts.filter(part => over(part.getBoundingClientRect())).map(part => part.className), ...(seen ? [] : ["it is covered"])];
  });
  expect(overlapped, `${where}: what the toast overlaps`).toEqual([]);
}

test("a toast covers neither messages nor the field, and moves neither", async ({ cast, server }) => {
  await server.room("told", "ann", ["bob"]);
  const { id } = await server.post("bob", "told", "the root");
  for (let n = 0; n < 20; n++) await server.post("bob", "told", `line ${n} of some words`);
  await server.post("bob", "told", "a reply", { thread: id });
  for (const options of [{}, { viewport: { width: 900, height: 700 } }, FINGERS]) {
    const ann = await cast.enter("ann", { room: "told", ...options });
    const where = `${ann.page.viewportSize().width} px`;
    await ann.settled();
    const newest = ann.row("line 19 of");
    const boxes = () => Promise.all([ann.page.locator(".composer"), ann.page.locator(".head"), newest].map(part => part.boundingBox()));
    const before = await boxes();
    if (!options.isMobile) await newest.hover();
    await ann.menu(newest, /^(Save for|Remove from)/);
    await coversNothing(ann, /^(Saved for|No longer saved)/, where);
    expect(await boxes(), `${where}: the field, the header and the newest message stay`).toEqual(before);
    await ann.page.goto(`${server.url}/#/told/${encodeURIComponent(id)}`);
    await ann.row("the root").getByRole("button", { name: /1 reply/ }).click();
    const reply = ann.panel.getByRole("article").filter({ hasText: "a reply" });
    if (!options.isMobile) await reply.hover();
    await ann.menu(reply, /^(Save for|Remove from)/);
    await coversNothing(ann, /^(Saved for|No longer saved)/, `${where}, in a thread`);
    expect(await ann.panel.evaluate(e => e.scrollWidth - e.clientWidth), `${where}: the thread is as wide as its panel`).toBe(0);
    await ann.panel.getByRole("button", { name: "Close thread" }).click();
    await ann.show("Settings");
    await ann.panel.getByRole("textbox", { name: "Topic" }).fill(`as seen at ${where}`);
    await ann.panel.getByRole("button", { name: "Save", exact: true }).click();
    await coversNothing(ann, "Settings saved.", `${where}, in the settings`);
    await clean(ann, `${where}: a toast`, ".toast");
  }
});

test("notices cover nothing that is tapped", async ({ cast, server }) => {
  await server.room("covers", "ann", ["bob"]);
  const ann = await cast.enter("ann", { room: "covers", ...FINGERS });
  ann.allow(DOWN);
  const id = await ann.post("a text of mine");
  await ann.menu(ann.row("a text of mine"), "Delete");
  await ann.page.getByRole("button", { name: "Undo" }).last().tap();
  await coversNothing(ann, "The message is back.", "a phone");
  await expect(ann.log.locator(`[data-id="${id}"]`)).toContainText("a text of mine");
  await ann.page.getByRole("button", { name: /^Back to rooms/ }).tap();
  await ann.page.context().setOffline(true);
  await ann.page.locator(".notice").getByText(/^Offline/).waitFor();
  await ann.button("Options of the list").tap();
  await ann.page.getByRole("menu").waitFor();
  await ann.page.context().setOffline(false);
});

test("the bar of notices covers nothing: not the room, the list nor a panel", async ({ cast, server }) => {
  await server.room("uncovered-bar", "ann", ["bob"]);
  for (const options of [{}, { viewport: { width: 900, height: 700 } }, FINGERS]) {
    const ann = await cast.enter("ann", { room: "uncovered-bar", ...options });
    ann.allow(DOWN);
    await ann.settled();
    await ann.button("People").click();
    await ann.panel.getByText("bob").first().waitFor();
    await ann.page.context().setOffline(true);
    const bar = ann.page.locator(".notices .notice span").first();
    await expect(bar).toContainText("Offline");
    const below = async selector => {
      await ann.still();
      const [notice, part] = await Promise.all([bar.boundingBox(), ann.page.locator(selector).boundingBox()]);
      expect(part.y, `the top of ${selector}`).toBeGreaterThanOrEqual(notice.y + notice.height);
    };
    await below(".head");
    await below(".panel");
    await clean(ann, "the bar of notices", ".notices");
    if (options.isMobile) {
      await ann.page.goBack();
      await ann.page.getByRole("button", { name: /^Back to rooms/ }).tap();
    }
    await below(".nav");
    await ann.page.context().setOffline(false);
    await expect(bar, "the bar goes").toHaveCount(0);
  }
});

test("the picker leaves the keyboard away, and fits with it", async ({ cast, server }) => {
  await server.room("picks", "ann", ["bob"]);
  const ann = await cast.enter("ann", { room: "picks", ...FINGERS });
  await ann.button("Emoji").tap();
  const search = ann.page.getByRole("combobox", { name: "Find an emoji" });
  await search.waitFor();
  await expect(search, "a keyboard would cover the emoji").not.toBeFocused();
  const emoji = ann.page.getByRole("option", { name: "heart", exact: true }).first();
  expect((await emoji.boundingBox()).width).toBeGreaterThanOrEqual(FINGER);
  expect((await ann.button("Food").boundingBox()).width).toBeGreaterThanOrEqual(FINGER);
  await ann.page.setViewportSize(TYPING);
  const dialog = ann.page.getByRole("dialog");
  const scrolls = () => dialog.evaluate(e => e.scrollHeight > e.clientHeight || e.scrollWidth > e.clientWidth);
  await expect.poll(scrolls, "with a keyboard").toBe(false);
  await ann.page.setViewportSize(LANDSCAPE);
  await expect.poll(scrolls, "in landscape").toBe(false);
  await ann.page.setViewportSize(PHONE);
  await enlarge(ann);
  const overlaps = () => ann.page.getByRole("option").evaluateAll(all => all.slice(0, 20).some(e => e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight));
  await expect.poll(overlaps, "with large text").toBe(false);
});

test("large text is not clipped in the list and in a poll", async ({ cast, server }) => {
  await server.room("large", "bob", ["ann"]);
  await server.post("bob", "large", "unread");
  const ann = await cast.enter("ann", { ...FINGERS });
  await ann.page.goto(`${server.url}/#/`);
  await ann.link("large").waitFor();
  await enlarge(ann);
  const clipped = locator => locator.evaluate(e => {
    const text = document.createRange();
    text.selectNodeContents(e);
    return text.getBoundingClientRect().height > e.getBoundingClientRect().height + 1;
  });
  expect(await clipped(ann.link("large").locator(".name")), "the name").toBe(false);
  expect(await clipped(ann.link("large").locator(".badge").first()), "the badge").toBe(false);
  await ann.link("large").tap();
  await ann.add("Create a poll");
  const dialog = ann.page.getByRole("dialog");
  await dialog.waitFor();
  expect(await dialog.evaluate(e => e.scrollWidth - e.clientWidth), "a poll is too wide").toBe(0);
  await dialog.getByRole("textbox", { name: "Question" }).fill("What do we eat?");
  for (const [n, food] of ["Vegetables", "Soup"].entries()) await dialog.getByRole("textbox", { name: `Option ${n + 1}` }).fill(food);
  await dialog.getByRole("button", { name: "Send" }).click();
  const option = ann.row("What do we eat?").getByText("Soup", { exact: true });
  await option.tap();
  await ann.row("What do we eat?").getByText("1 vote, 100%").waitFor();
  expect(await option.evaluate(e => e.getBoundingClientRect().height / parseFloat(getComputedStyle(e).lineHeight)), "the lines of a short option").toBeLessThan(1.5);
});

test("a menu follows the phone's orientation, and Back closes it in both", async ({ cast, server }) => {
  await server.room("turns", "ann", ["bob"]);
  await server.post("bob", "turns", "a text");
  const ann = await cast.enter("ann", { room: "turns", ...FINGERS });
  await ann.menu(ann.row("a text"));
  const menu = ann.page.getByRole("menu");
  await menu.waitFor();
  await ann.page.setViewportSize(LANDSCAPE);
  await expect(menu, "a menu that lost its place").toHaveCount(0);
  await ann.menu(ann.row("a text"));
  await menu.waitFor();
  await ann.page.goBack();
  await expect(menu).toHaveCount(0);
  await ann.hashIs("#/turns");
  await hold(ann, ann.row("a text").locator(".text"));
  await menu.waitFor();
  await ann.page.goBack();
  await expect(menu, "a long press opens it").toHaveCount(0);
  await ann.hashIs("#/turns");
});

test("a long touch opens the menu of a room", async ({ cast, server }) => {
  await server.room("held", "ann", ["bob"]);
  const ann = await cast.enter("ann", { ...FINGERS });
  await ann.page.goto(`${server.url}/#/`);
  await ann.link("held").waitFor();
  await hold(ann, ann.link("held"));
  await ann.item("Copy link").waitFor();
  await ann.hashIs("#/");
  await ann.page.goBack();
  await expect(ann.page.getByRole("menu")).toHaveCount(0);
  await ann.link("held").tap();
  await ann.hashIs("#/held");
});

test("the way to the list is Back, where that leads there", async ({ cast, server }) => {
  await server.room("there", "ann", ["bob"]);
  await server.room("elsewhere", "ann", ["bob"]);
  for (let i = 0; i < 12; i++) await server.post("bob", "elsewhere", `news ${i}`);
  const ann = await cast.enter("ann", { ...FINGERS });
  await ann.page.goto(`${server.url}/#/`);
  await ann.link("there").tap();
  await ann.hashIs("#/there");
  const way = ann.page.getByRole("button", { name: /^Back to rooms, \d\d+ unread/ }); // of other tests too
  await way.waitFor();
  const [arrow, count] = await Promise.all(["svg", ".badge"].map(part => way.locator(part).boundingBox()));
  expect(arrow.x + arrow.width, "the number does not overlap the arrow").toBeLessThanOrEqual(count.x);
  const entries = () => ann.page.evaluate(() => navigation.currentEntry.index);
  const before = await entries();
  await ann.page.getByRole("button", { name: /^Back to rooms/ }).tap();
  await ann.hashIs("#/");
  expect(await entries()).toBe(before - 1);
});
