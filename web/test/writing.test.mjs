// Writing: markup, mentions, drafts, aids of the field, files and emoji.
import { clean } from "./axe.mjs";
import { DOWN, PHONE, WIDE, calm, expect, suite } from "./fixtures.mjs";

const test = suite();
test.use(calm);

const at = (room, id) => `/rooms/${room}/messages/${encodeURIComponent(id)}`;
const size = locator => locator.evaluate(e => parseFloat(getComputedStyle(e).fontSize));

test.describe("markup", () => {
  test("lists, quotes, links with a text and strikes are rendered", async ({ cast }) => {
    const [ann, bob] = await cast.pair("format");
    await ann.composer.fill("for today\n- **tea**\n  1. green\n- ~~milk~~\n> as [the plan](https://plan.example/x) says\n[→ bank.example](https://evil.example/)\nhttps://bаnk.example/");
    await ann.composer.press("Enter");
    const row = bob.row("for today");
    await expect(row.getByRole("listitem").filter({ hasText: "milk" }).getByRole("deletion")).toHaveText("milk");
    await expect(row.getByRole("list").getByRole("list").getByRole("listitem")).toHaveText("green");
    await expect(row.getByRole("blockquote")).toHaveText("as the plan says");
    await expect(row.getByRole("link", { name: "the plan" })).toHaveAttribute("title", "https://plan.example/x");
    await expect(row.getByRole("link").nth(1), "a label in disguise keeps its address").toHaveText("→ bank.example (https://evil.example/)");
    await expect(row.getByRole("link").last(), "a host in two scripts shows its letters").toHaveText("https://xn--bnk-6cd.example/");
    await clean(bob, "lists and quotes", ".log");
  });

  test("code scrolls sideways, names its language and is copied", async ({ cast, server }) => {
    await server.room("source", "ann", ["bob"]);
    const code = `func main() {\n\tfmt.Println("${"a long word ".repeat(20)}")\n}`;
    await server.post("bob", "source", `\`\`\`go\n${code}\n\`\`\``);
    const ann = await cast.enter("ann", { room: "source", viewport: PHONE, permissions: ["clipboard-write"] });
    const row = ann.row("func main");
    await expect(row.getByText("go", { exact: true })).toBeVisible();
    expect(await row.locator("pre").evaluate(e => e.scrollWidth > e.clientWidth && e.clientHeight < 120), "lines wrap").toBe(true);
    await row.getByRole("button", { name: "Copy code" }).click();
    await ann.page.getByText("Code copied.").waitFor();
    await ann.composer.press("Control+v");
    await expect(ann.composer).toHaveValue(code);
    await clean(ann, "code", ".log");
  });

  test("code stands in quotes and lists, and an @ before its name in a text from right to left", async ({ cast, server }) => {
    await server.room("blocks", "ann", ["bob"]);
    await server.post("bob", "blocks", "> as it was\n> ```\n> make\n> ```\nafter\n- run\n  ````\n  ```\n  ````\n\\*so\\* Https://a.example/b www.b.example");
    await server.post("bob", "blocks", "שלום @bob תודה", { mentions: ["bob"] });
    const ann = await cast.enter("ann", { room: "blocks" });
    const row = ann.row("as it was");
    await expect(row.getByRole("blockquote").locator("pre")).toHaveText("make");
    await expect(row.getByRole("listitem").locator("pre")).toHaveText("```");
    await expect(row.locator(".text")).toContainText("*so*");
    await expect(row.getByRole("link", { name: "Https://a.example/b" })).toHaveAttribute("href", "https://a.example/b");
    await expect(row.getByRole("link", { name: "www.b.example" })).toHaveAttribute("href", "https://www.b.example/");
    const [at, name] = await ann.row("שלום").locator(".mention").evaluate(e => {
      const left = (from, to) => {
        const range = document.createRange();
        range.setStart(e.firstChild, from);
        range.setEnd(e.firstChild, to);
        return range.getBoundingClientRect().left;
      };
      return [left(0, 1), left(1, 2)];
    });
    expect(at, "the @ is left of a Latin name").toBeLessThan(name);
  });

  test("one to three emoji are large alike", async ({ cast, server }) => {
    await server.room("faces", "ann", ["bob"]);
    for (const text of ["🎉", "🙌🏽🙌🏽🙌🏽", "🎉🎉🎉🎉"]) await server.post("bob", "faces", text);
    const ann = await cast.enter("ann", { room: "faces" });
    const sizes = [];
    for (const row of await ann.log.getByRole("article").locator(".text").all()) sizes.push(await size(row));
    expect(sizes).toEqual([sizes[0], sizes[0], sizes[2]]);
    expect(sizes[0]).toBeGreaterThan(1.5 * sizes[2]);
  });
});

