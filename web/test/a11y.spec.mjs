// The app without a mouse, without sight of colours, enlarged, from right to left, and read aloud.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { SETTLE_MS, clean } from "./axe.mjs";
import { Cast, DOWN, PHONE, REFUSED, launch, until } from "./harness.mjs";
import { Server } from "./server.mjs";

let browser, server, cast;
before(async () => {
  [browser, server] = await Promise.all([launch(), Server.start()]);
  await server.room("hall", "ann", ["bob"], { topic: "everything that has no room of its own" });
  for (const text of ["Hello *all*, `code` and https://example.com", "👋", "שלום לכולם, this is mixed", "x".repeat(300)]) await server.post("bob", "hall", text);
  const mine = await server.post("ann", "hall", "a message of mine");
  await server.api("ann", "PATCH", `/rooms/hall/messages/${encodeURIComponent(mine.id)}`, { text: "a message of mine, edited" });
  const gone = await server.post("ann", "hall", "to be deleted");
  await server.api("ann", "DELETE", `/rooms/hall/messages/${encodeURIComponent(gone.id)}`);
});
after(async () => { await browser?.close(); await server?.close(); });
beforeEach(() => { cast = new Cast(browser, server, { reducedMotion: "reduce" }); });
afterEach(context => cast.close(context));

test.describe("axe finds nothing", () => {
  test("at the sign-in", async ({ cast, server }) => {
    const ann = await cast.window("ann");
    await ann.page.getByRole("textbox", { name: "Your name" }).waitFor();
    await clean(ann, "sign-in");
  });

  test("in a room, with its actions, an edit, a menu and a question", async ({ cast, server }) => {
    const ann = await cast.enter("ann", { room: "hall" });
    await ann.sees("a message of mine, edited");
    await clean(ann, "a room");
    await ann.act("a message of mine", "Edit");
    await ann.page.getByRole("textbox", { name: "Edit message" }).waitFor();
    await clean(ann, "an edit");
    await ann.button("Cancel").click();
    await ann.row("a message of mine").hover();
    await ann.row("a message of mine").getByRole("button", { name: "More" }).click();
    await ann.page.getByRole("menu").waitFor();
    await clean(ann, "a menu");
    await ann.page.keyboard.press("Escape");
    await ann.act("a message of mine", "Delete");
    await ann.page.getByRole("alertdialog").waitFor();
    await clean(ann, "a question");
  });

  test("in the dialog that finds rooms and people", async ({ cast, server }) => {
    const ann = await cast.enter("ann", { room: "hall" });
    await ann.page.keyboard.press("Control+k");
    await ann.page.getByRole("combobox", { name: "Find a room or person" }).fill("bo");
    await ann.page.getByRole("option").first().waitFor();
    await clean(ann, "find");
  });

  for (const name of ["People", "Documents", "Settings"]) {
    test(`in the panel ${name}`, async ({ cast, server }) => {
      const ann = await cast.enter("ann", { room: "hall" });
      await ann.button(name).click();
      await ann.panel.getByRole("heading").first().waitFor();
      await ann.page.waitForTimeout(SETTLE_MS);
      await clean(ann, name);
    });
  }

  test("in the history and the report of a message", async ({ cast, server }) => {
    const ann = await cast.enter("ann", { room: "hall" });
    await ann.act("a message of mine", "Edit history");
    await ann.panel.getByText("a message of mine", { exact: true }).waitFor();
    await clean(ann, "history");
    await ann.act("this is mixed", "Report");
    await ann.panel.getByRole("textbox").waitFor();
    await clean(ann, "report");
  });

  test("in an empty room, one that does not exist, and on a phone", async ({ cast, server }) => {
    await server.room("empty", "ann");
    const ann = await cast.enter("ann", { room: "empty" });
    await clean(ann, "an empty room");
    ann.allow(REFUSED);
    await ann.page.evaluate(() => { location.hash = "#/no-such-room"; });
    await ann.page.getByRole("status").filter({ hasText: "This room does not exist" }).waitFor();
    await clean(ann, "no room");
    const cem = await cast.enter("ann", { room: "hall", viewport: PHONE });
    await clean(cem, "a room on a phone");
    await cem.page.getByRole("button", { name: /^Back to rooms/ }).click();
    await clean(cem, "the list on a phone");
  });

  test("when a person is signed out", async ({ cast, server }) => {
    const ann = await cast.enter("ann", { room: "hall" });
    await ann.shutOut();
    await ann.page.getByRole("heading", { name: "Signed out" }).waitFor();
    await ann.button("Sign in again").waitFor();
    await clean(ann, "signed out");
  });

  test("in the drawer of requests", async ({ cast, server }) => {
    const ann = await cast.window("ann", { path: "/?dev#as=ann" });
    await ann.page.getByRole("complementary", { name: "Requests" }).waitFor();
    await clean(ann, "requests");
  });

  test("offline, with a message that waits", async ({ cast, server }) => {
    const ann = await cast.enter("ann", { room: "hall" });
    ann.allow(DOWN);
    await server.kill();
    try {
      await ann.say("waiting for the server");
      await ann.page.getByRole("status").filter({ hasText: "Offline." }).waitFor();
      await clean(ann, "offline");
    } finally {
      await server.launch();
    }
    await ann.sent("waiting for the server");
  });
});

