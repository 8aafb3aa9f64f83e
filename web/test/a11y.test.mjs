// The app without a mouse, without sight of colours, enlarged, from right to left, and read aloud.
import { clean } from "./axe.mjs";
import { DOWN, PHONE, REFUSED, calm, expect, suite } from "./fixtures.mjs";

const test = suite({
  fill: async server => {
    await server.room("hall", "ann", ["bob"], { topic: "everything that has no room of its own" });
    for (const text of ["Hello *all*, `code` and https://example.com", "👋", "שלום לכולם, this is mixed", "x".repeat(300)]) await server.post("bob", "hall", text);
    const mine = await server.post("ann", "hall", "a message of mine");
    await server.api("ann", "PATCH", `/rooms/hall/messages/${encodeURIComponent(mine.id)}`, { text: "a message of mine, edited" });
    const gone = await server.post("ann", "hall", "to be deleted");
    await server.api("ann", "DELETE", `/rooms/hall/messages/${encodeURIComponent(gone.id)}`);
  },
});
test.use(calm);

test.describe("axe finds nothing", () => {
  test("at the sign-in", async ({ cast }) => {
    const ann = await cast.window("ann");
    await ann.page.getByRole("combobox", { name: "Your name" }).waitFor();
    await clean(ann, "sign-in");
  });

  test("in a room, with its actions, an edit, a menu and a question", async ({ cast }) => {
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
    await expect(ann.page.getByRole("menuitem").first()).toBeFocused();
    await ann.page.keyboard.press("Escape");
    await expect(ann.page.getByRole("menu")).toHaveCount(0);
    await ann.act("this is mixed", "Delete"); // another's, so a question comes first
    await ann.page.getByRole("alertdialog").waitFor();
    await clean(ann, "a question");
    await ann.button("Cancel").click();
  });

  test("from right to left, and at 200 %", async ({ cast }) => {
    // A window of 1280 px at 200 % has 640 CSS pixels.
    for (const [mode, options, direction] of [["from right to left", {}, "rtl"], ["at 200 %", { viewport: { width: 640, height: 430 }, deviceScaleFactor: 2 }, "ltr"]]) {
      const ann = await cast.enter("ann", { room: "hall", ...options });
      await ann.page.evaluate(dir => { document.documentElement.dir = dir; }, direction);
      await clean(ann, `a room ${mode}`);
      await ann.button("Add to the message").click();
      await ann.page.getByRole("menu").waitFor();
      await clean(ann, `a menu ${mode}`, "[role=menu]");
      await ann.page.keyboard.press("Escape");
      await ann.show("People");
      await ann.panel.getByRole("heading").first().waitFor();
      await clean(ann, `people ${mode}`, "aside");
      await ann.panel.getByRole("button", { name: "Close people" }).click();
      await ann.page.keyboard.press("Control+k");
      await ann.page.getByRole("option").first().waitFor();
      await clean(ann, `the finder ${mode}`, "dialog");
    }
  });

  test("in the dialog that finds rooms and people", async ({ cast }) => {
    const ann = await cast.enter("ann", { room: "hall" });
    await ann.page.keyboard.press("Control+k");
    await ann.page.getByRole("combobox", { name: "Find rooms, people and messages" }).fill("bo");
    await ann.page.getByRole("option").first().waitFor();
    await clean(ann, "find");
  });

  for (const name of ["People", "Documents", "Files", "Settings"]) {
    test(`in the panel ${name}`, async ({ cast }) => {
      const ann = await cast.enter("ann", { room: "hall" });
      await ann.button(name).click();
      await ann.panel.getByRole("heading").first().waitFor();
      await clean(ann, name);
    });
  }

  test("in the history and the report of a message", async ({ cast }) => {
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

  test("when a person is signed out", async ({ cast }) => {
    const ann = await cast.enter("ann", { room: "hall" });
    await ann.shutOut();
    await ann.page.getByRole("heading", { name: "Signed out" }).waitFor();
    await ann.button("Sign in again").waitFor();
    await clean(ann, "signed out");
  });

  test("in the drawer of requests", async ({ cast }) => {
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

test.describe("only the keyboard", () => {
  test("signs in, sends, edits, finds a room, opens and closes a panel", async ({ cast, server }) => {
    const kim = await cast.window("kim");
    const keys = kim.page.keyboard;
    await kim.focusIs("Your name");
    await keys.type("kim");
    await keys.press("Enter");
    await kim.focusIs(/^Message #/);
    await server.room("quay", "kim", ["bob"]);
    await keys.press("Control+k");
    await kim.focusIs("Find rooms, people and messages");
    await keys.type("quay");
    await expect(kim.page.getByRole("option", { name: "quay", exact: true })).toHaveAttribute("aria-selected", "true");
    await keys.press("Enter");
    await kim.focusIs("Message #quay");
    await keys.type("sent by keys");
    await keys.press("Enter");
    await kim.sent("sent by keys");
    await kim.focusIs("Message #quay");

    await keys.press("ArrowUp"); // an empty composer edits the last own message
    await kim.focusIs("Edit message");
    await keys.press("End");
    await keys.type(", and edited");
    await keys.press("Enter");
    await kim.sees("sent by keys, and edited");
    await kim.focusIs("Message #quay");

    await tabTo(kim, "People");
    await keys.press("Enter");
    await expect(kim.page.getByRole("complementary", { name: "People in quay" }).getByRole("heading", { name: "People" })).toBeFocused();
    await keys.press("Escape");
    await expect(kim.page.getByRole("complementary", { name: "People in quay" }), "Escape closes the panel").toHaveCount(0);
    await kim.focusIs("People");
  });

  test("walks between messages with arrows and deletes one", async ({ cast, server }) => {
    await server.room("walk", "lee");
    for (const text of ["first", "second", "third"]) await server.post("lee", "walk", text);
    const lee = await cast.enter("lee", { room: "walk" });
    await lee.sees("third");
    const row = text => lee.row(text);
    await lee.composer.focus();
    await expect.poll(async () => {
      await lee.page.keyboard.press("Shift+Tab");
      return lee.page.evaluate(() => Boolean(document.activeElement?.closest("[role=log] article")));
    }, "Shift+Tab leads to the messages").toBe(true);
    await expect(async () => { // the keys of the log come half a second after its messages
      await row("third").press("ArrowUp");
      await expect(row("second"), "ArrowUp leads to the message above").toBeFocused({ timeout: 1000 });
    }).toPass();
    await row("second").press("ArrowDown");
    await expect(row("third")).toBeFocused();
    await row("third").getByRole("button", { name: "More" }).waitFor(); // its code is loaded for the first focus
    await row("third").press("Enter");
    await expect.poll(() => lee.items()).toEqual(["React", "Quote", "Reply in thread", "Forward…", "Edit", "Copy link", "Copy text", "Pin", "Save for yourself", "Delete"]);
    await lee.pick("Delete");
    await expect(row("Message deleted"), "the message keeps the focus").toBeFocused();
    await lee.page.keyboard.press("Enter");
    await lee.focusIs("Undo");
    await lee.page.keyboard.press("Enter");
    await expect(row("third"), "the message is back with the focus").toBeFocused();
    await tabTo(lee, "Delete");
    await lee.page.keyboard.press("Enter");
    await expect(lee.row("third"), "the message is deleted").toHaveCount(0);
  });
});

test.describe("the messages by keyboard", () => {
  test("a message with the focus is read with its text, its reactions and its replies, and the first new one is named", async ({ cast, server }) => {
    await server.room("spoken", "ann", ["bob"]);
    const old = await server.post("ann", "spoken", "an old one");
    await server.post("ann", "spoken", "a reply", { thread: old.id });
    await server.api("ann", "PUT", "/rooms/spoken/read", { message: old.id });
    await server.post("bob", "spoken", "a **new** one");
    const ann = await cast.enter("ann", { room: "spoken" });
    await expect(ann.row("an old one")).toHaveAccessibleDescription(/^an old one.* 1 reply, last/);
    await expect(ann.row("a new one")).toHaveAccessibleDescription("a new one");
    await expect(ann.row("a new one")).toHaveAccessibleName(/^bob, .*, first new message$/);
  });

  test("Shift+Tab leads to the first new message, and after a visit to the newest", async ({ cast, server }) => {
    await server.room("fresh", "ann", ["bob"]);
    const { id } = await server.post("ann", "fresh", "an old one");
    await server.api("ann", "PUT", "/rooms/fresh/read", { message: id });
    for (let n = 1; n <= 30; n++) await server.post("bob", "fresh", `new ${n}.`);
    const ann = await cast.enter("ann", { room: "fresh" });
    await ann.focusIs("Message #fresh");
    await ann.page.keyboard.press("Shift+Tab");
    await expect(ann.row("new 1.")).toBeFocused();
    await ann.post("mine");
    await ann.focusIs("Message #fresh");
    await ann.page.keyboard.press("Shift+Tab");
    await expect(ann.row("mine")).toBeFocused();
  });

  test("what a message's menu opens gives the focus back to the message", async ({ cast, server }) => {
    await server.room("return", "ann", ["bob"]);
    await server.post("bob", "return", "a message to act on");
    const ann = await cast.enter("ann", { room: "return" });
    const row = ann.row("a message to act on");
    for (const [action, dialog] of [["React", "React"], ["Forward…", "Forward a message"]]) {
      await ann.choose(action);
      await ann.page.getByRole("dialog", { name: dialog }).waitFor();
      await ann.page.keyboard.press("Escape");
      await expect(row, `${action} gives the focus back`).toBeFocused();
    }
    await row.press("Enter");
    await expect(ann.page.getByRole("menuitem").first()).toBeFocused();
    await ann.page.keyboard.press("Escape");
    await expect(row, "the menu gives the focus back").toBeFocused();
  });
});

/** Presses Tab until an element has the focus. It must be visible there. */
async function tabTo(person, name) {
  for (let n = 0; n < 60; n++) {
    await person.page.keyboard.press("Tab"); // the browser moves the focus while it handles the key
    if (await person.focused() !== name) continue;
    const ring = await person.page.evaluate(() => { const s = getComputedStyle(document.activeElement); return s.outlineStyle !== "none" || s.boxShadow !== "none"; });
    expect(ring, `the focus at ${name} is not visible`).toBe(true);
    return;
  }
  throw new Error(`Tab does not lead to ${name}`);
}

test.describe("read aloud", () => {
  test("others' new messages are spoken once, history and own ones never", async ({ cast, server }) => {
    await server.room("voices", "ann", ["bob"]);
    await server.post("bob", "voices", "old news");
    const ann = await cast.enter("ann", { room: "voices" });
    await ann.page.addInitScript(listen);
    await ann.page.reload();
    await ann.sees("old news");
    await expect(ann.log).not.toHaveAttribute("aria-live", "polite");
    const spoken = () => ann.page.evaluate(() => window.spoken);
    const hears = text => expect.poll(spoken, `${text} is spoken`).toContainEqual(expect.stringContaining(text));
    await ann.post("my own words");
    await server.post("bob", "voices", "fresh news");
    await hears("fresh news");
    await server.post("ann", "voices", "my words from elsewhere");
    await server.post("bob", "voices", "later news"); // what is spoken twice is spoken with it
    await hears("later news");
    await server.post("bob", "voices", "@ann, **bold** [plan](https://plan.example)", { mentions: ["ann"] });
    await hears("bob, mentions you: @ann, bold plan");
    const texts = await spoken();
    expect(texts.filter(text => text.includes("fresh news")), "fresh news is spoken again").toHaveLength(1);
    expect(texts.filter(text => /old news|my own words|elsewhere/.test(text)), "own or old words are spoken").toEqual([]);
  });
});

test("a room says how much is new in it when it opens", async ({ cast, server }) => {
  await server.room("calls", "ann", ["bob"]);
  const { id } = await server.post("ann", "calls", "old");
  await server.api("ann", "PUT", "/rooms/calls/read", { message: id });
  for (const text of ["one", "two"]) await server.post("bob", "calls", text);
  await server.room("elsewhere", "ann");
  await server.post("ann", "elsewhere", "the newest room is opened first");
  const ann = await cast.enter("ann", { room: "elsewhere", prepare: page => page.addInitScript(listen) });
  await ann.go("calls");
  await expect.poll(() => ann.page.evaluate(() => window.spoken)).toEqual(["2 new messages"]);
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

  test("360 px and 200 % zoom have no horizontal scroll", async ({ cast }) => {
    // A window of 1280 px at 200 % has 640 CSS pixels.
    for (const options of [{ viewport: PHONE }, { viewport: { width: 640, height: 430 }, deviceScaleFactor: 2 }, { viewport: { width: 320, height: 640 } }]) {
      const ann = await cast.enter("ann", { room: "hall", ...options });
      await ann.sees("a message of mine");
      await expect.poll(() => noHorizontalScroll(ann), JSON.stringify(options)).toEqual({ scrolls: false, wide: [] });
      await ann.button("People").click();
      await ann.panel.waitFor();
      await ann.still();
      await expect.poll(() => noHorizontalScroll(ann), `people at ${JSON.stringify(options)}`).toEqual({ scrolls: false, wide: [] });
    }
  });

  test("targets on a phone are large enough", async ({ cast }) => {
    const ann = await cast.enter("ann", { room: "hall", viewport: PHONE, hasTouch: true, isMobile: true });
    for (const name of ["Back to rooms", "People", "Send"]) {
      const side = async () => {
        const { width, height } = await ann.page.getByRole("button", { name: new RegExp(`^${name}`) }).boundingBox();
        return Math.min(width, height);
      };
      await expect.poll(side, `the shorter side of ${name}`).toBeGreaterThanOrEqual(44);
    }
    await ann.log.locator(".tools").first().waitFor();
    const covered = () => ann.log.getByRole("article").evaluateAll(rows => rows.map(row => {
      const tools = row.querySelector(".tools")?.getBoundingClientRect();
      const text = row.querySelector(".main").getBoundingClientRect();
      return tools && tools.left < text.right && tools.right > text.left && `${row.textContent}: ${text.right} to ${tools.left}`;
    }).filter(Boolean));
    await expect.poll(covered, "actions of a message do not cover its text").toEqual([]);
  });

  test("forced colors show the chosen option and the current room", async ({ cast }) => {
    const ann = await cast.enter("ann", { room: "hall", forcedColors: "active" });
    await expect(ann.link("hall")).toHaveCSS("outline-style", "solid");
    await ann.page.keyboard.press("Control+k");
    await expect(ann.page.getByRole("option", { selected: true })).toHaveCSS("outline-style", "solid");
  });

  test("reduced motion moves nothing", async ({ cast }) => {
    const ann = await cast.enter("ann", { room: "hall" });
    await ann.button("People").click();
    await ann.panel.waitFor();
    const moving = await ann.page.evaluate(() => document.getAnimations().filter(a => {
      const ms = Number(a.effect?.getComputedTiming().duration);
      const properties = a.effect?.getKeyframes().flatMap(Object.keys) ?? [];
      return ms > 1 && properties.some(p => /transform|translate|scale|rotate|left|top|height|width/.test(p));
    }).map(a => a.animationName ?? a.transitionProperty));
    expect(moving).toEqual([]);
    const smooth = await ann.page.evaluate(() => [...document.querySelectorAll("*")].filter(e => getComputedStyle(e).scrollBehavior === "smooth").length);
    expect(smooth).toBe(0);
  });

  test("text from right to left is laid out so, in messages and composer", async ({ cast }) => {
    const ann = await cast.enter("ann", { room: "hall" });
    const direction = text => ann.row(text).locator(".text").evaluate(e => getComputedStyle(e.querySelector("[dir]") ?? e).direction);
    await expect.poll(() => direction("this is mixed")).toBe("rtl");
    await expect.poll(() => direction("a message of mine")).toBe("ltr");
    await ann.composer.fill("שלום");
    await expect(ann.composer).toHaveCSS("direction", "rtl");
  });
});