test.describe("mentions", () => {
  const mentions = async (server, room, id) => (await server.api("ann", "GET", at(room, id))).mentions;

  test("exact names and ids mention people without being chosen, and are shown before", async ({ cast, server }) => {
    await server.api("mei-tanaka", "PUT", "/people/me", { name: "Mei Tanaka" });
    await server.api("raj", "PUT", "/people/me", { name: "Raj Rao" });
    const [ann, bob] = await cast.pair("typed");
    await server.api("mei-tanaka", "PUT", "/rooms/typed/members/me", { role: "member" });
    await ann.composer.fill("@mei tanaka and @bob, @raj: look");
    await ann.page.getByText("Mentions Mei Tanaka, bob and Raj Rao").waitFor();
    await clean(ann, "a line with mentions", ".foot");
    await ann.composer.press("Enter");
    const id = await ann.sent("@mei tanaka and");
    expect((await mentions(server, "typed", id)).sort()).toEqual(["bob", "mei-tanaka", "raj"]);
    await expect(bob.row("@mei tanaka and").locator(".mention")).toHaveText(["@mei tanaka", "@bob", "@raj"]);

    await ann.composer.fill("@mei-tanaka again"); // Enter follows before anything was looked up
    await ann.composer.press("Enter");
    expect(await mentions(server, "typed", await ann.sent("@mei-tanaka again"))).toEqual(["mei-tanaka"]);
  });

  test("a name of nobody or of several people is shown before, and is sent as text", async ({ cast, server }) => {
    for (const user of ["kim1", "kim2"]) await server.api(user, "PUT", "/people/me", { name: "Kim Lee" });
    const [ann] = await cast.pair("unclear");
    await ann.composer.fill("@nessie are you here");
    await ann.page.getByText("@nessie is nobody here. Choose a name, or send it as text.").waitFor();
    await ann.composer.fill("@Kim Lee or not");
    await ann.page.getByText("Several people are called @Kim. Choose a name, or send it as text.").waitFor();
    await ann.composer.press("Enter");
    const id = await ann.sent("@Kim Lee or not");
    expect(await mentions(server, "unclear", id)).toBe(undefined);
  });

  test("a name is looked up also if the code for it is late", async ({ cast }) => {
    const late = page => page.route("**/completion.js", route => setTimeout(() => void route.fallback(), 500));
    const [ann] = await cast.pair("late-names", { prepare: late });
    await ann.composer.fill("@nessie are you here");
    await ann.page.getByText("@nessie is nobody here. Choose a name, or send it as text.").waitFor();
  });

  test("a message with a name is sent once while the look-up hangs, and offline", async ({ cast, server }) => {
    const [ann, bob] = await cast.pair("hanging");
    await ann.page.route(/\/people\?/, () => {}); // no answer ever comes
    await ann.composer.fill("@zoe first");
    await ann.composer.press("Enter");
    await ann.page.keyboard.type("second");
    await ann.composer.press("Enter");
    await bob.sees("second");
    await expect(bob.log.getByRole("article")).toHaveCount(2);
    await expect(bob.log.locator(".text")).toHaveText(["@zoe first", "second"]);
    await expect(ann.composer).toHaveValue("");
    await ann.page.unroute(/\/people\?/);

    ann.allow(DOWN);
    await ann.page.context().setOffline(true);
    await ann.page.getByText("Offline. Messages will be sent").waitFor();
    await ann.say("@bob offline");
    await ann.page.context().setOffline(false);
    await ann.sent("@bob offline");
    await bob.sees("@bob offline");
    await expect(bob.row("@bob offline")).toHaveCount(1);
  });

  test("somebody outside a private room is named, and can be added before the message is sent", async ({ cast, server }) => {
    await server.api("zoe", "PUT", "/people/me", { name: "Zoe Zimmer" });
    await server.api("yan", "PUT", "/people/me", { name: "Yan Yu" });
    const told = user => server.api(user, "GET", "/people/me/mentions").then(({ items }) => items.map(m => m.message.text));
    const { id: room } = await server.api("ann", "POST", "/rooms", { visibility: "private", name: "Cellar" });
    await server.api("ann", "PUT", `/rooms/${room}/members/bob`, { role: "member" });
    const ann = await cast.enter("ann", { room });
    await ann.composer.fill("@Zoe Zimmer and @bob: hello");
    await ann.page.getByText("Zoe Zimmer is not in this room.").waitFor();
    await expect(ann.page.locator(".foot .line"), "only bob is mentioned").toContainText("Mentions bob");
    await clean(ann, "somebody outside", ".foot");
    await ann.page.getByRole("button", { name: "Add Zoe Zimmer to the room" }).click();
    await ann.page.getByText("Mentions Zoe Zimmer and bob").waitFor();
    await expect(ann.composer).toBeFocused();
    await ann.page.keyboard.press("Enter");
    await expect.poll(() => told("zoe")).toEqual(["@Zoe Zimmer and @bob: hello"]);

    const bob = await cast.enter("bob", { room });
    await bob.composer.fill("@Yan Yu too");
    await bob.page.getByText("Yan Yu is not in this room.").waitFor();
    await expect(bob.page.getByRole("button", { name: /^Add Yan/ }), "members add nobody").toHaveCount(0);
    await bob.composer.press("Enter");
    await bob.page.getByText("Yan Yu is not in this room. This person was not notified.").waitFor();
    expect(await told("yan")).toEqual([]);
  });

  test("in a large private room, who is beyond the first page of members is not taken for somebody outside", async ({ cast, server }) => {
    const { id: room } = await server.api("ann", "POST", "/rooms", { visibility: "private", name: "Hall" });
    const guests = Array.from({ length: 200 }, (_, n) => `guest${n}`);
    for (const user of [...guests, "zzz-last"]) await server.api("ann", "PUT", `/rooms/${room}/members/${user}`, { role: "member" });
    for (const [user, name] of [["zzz-last", "Zack Last"], ["zzz-none", "Zadie None"]]) await server.api(user, "PUT", "/people/me", { name });
    const ann = await cast.enter("ann", { room });
    ann.allow(/404 \(Not Found\).*members\/zzz-none/);
    await ann.composer.fill("@Zack Last and @Zadie None: welcome");
    await ann.page.getByText("Zadie None is not in this room.").waitFor();
    await expect(ann.page.locator(".foot .line")).toContainText("Mentions Zack Last");
  });

  test("everyone in a large room is mentioned only after a question", async ({ cast, server }) => {
    await server.room("choir", "ann", Array.from({ length: 21 }, (_, n) => `singer${n}`));
    await server.room("trio", "ann", ["bob", "cem"]);
    const ann = await cast.enter("ann", { room: "choir" });
    const asked = ann.page.getByRole("alertdialog", { name: "Mention everyone?" });
    await ann.composer.fill("@room sing");
    await ann.composer.press("Enter");
    await asked.getByText("21 people will be notified.").waitFor();
    await clean(ann, "the question");
    await ann.page.keyboard.press("Escape");
    await expect(ann.composer).toBeFocused();
    await expect(ann.composer).toHaveValue("@room sing");
    await expect(ann.row("@room sing")).toHaveCount(0);
    await ann.composer.press("Enter");
    await asked.getByRole("button", { name: "Send" }).click();
    expect(await server.api("ann", "GET", at("choir", await ann.sent("@room sing")))).toMatchObject({ mentionRoom: true });
    await ann.link("trio").click();
    await ann.composer.fill("@room play");
    await ann.composer.press("Enter");
    await ann.sent("@room play");
  });

  test("a room is completed by its name, and links to it by its current one", async ({ cast, server }) => {
    await server.room("garden-x1", "bob", ["ann"], { name: "Garden" });
    const [ann, bob] = await cast.pair("hedge");
    await ann.composer.pressSequentially("see #gar");
    await ann.page.getByRole("listbox", { name: "Rooms to link" }).getByRole("option", { name: "Garden" }).waitFor();
    await clean(ann, "rooms to link", ".foot");
    await ann.composer.press("Enter");
    await expect(ann.composer).toHaveValue("see #Garden ");
    await ann.composer.pressSequentially("today");
    await ann.composer.press("Enter");
    await server.api("bob", "PATCH", "/rooms/garden-x1", { name: "Orchard" });
    await bob.row("today").getByRole("link", { name: "#Orchard" }).click();
    await bob.hashIs("#/garden-x1");
  });

  test("a code of an emoji is completed and undone", async ({ cast }) => {
    const [ann] = await cast.pair("codes");
    await ann.composer.pressSequentially("done :tad");
    await ann.page.getByRole("listbox", { name: "Emoji" }).getByRole("option", { name: ":tada:" }).waitFor();
    await ann.composer.press("Tab");
    await expect(ann.composer).toHaveValue("done 🎉 ");
    await ann.composer.press("Control+z");
    await expect(ann.composer).toHaveValue("done :tad");
    await ann.composer.fill("");
    await ann.composer.pressSequentially("done :tada:");
    await expect(ann.composer, "a code that is typed to its end").toHaveValue("done 🎉");
    await ann.composer.pressSequentially(" at 10:30:45, std::map: and :no-such-code:");
    await expect(ann.composer).toHaveValue("done 🎉 at 10:30:45, std::map: and :no-such-code:");
    await ann.composer.fill("");
    await ann.composer.pressSequentially(":tada:");
    await expect(ann.composer).toHaveValue("🎉");
    await ann.composer.press("Control+z");
    await expect(ann.composer).toHaveValue(":tada:");
  });
});