test.describe("the keyboard alone", () => {
  test("signs in, sends, edits, finds a room, opens and closes a panel", async ({ cast, server }) => {
    const kim = await cast.window("kim");
    const keys = kim.page.keyboard;
    const at = async name => until(async () => (await focusedName(kim.page)).includes(name), `the focus is at ${name}, not at ${await focusedName(kim.page)}`);
    await at("Your name");
    await keys.type("kim");
    await keys.press("Enter");
    await at("Message #");
    await server.room("quay", "kim", ["bob"]);
    await keys.press("Control+k");
    await at("Find a room or person");
    await keys.type("quay");
    await kim.page.getByRole("option", { name: "quay", exact: true }).waitFor();
    await keys.press("Enter");
    await at("Message #quay");
    await keys.type("sent by keys");
    await keys.press("Enter");
    await kim.sent("sent by keys");
    await at("Message #quay");

    await keys.press("ArrowUp"); // an empty composer edits the last own message
    await at("Edit message");
    await keys.press("End");
    await keys.type(", and edited");
    await keys.press("Enter");
    await kim.sees("sent by keys, and edited");
    await at("Message #quay");

    await tabTo(kim.page, "People");
    await keys.press("Enter");
    await kim.page.getByRole("complementary", { name: "People in quay" }).waitFor();
    await keys.press("Escape");
    await expect(kim.page.getByRole("complementary", { name: "People in quay" }), "Escape closes the panel").toHaveCount(0);
    await at("People");
  });

  test("walks between messages with arrows and deletes one", async ({ cast, server }) => {
    await server.room("walk", "lee");
    for (const text of ["first", "second", "third"]) await server.post("lee", "walk", text);
    const lee = await cast.enter("lee", { room: "walk" });
    await lee.sees("third");
    await lee.composer.focus();
    await until(async () => { await lee.page.keyboard.press("Shift+Tab"); return lee.page.evaluate(() => Boolean(document.activeElement?.closest("[role=log] article, [role=log] [role=article]"))); }, "Shift+Tab leads to the messages");
    const current = () => lee.page.evaluate(() => document.activeElement?.closest("article, [role=article]")?.querySelector(".text")?.textContent);
    await lee.page.evaluate(() => document.activeElement?.closest("article, [role=article]")?.focus());
    assert.equal(await current(), "third");
    // The keys of the log come half a second after its messages.
    await until(async () => {
      if (await current() === "third") await lee.page.keyboard.press("ArrowUp");
      return await current() === "second";
    }, "ArrowUp leads to the message above");
    await lee.page.keyboard.press("ArrowDown");
    assert.equal(await current(), "third");
    await lee.row("third").getByRole("button", { name: "More" }).waitFor(); // its code is loaded for the first focus
    await lee.page.keyboard.press("Enter");
    await until(async () => await focusedName(lee.page) === "React", "Enter opens the menu of the message");
    await expect(lee.page.getByRole("menuitem")).toHaveText(["React", "Edit", "Delete", "Quote", "Reply in thread", "Copy link", "Pin", "Save for yourself", "Mark as unread"]);
    for (const _ of ["Edit", "Delete"]) await lee.page.keyboard.press("ArrowDown");
    await lee.page.keyboard.press("Enter");
    await lee.page.getByRole("alertdialog").waitFor();
    await lee.page.keyboard.press("Escape");
    await until(async () => await current() === "third", "the message has the focus again");
    await tabTo(lee.page, "Delete");
    await lee.page.keyboard.press("Enter");
    await lee.page.getByRole("alertdialog").waitFor();
    await until(async () => lee.page.evaluate(() => Boolean(document.activeElement?.closest("[role=alertdialog]"))), "the question has the focus");
    await tabTo(lee.page, "Delete");
    await lee.page.keyboard.press("Enter");
    await expect(lee.row("third"), "the message is deleted").toHaveCount(0);
  });
});