test.describe("drafts", () => {
  test("a draft survives the window, shows in the list, and follows another tab", async ({ cast, server }) => {
    await server.room("desk", "dan");
    await server.room("shelf", "dan");
    await server.post("dan", "shelf", "the newest");
    const dan = await cast.enter("dan", { room: "desk" });
    await dan.composer.fill("half a thought");
    await dan.go("shelf");
    await dan.nav.getByRole("link", { name: "desk, draft" }).waitFor();
    await clean(dan, "a draft in the list", ".nav");
    const other = await dan.page.context().newPage();
    await dan.page.close();
    await other.goto(`${server.url}/#as=dan`);
    await other.getByRole("navigation", { name: "Rooms" }).getByRole("link", { name: "desk, draft" }).click();
    const field = other.getByRole("textbox", { name: /^Message / });
    await expect(field).toHaveValue("half a thought");
    await expect(other.getByRole("link", { name: "desk", exact: true }), "the room that is open needs no mark").toHaveCount(1);

    const third = await dan.page.context().newPage();
    await third.goto(`${server.url}/#as=dan`);
    await third.evaluate(() => { location.hash = "#/desk"; });
    await field.blur(); // all windows of a test have the focus
    await third.getByRole("textbox", { name: /^Message / }).fill("a whole thought");
    await expect(field).toHaveValue("a whole thought");
    await third.getByRole("textbox", { name: /^Message / }).press("Enter");
    await expect(field).toHaveValue("");
  });

  test("drafts are dropped at sign-out", async ({ cast, server }) => {
    await server.room("drawer", "eva");
    const eva = await cast.enter("eva", { room: "drawer" });
    await eva.composer.fill("a secret");
    await eva.page.getByRole("button", { name: /^eva/ }).click();
    await eva.button("Sign out").click();
    await eva.page.getByRole("alertdialog", { name: "Sign out?" }).getByRole("button", { name: "Discard and sign out" }).click();
    await eva.page.getByRole("heading", { name: "Signed out" }).waitFor();
    await expect.poll(() => eva.page.evaluate(() => Object.values(localStorage).join())).not.toContain("a secret");
  });
});