/** Returns the name of the element with the focus. */
function focusedName(page) {
  return page.evaluate(() => {
    const e = document.activeElement;
    return e?.getAttribute("aria-label") ?? e?.labels?.[0]?.textContent ?? e?.getAttribute("title") ?? e?.textContent ?? "";
  });
}

/** Presses Tab until an element has the focus. It must be visible there. */
async function tabTo(page, name) {
  for (let n = 0; n < 60; n++) {
    await page.keyboard.press("Tab");
    if ((await focusedName(page)).trim() !== name) continue;
    const ring = await page.evaluate(() => { const s = getComputedStyle(document.activeElement); return s.outlineStyle !== "none" || s.boxShadow !== "none"; });
    assert.ok(ring, `the focus at ${name} is not visible`);
    return;
  }
  assert.fail(`Tab does not lead to ${name}`);
}

test.describe("read aloud", () => {
  test("others' new messages are spoken once, history and own ones never", async ({ cast, server }) => {
    await server.room("voices", "ann", ["bob"]);
    await server.post("bob", "voices", "old news");
    const ann = await cast.enter("ann", { room: "voices" });
    await ann.page.addInitScript(listen);
    await ann.page.reload();
    await ann.sees("old news");
    assert.notEqual(await ann.log.getAttribute("aria-live"), "polite");
    const spoken = () => ann.page.evaluate(() => window.spoken);
    const hears = text => until(async () => (await spoken()).some(said => said.includes(text)), `${text} is spoken`);
    await ann.post("my own words");
    await server.post("bob", "voices", "fresh news");
    await hears("fresh news");
    await server.post("ann", "voices", "my words from elsewhere");
    await server.post("bob", "voices", "later news"); // what is spoken twice is spoken with it
    await hears("later news");
    const texts = await spoken();
    assert.equal(texts.filter(text => text.includes("fresh news")).length, 1, `fresh news is spoken again: ${texts.join(" | ")}`);
    assert.ok(!texts.some(text => /old news|my own words|elsewhere/.test(text)), `own or old words are spoken: ${texts.join(" | ")}`);
  });
});

/** Keeps what a screen reader says. It runs in the page. */
function listen() {
  window.spoken = [];
  // The regions come after the messages. A change of one is spoken once.
  const hear = changes => {
    for (const region of new Set(changes.map(c => (c.target.nodeType === 1 ? c.target : c.target.parentElement)?.closest("[aria-live=polite]")))) {
      if (region && !region.closest("[role=log]") && region.textContent.trim()) window.spoken.push(region.textContent.trim());
    }
  };
  new MutationObserver(hear).observe(document, { childList: true, subtree: true, characterData: true });
}

test.describe("every size and direction", () => {
  const noHorizontalScroll = person => person.page.evaluate(() => {
    const wide = [...document.querySelectorAll("body *")].filter(e => {
      const r = e.getBoundingClientRect();
      return r.width > 0 && getComputedStyle(e).visibility !== "hidden" && (r.right > innerWidth + 1 || r.left < -1)
        && !e.closest("[class*=hidden], [inert], pre") && e.checkVisibility();
    });
    return { scrolls: document.scrollingElement.scrollWidth > innerWidth, wide: wide.slice(0, 5).map(e => `${e.localName}.${e.className}`) };
  });

  test("360 px and 200 % zoom have no horizontal scroll", async ({ cast, server }) => {
    // A window of 1280 px at 200 % has 640 CSS pixels.
    for (const options of [{ viewport: PHONE }, { viewport: { width: 640, height: 430 }, deviceScaleFactor: 2 }, { viewport: { width: 320, height: 640 } }]) {
      const ann = await cast.enter("ann", { room: "hall", ...options });
      await ann.sees("a message of mine");
      assert.deepEqual(await noHorizontalScroll(ann), { scrolls: false, wide: [] }, JSON.stringify(options));
      await ann.button("People").click();
      await ann.panel.waitFor();
      await ann.page.waitForTimeout(SETTLE_MS);
      assert.deepEqual(await noHorizontalScroll(ann), { scrolls: false, wide: [] }, `people at ${JSON.stringify(options)}`);
    }
  });

  test("targets on a phone are large enough", async ({ cast, server }) => {
    const ann = await cast.enter("ann", { room: "hall", viewport: PHONE, hasTouch: true, isMobile: true });
    for (const name of ["Back to rooms", "People", "Send"]) {
      const size = await ann.page.getByRole("button", { name: new RegExp(`^${name}`) }).boundingBox();
      assert.ok(size.width >= 44 && size.height >= 44, `${name} is ${size.width} × ${size.height}`);
    }
    const covered = () => ann.log.getByRole("article").evaluateAll(rows => rows.map(row => {
      const tools = row.querySelector(".tools")?.getBoundingClientRect();
      const text = row.querySelector(".main").getBoundingClientRect();
      return tools && tools.left < text.right && tools.right > text.left && `${row.textContent}: ${text.right} to ${tools.left}`;
    }));
    await until(async () => (await covered()).some(row => row !== undefined), "messages have their actions");
    assert.deepEqual((await covered()).filter(Boolean), [], "actions of a message are beside its text");
  });

  test("reduced motion moves nothing", async ({ cast, server }) => {
    const ann = await cast.enter("ann", { room: "hall" });
    await ann.button("People").click();
    await ann.panel.waitFor();
    await server.api("bob", "GET", "/people/me");
    const moving = await ann.page.evaluate(() => document.getAnimations().filter(a => {
      const ms = Number(a.effect?.getComputedTiming().duration);
      const properties = a.effect?.getKeyframes().flatMap(Object.keys) ?? [];
      return ms > 1 && properties.some(p => /transform|translate|scale|rotate|left|top|height|width/.test(p));
    }).map(a => a.animationName ?? a.transitionProperty));
    assert.deepEqual(moving, []);
    const smooth = await ann.page.evaluate(() => [...document.querySelectorAll("*")].filter(e => getComputedStyle(e).scrollBehavior === "smooth").length);
    assert.equal(smooth, 0);
  });

  test("text from right to left is laid out so, in messages and composer", async ({ cast, server }) => {
    const ann = await cast.enter("ann", { room: "hall" });
    const text = ann.row("this is mixed").locator(".text");
    assert.equal(await text.evaluate(e => getComputedStyle(e.querySelector("[dir]") ?? e).direction), "rtl");
    assert.equal(await ann.row("a message of mine").locator(".text").evaluate(e => getComputedStyle(e.querySelector("[dir]") ?? e).direction), "ltr");
    await ann.composer.fill("שלום");
    assert.equal(await ann.composer.evaluate(e => getComputedStyle(e).direction), "rtl");
  });
});