test.describe("emoji", () => {
  const field = person => person.page.getByRole("combobox", { name: "Find an emoji" });

  test("one is found by its group, in a skin tone that is remembered, and goes where the caret is", async ({ cast }) => {
    const [ann] = await cast.pair("picks");
    await ann.composer.fill("ab");
    await ann.composer.press("ArrowLeft");
    await ann.button("Emoji").click();
    await field(ann).waitFor();
    await ann.page.getByRole("radio", { name: "Medium", exact: true }).check({ force: true });
    await ann.button("People").last().click();
    await clean(ann, "the picker with a group");
    await ann.page.getByRole("option", { name: "wave", exact: true }).click();
    await expect(ann.composer).toHaveValue("a👋🏽b");
    await ann.focusIs(/^Message /);
    await ann.composer.press("Control+z");
    await expect(ann.composer).toHaveValue("ab");
    await ann.page.reload();
    await ann.button("Emoji").click();
    await expect(ann.page.getByRole("option").first(), "the recent one is first").toHaveText("👋🏽");
    await field(ann).pressSequentially("raised hands");
    await expect(ann.page.getByRole("option").first()).toHaveText("🙌🏽");
    await field(ann).press("Enter");
    await expect(ann.composer).toHaveValue("ab🙌🏽");
  });
});

test.describe("pickers", () => {
  const picker = person => person.page.locator("dialog.picker");

  /** Waits until a picker is open next to an element, in sight as a whole, over a page that is not dimmed. */
  async function opensAt(person, anchor, what, dialog = picker(person)) {
    await dialog.waitFor();
    await person.still();
    const [at, box] = await Promise.all([anchor.boundingBox(), dialog.boundingBox()]);
    const apart = Math.max(box.x - at.x - at.width, at.x - box.x - box.width, box.y - at.y - at.height, at.y - box.y - box.height);
    expect(apart, `${what}: pixels between the picker and its button`).toBeLessThanOrEqual(8);
    expect(Math.min(box.x, box.y, WIDE.width - box.x - box.width, WIDE.height - box.y - box.height), `${what} is in sight`).toBeGreaterThanOrEqual(0);
    expect(await dialog.evaluate(e => getComputedStyle(e, "::backdrop").backgroundColor), `${what}: the page behind`).toBe("rgba(0, 0, 0, 0)");
  }

  /** Waits until a picker is a sheet at the foot of a phone. */
  async function isSheet(person, dialog) {
    await dialog.waitFor();
    await person.still();
    const { x, y, width, height } = await dialog.boundingBox();
    expect([x, width, y + height], "a sheet at the foot").toEqual([0, PHONE.width, PHONE.height]);
    expect(y, "the page above the sheet is in sight").toBeGreaterThan(0);
  }

  test("open at their button over a page that is not dimmed, and are sheets on a phone", async ({ cast, server }) => {
    await server.room("pickers", "ann", ["bob"]);
    for (let n = 0; n < 20; n++) await server.post("ann", "pickers", `line ${n} of some words`);
    const ann = await cast.enter("ann", { room: "pickers" });
    await ann.settled();
    await ann.button("Emoji").click();
    await opensAt(ann, ann.button("Emoji"), "the emoji of a text");
    await clean(ann, "a picker at its button");
    await ann.page.keyboard.press("Escape");
    await ann.act("line 12 of", "React");
    await opensAt(ann, ann.row("line 12 of"), "the emoji of a reaction");
    await ann.page.keyboard.press("Escape");
    await ann.button("Your status").click();
    await ann.button("Choose an emoji").click();
    await opensAt(ann, ann.page.locator("dialog .status-fields .button").first(), "the emoji of a status");

    const bob = await cast.enter("bob", { room: "pickers", viewport: PHONE, hasTouch: true, isMobile: true });
    await bob.button("Emoji").tap();
    await isSheet(bob, picker(bob));
  });

  test("of people open at their button, too, and return the focus to it", async ({ cast, server }) => {
    await server.room("picked", "eve", ["bob"]);
    const eve = await cast.enter("eve", { room: "picked" });
    const direct = eve.page.getByRole("dialog", { name: "New direct message" });
    const invite = eve.page.getByRole("dialog", { name: "Invite people to picked" });
    for (const name of ["New direct message", "Write to somebody"]) {
      await eve.button(name).click();
      await opensAt(eve, eve.button(name), name, direct);
      await eve.focusIs("Find a person");
      await clean(eve, name);
      await eve.page.keyboard.press("Escape");
      await eve.focusIs(name);
      await expect(direct).toHaveCount(0); // the focus returns first
    }
    await eve.page.keyboard.press("Enter");
    await opensAt(eve, eve.button("Write to somebody"), "by keyboard", direct);
    await eve.page.keyboard.press("Escape");
    await expect(direct).toHaveCount(0);
    await eve.composer.focus();
    await eve.page.keyboard.press("Control+Shift+K");
    await direct.waitFor();
    await expect(direct, "a key has no button").not.toHaveClass(/near/);
    await eve.page.keyboard.press("Escape");
    await eve.show("People");
    await eve.button("Invite").click();
    await opensAt(eve, eve.button("Invite"), "Invite", invite);
    await eve.focusIs("Add somebody");
    await eve.button("Create a link").click();
    await eve.page.getByRole("button", { name: /^Revoke/ }).waitFor();
    await opensAt(eve, eve.button("Invite"), "Invite, which has grown", invite);
    await eve.page.keyboard.press("Escape");
    await eve.focusIs("Invite");

    const bob = await cast.enter("bob", { viewport: PHONE, hasTouch: true, isMobile: true });
    await bob.page.goto(`${server.url}/#/`);
    await bob.button("New direct message").tap();
    await isSheet(bob, bob.page.getByRole("dialog", { name: "New direct message" }));
    await bob.page.goBack();
    await expect(bob.page.getByRole("dialog")).toHaveCount(0);
  });
});

test.describe("aids", () => {
  test("keys make words bold, a pasted link labels them, and the browser undoes it", async ({ cast }) => {
    const [ann] = await cast.pair("aids", { permissions: ["clipboard-write"] });
    const { composer, page } = ann;
    const preview = page.getByRole("group", { name: "Preview" });
    await composer.fill("the plan");
    await composer.press("Shift+Home");
    await composer.press("Control+b");
    await expect(composer).toHaveValue("**the plan**");
    await expect(preview.getByRole("strong")).toHaveText("the plan");
    await clean(ann, "a preview");
    await composer.press("Control+b");
    await composer.press("Control+i");
    await expect(composer).toHaveValue("_the plan_");
    await composer.press("Control+z");
    await composer.press("Control+z");
    await expect(composer).toHaveValue("**the plan**");
    await page.evaluate(() => navigator.clipboard.writeText("https://plan.example/x"));
    await composer.press("Control+a");
    await composer.press("Control+v");
    await expect(composer).toHaveValue("[**the plan**](https://plan.example/x)");
    await expect(preview.getByRole("link")).toHaveText("the plan");
    await ann.button("Hide preview").click();
    await expect(preview).toHaveCount(0);
    await ann.button("Show preview").click();
    await composer.focus();
    await composer.press("End");
    await composer.press("Enter");
    await expect(ann.row("the plan").getByRole("link", { name: "the plan" })).toHaveAttribute("href", "https://plan.example/x");
    await expect(preview).toHaveCount(0);

    await ann.sent("the plan");
    await composer.press("ArrowUp");
    const editor = page.getByRole("textbox", { name: "Edit message" });
    await editor.press("Control+a");
    await editor.press("Control+Shift+x");
    await expect(editor).toHaveValue("~~[**the plan**](https://plan.example/x)~~");
    await editor.press("Enter");
    await expect(ann.row("the plan").getByRole("deletion")).toHaveText("the plan");
  });

  test("the bar has marks for the selected words, which stay hidden once they are", async ({ cast }) => {
    const [ann] = await cast.pair("marks");
    const marks = ann.page.getByRole("toolbar", { name: "Formatting" });
    const mark = name => marks.getByRole("button", { name, exact: true });
    await ann.composer.fill("the plan");
    await ann.composer.press("Shift+Home");
    await ann.composer.evaluate(field => field.addEventListener("blur", () => { field.title = "left"; }, { once: true }));
    await mark("Bold").click();
    await expect(ann.composer).toHaveValue("**the plan**");
    await expect(ann.composer, "a mark leaves the focus, and a keyboard on the screen, where they are").not.toHaveAttribute("title");
    await mark("Bold").click();
    await mark("Quotation").click();
    await expect(ann.composer).toHaveValue("> the plan");
    await ann.composer.press("Control+z");
    await ann.composer.press("Control+a");
    await mark("Bold").focus();
    for (let n = 0; n < 4; n++) await ann.page.keyboard.press("ArrowRight");
    await ann.focusIs("Link");
    await ann.page.keyboard.press("Enter");
    await ann.page.keyboard.type("https://plan.example");
    await expect(ann.composer).toHaveValue("[the plan](https://plan.example)");
    await clean(ann, "the bar of marks", ".foot");
    await ann.button("Formatting").click();
    await expect(marks).toHaveCount(0);
    await ann.page.reload();
    await ann.button("Formatting").waitFor();
    await expect(marks, "hidden marks").toHaveCount(0);
    await ann.page.keyboard.press("Control+b"); // the draft has the focus
    await ann.button("Formatting").click();
    await mark("List").waitFor();
  });

  test("the preview of a text covers no message", async ({ cast, server }) => {
    await server.room("uncovered", "ann", ["bob"]);
    for (let n = 0; n < 30; n++) await server.post("ann", "uncovered", `line ${n} of some words`);
    for (const options of [{}, { viewport: PHONE, hasTouch: true, isMobile: true }]) {
      const ann = await cast.enter("ann", { room: "uncovered", ...options });
      await ann.settled();
      await ann.composer.fill(Array.from({ length: 12 }, (_, n) => `- **point ${n}**`).join("\n"));
      const preview = ann.page.getByRole("group", { name: "Preview" });
      await preview.waitFor();
      await ann.still();
      const newest = await ann.row("line 29 of").boundingBox();
      expect(newest.y + newest.height, "the end of the newest message").toBeLessThanOrEqual((await preview.boundingBox()).y);
      expect(newest.y, "the newest message is in sight").toBeGreaterThan(0);
      await ann.composer.fill("");
    }
  });

  test("pasted codes become emoji, but not within code, and undo gives them back", async ({ cast }) => {
    const [ann] = await cast.pair("codes", { permissions: ["clipboard-read", "clipboard-write"] });
    const pasted = "done :tada::+1: at 10:30:15 `:tada:` :no-such-one: :wave::skin-tone-2:";
    await ann.page.evaluate(text => navigator.clipboard.writeText(text), pasted);
    await ann.composer.fill("all ");
    await ann.composer.press("Control+v");
    await expect(ann.composer).toHaveValue("all done 🎉👍 at 10:30:15 `:tada:` :no-such-one: 👋🏻");
    await ann.composer.press("Control+z");
    await expect(ann.composer).toHaveValue(`all ${pasted}`);
  });

  test("code that is too long for a message is offered as a file", async ({ cast, server }) => {
    const [ann, bob] = await cast.pair("long-code");
    const code = `${"let x = 1; ".repeat(4000)}\nend`;
    await ann.composer.fill(`\`\`\`js\n${code}\n\`\`\``);
    await ann.page.getByText("characters too many").waitFor();
    await ann.page.getByRole("button", { name: "Send as a file" }).click();
    await expect(ann.composer).toHaveValue("");
    await ann.page.getByText("code.txt", { exact: true }).first().waitFor();
    await ann.composer.press("Enter");
    await bob.log.getByText("code.txt").waitFor();
    const { items } = await server.api("ann", "GET", "/rooms/long-code/messages");
    expect(items.flatMap(m => m.attachments ?? []).map(a => [a.name, a.bytes])).toEqual([["code.txt", code.length]]);
  });

  test("Shift+Enter continues a list, and the rest is counted in characters", async ({ cast }) => {
    const [ann] = await cast.pair("lines");
    await ann.composer.pressSequentially("- tea");
    await ann.composer.press("Shift+Enter");
    await ann.composer.pressSequentially("milk");
    await expect(ann.composer).toHaveValue("- tea\n- milk");
    await ann.composer.fill("x".repeat(32_700));
    await ann.page.getByText("68 characters left").waitFor();
    await ann.composer.fill("é".repeat(16_394));
    await ann.page.getByText("10 characters too many").waitFor();
  });
});
