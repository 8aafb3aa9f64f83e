// Actions on messages other than writing them: quotes and mentions, live and by keyboard.
import { clean } from "./axe.mjs";
import { PHONE, REFUSED, calm, expect, gate, suite } from "./fixtures.mjs";

const test = suite({ fill: server => server.api("bob", "PUT", "/people/me", { name: "Bob Baker" }) });
test.use(calm);

const newest = async ({ server }, room) => (await server.messages("ann", room)).at(-1);

/** Waits until a room's newest message has a text, and a value of some property. */
const stores = (cast, room, text, property, value) => expect.poll(async () => {
  const message = await newest(cast, room);
  return [message.text, message[property]];
}).toEqual([text, value]);

test.describe("quotes", () => {
  test("a message is quoted by keyboard, shows in both windows, and leads to what it quotes", async ({ cast, server }) => {
    const [ann, bob] = await cast.pair("quotes");
    const { id } = await server.post("bob", "quotes", "Objections by *Monday* please");
    await ann.sees("Objections by");
    await ann.choose("Quote");
    await ann.focusIs("Message #quotes");
    await ann.page.locator(".quoting").getByText("Bob Baker: Objections by Monday please").waitFor();
    await clean(ann, "quoting");
    await ann.say("None from me");
    await ann.button("Do not quote").waitFor({ state: "hidden" });
    for (const person of [ann, bob]) {
      await person.row("None from me").getByRole("link", { name: "Bob Baker: Objections by Monday please" }).waitFor();
    }
    await ann.sent("None from me");
    await stores(cast, "quotes", "None from me", "quote", expect.objectContaining({ id }));
    await clean(ann, "a quote");
    await ann.choose("Go to quoted message");
    await ann.focusIs(/^Bob Baker, /);
    await ann.hashIs(new RegExp(`${encodeURIComponent(id)}$`));
  });

  test("Escape takes a quote back, and a deleted message is quoted without its text", async ({ cast, server }) => {
    const [ann, bob] = await cast.pair("unquoted");
    const id = await bob.post("on second thought");
    await ann.sees("on second thought");
    await ann.choose("Quote");
    await ann.button("Do not quote").waitFor();
    await expect(ann.composer).toBeFocused();
    await ann.page.keyboard.press("Escape");
    await ann.button("Do not quote").waitFor({ state: "hidden" });
    await ann.post("plain");
    await stores(cast, "unquoted", "plain", "quote", undefined);
    await server.post("ann", "unquoted", "with it", { quote: id });
    await bob.row("with it").getByRole("link", { name: "Bob Baker: on second thought" }).waitFor();
    await bob.act("on second thought", "Delete");
    for (const person of [ann, bob]) await person.row("with it").getByRole("link", { name: "Bob Baker: Message deleted" }).waitFor();
    await bob.page.reload();
    await bob.row("with it").getByRole("link", { name: "Bob Baker: Message deleted" }).waitFor();
  });

  test("a quote of a message that is not loaded has its text, on a phone too", async ({ cast, server }) => {
    await server.room("far", "ann", ["bob"]);
    const { id } = await server.post("bob", "far", "long ago");
    for (let n = 0; n < 55; n++) await server.post(n % 2 ? "ann" : "bob", "far", `line ${n}`);
    await server.read("ann", "far");
    const ann = await cast.enter("ann", { room: "far", viewport: PHONE, hasTouch: true });
    await server.post("bob", "far", "as I said", { quote: id });
    await ann.row("as I said").getByRole("link", { name: "Bob Baker: long ago" }).waitFor();
    await clean(ann, "a quote on a phone");
    await ann.row("as I said").getByRole("button", { name: "More" }).click();
    await ann.item("Quote").click();
    await ann.page.locator(".quoting").getByText("Bob Baker: as I said").waitFor();
    await clean(ann, "quoting on a phone");
  });
});

test.describe("mentions", () => {
  const list = person => person.page.getByRole("listbox", { name: "People to mention" });

  test("a name is completed by keyboard, is sent as an id, and is marked for whom it means", async ({ cast, server }) => {
    const [ann, bob] = await cast.pair("names");
    await server.api("cem", "PUT", "/rooms/names/members/me", { role: "member" });
    await ann.composer.pressSequentially("Ask @");
    await list(ann).getByRole("option", { name: "Bob Baker bob" }).waitFor();
    await expect(list(ann).getByRole("option").locator("[dir]")).toHaveText(["Bob Baker", "cem", "room"]);
    await clean(ann, "completion");
    await ann.composer.pressSequentially("bo");
    await expect(list(ann).getByRole("option"), "one is left").toHaveCount(1);
    await ann.composer.press("Enter");
    await list(ann).waitFor({ state: "hidden" });
    await expect(ann.composer).toHaveValue("Ask @Bob Baker ");
    await ann.composer.pressSequentially("when it is done");
    await ann.composer.press("Enter");
    await ann.sent("when it is done");
    await stores(cast, "names", "Ask @Bob Baker when it is done", "mentions", ["bob"]);
    for (const person of [ann, bob]) await expect(person.row("when it is done").locator(".mention")).toHaveText("@Bob Baker");
    await bob.page.getByRole("article", { name: /^ann, .*, mentions you$/ }).waitFor();
    await expect(ann.page.getByRole("article", { name: /mentions you/ })).toHaveCount(0);
    await clean(bob, "a mention");
  });

  test("Escape closes the names, the arrows move, and a name that was taken out is not sent", async ({ cast }) => {
    const [ann] = await cast.pair("escape");
    await ann.composer.pressSequentially("@");
    const options = list(ann).getByRole("option");
    await options.first().waitFor();
    await expect(options.first()).toHaveAttribute("aria-selected", "true");
    await ann.composer.press("ArrowDown");
    await expect(options.nth(1), "the second is active").toHaveAttribute("aria-selected", "true");
    await ann.composer.press("Escape");
    await list(ann).waitFor({ state: "hidden" });
    await expect(ann.composer).toHaveValue("@");
    await ann.composer.fill("");
    await ann.composer.pressSequentially("@bob");
    await options.first().waitFor();
    await ann.composer.press("Tab");
    await expect(ann.composer).toHaveValue("@Bob Baker ");
    await ann.post("nobody after all");
    await stores(cast, "escape", "nobody after all", "mentions", undefined);
  });

  test("all of a room are mentioned by those who may", async ({ cast }) => {
    const [ann, bob] = await cast.pair("all");
    await bob.composer.pressSequentially("@");
    await expect(list(bob).getByRole("option").locator("[dir]"), "bob may mention everybody").toHaveText(["ann"]);
    await bob.composer.fill("");
    await ann.composer.pressSequentially("@roo");
    await list(ann).getByRole("option", { name: "room Everyone here" }).waitFor();
    await ann.composer.press("Enter");
    await expect(ann.composer).toHaveValue("@room ");
    await ann.composer.pressSequentially("lunch");
    await ann.composer.press("Enter");
    await ann.sent("lunch");
    await stores(cast, "all", "@room lunch", "mentionRoom", true);
    await bob.page.getByRole("article", { name: /^ann, .*, mentions you$/ }).waitFor();
  });
});

test.describe("pins", () => {
  test("a message is pinned and taken away by keyboard, and the panels of both show it immediately", async ({ cast, server }) => {
    const [ann, bob] = await cast.pair("pins");
    await server.post("ann", "pins", "the map is at *parley.example*");
    await ann.sees("the map is at");
    await bob.sees("the map is at");
    await bob.button("Pinned messages").click();
    await bob.panel.getByText("No messages are pinned.").waitFor();
    await bob.panel.getByText("Only moderators and owners pin messages here.").waitFor(); // as the menu of a message has no "Pin"
    await bob.button("People").click();
    await bob.panel.getByText("Only moderators and owners add people. Others join by the room's link.").waitFor();
    await bob.button("Pinned messages").click();
    await ann.choose("Pin");
    await ann.page.getByText("Pinned for everyone in the room.").waitFor();
    await bob.panel.getByRole("listitem").getByText("the map is at parley.example").waitFor();
    await expect(bob.panel.getByRole("button", { name: "Unpin the message of ann" })).toHaveCount(0);
    await clean(bob, "pins");
    await ann.button("Pinned messages").press("Enter");
    await expect(ann.panel, "an owner may").not.toContainText("Only moderators");
    const unpin = ann.panel.getByRole("button", { name: "Unpin the message of ann" });
    await unpin.press("Enter");
    for (const person of [ann, bob]) await person.panel.getByText("No messages are pinned.").waitFor();
    await ann.focusIs("Pinned messages");
    await bob.panel.getByRole("heading").press("Escape");
    await bob.choose("Quote");
    await bob.composer.press("Escape");
    await bob.act("the map is at", "Copy link");
    await expect(bob.item("Pin")).toHaveCount(0);
  });

  test("a pinned message is found from a phone, and members pin where the room lets them", async ({ cast, server }) => {
    await server.room("found-pins", "ann", ["bob"], { pinning: "members" });
    const { id } = await server.post("ann", "found-pins", "the first of all");
    const bob = await cast.enter("bob", { room: "found-pins", viewport: PHONE, hasTouch: true });
    await bob.row("the first of all").getByRole("button", { name: "More" }).click();
    await bob.item("Pin").click();
    await bob.page.getByText("Pinned for everyone in the room.").waitFor();
    await bob.button("Pinned messages").click();
    await clean(bob, "pins on a phone");
    await bob.panel.getByRole("link", { name: "Show in room" }).click();
    await bob.hashIs(new RegExp(`${encodeURIComponent(id)}$`));
    await bob.panel.waitFor({ state: "hidden" });
    await bob.row("the first of all").waitFor();
  });
});

test.describe("reactions", () => {
  const chip = (person, text, name) => person.row(text).getByRole("button", { name, exact: true });
  /** Waits until the only reaction to a message is counted. A page that loads the message before does not show whose it is. */
  const counted = (server, room, id) => expect.poll(async () =>
    (await server.api("ann", "GET", `/rooms/${room}/messages/${encodeURIComponent(id)}`)).reactions?.[0]?.count, "the reaction is counted").toBe(1);

  test("an emoji is found by its name and chosen by keyboard, and both windows count it", async ({ cast }) => {
    const [ann, bob] = await cast.pair("reactions");
    await bob.post("shipped");
    await ann.sees("shipped");
    await ann.choose("React");
    const field = ann.page.getByRole("combobox", { name: "Find an emoji" });
    await field.waitFor();
    await clean(ann, "picker");
    await expect(field).toBeFocused();
    await ann.page.keyboard.press("ArrowRight");
    await expect(ann.page.getByRole("option", { name: "heart", exact: true }).first(), "the arrow moves").toHaveAttribute("aria-selected", "true");
    await field.pressSequentially("party");
    await ann.page.getByRole("option", { name: "tada" }).and(ann.page.locator("[aria-selected=true]")).waitFor();
    await field.press("Enter");
    for (const person of [ann, bob]) await chip(person, "shipped", "🎉 1").waitFor();
    await expect(chip(ann, "shipped", "🎉 1")).toHaveAttribute("aria-pressed", "true");
    await expect(chip(bob, "shipped", "🎉 1")).toHaveAttribute("aria-pressed", "false");
    await chip(bob, "shipped", "🎉 1").click();
    for (const person of [ann, bob]) await chip(person, "shipped", "🎉 2").waitFor();
    await expect(chip(ann, "shipped", "🎉 2"), "the count leaves the choice").toHaveAttribute("aria-pressed", "true");
    await clean(ann, "chips");
    await ann.page.reload();
    await expect(chip(ann, "shipped", "🎉 2"), "the choice is still there").toHaveAttribute("aria-pressed", "true");
    await chip(ann, "shipped", "🎉 2").press("Enter");
    for (const person of [ann, bob]) await chip(person, "shipped", "🎉 1").waitFor();
    await chip(bob, "shipped", "🎉 1").click();
    for (const person of [ann, bob]) await chip(person, "shipped", "🎉 1").waitFor({ state: "hidden" });
  });

  test("a reaction that is refused is taken back, and a second window of the person has the choice, on a phone too", async ({ cast, server }) => {
    await server.room("second", "ann", ["bob"]);
    await server.post("bob", "second", "who comes?");
    const wide = await cast.enter("ann", { room: "second" });
    const phone = await cast.enter("ann", { room: "second", viewport: PHONE, hasTouch: true });
    await phone.row("who comes?").getByRole("button", { name: "More" }).click();
    await phone.item("React").click();
    await clean(phone, "picker on a phone");
    await phone.page.getByRole("group", { name: "Groups" }).getByRole("button", { name: "People" }).click();
    await phone.page.getByRole("option", { name: "raising hand", exact: true }).click();
    for (const person of [wide, phone]) await expect(chip(person, "who comes?", "🙋 1"), "it is chosen").toHaveAttribute("aria-pressed", "true");
    await wide.refuse("**/reactions/**", 409, "A message has 20 kinds.");
    await chip(wide, "who comes?", "🙋 1").click();
    await wide.page.getByText("A message has 20 kinds.").waitFor();
    await expect(chip(wide, "who comes?", "🙋 1"), "the choice is back").toHaveAttribute("aria-pressed", "true");
  });

  test("a reaction that is taken back before it is stored is sent first", async ({ cast, server }) => {
    await server.room("hasty", "ann", ["bob"]);
    const { id } = await server.post("bob", "hasty", "who hurries?");
    await server.api("bob", "PUT", `/rooms/hasty/messages/${encodeURIComponent(id)}/reactions/${encodeURIComponent("🙋")}`);
    const ann = await cast.enter("ann", { room: "hasty" });
    await chip(ann, "who hurries?", "🙋 1").waitFor();
    const { open, opened } = gate();
    const sent = [];
    await ann.page.route("**/reactions/**", async route => {
      if (route.request().method() === "PUT") await opened;
      sent.push(route.request().method());
      await route.fallback();
    });
    const own = pressed => ann.row("who hurries?").getByRole("button", { name: /^🙋/, pressed });
    let asked = false;
    ann.page.on("request", r => { asked ||= r.method() === "PUT" && r.url().includes("/reactions/"); });
    await own(false).click();
    await expect.poll(() => asked, "the reaction is sent").toBe(true);
    await own(true).click();
    for (let n = 0; n < 5; n++) await server.messages("ann", "hasty"); // a removal that did not wait would be there
    open();
    await expect.poll(() => sent, "the removal follows the reaction").toEqual(["PUT", "DELETE"]);
  });

  test("a removal that is refused leaves the choice, also if the server has not counted it yet", async ({ cast, server }) => {
    await server.room("uncounted", "ann", ["bob"]);
    const { id } = await server.post("bob", "uncounted", "who counts?");
    await server.api("ann", "PUT", `/rooms/uncounted/messages/${encodeURIComponent(id)}/reactions/${encodeURIComponent("🙋")}`);
    await counted(server, "uncounted", id);
    const ann = await cast.enter("ann", { room: "uncounted" });
    await chip(ann, "who counts?", "🙋 1").waitFor();
    const { open, opened } = gate();
    await ann.refuse("**/reactions/**", 409, "A message has 20 kinds.");
    await ann.page.route("**/reactions/**", async route => {
      // From here on: a page that connects may read the message too, and knows the choice from it.
      await ann.page.route(`**/messages/${encodeURIComponent(id)}`, async route => {
        const { reactions, ...message } = await (await route.fetch()).json();
        await route.fulfill({ json: message });
        open();
      }, { times: 1 });
      await route.fallback();
    });
    await chip(ann, "who counts?", "🙋 1").click();
    await opened;
    await expect(chip(ann, "who counts?", "🙋 1"), "the choice is back").toHaveAttribute("aria-pressed", "true");
    await server.api("bob", "PUT", `/rooms/uncounted/messages/${encodeURIComponent(id)}/reactions/${encodeURIComponent("🙋")}`);
    await expect(chip(ann, "who counts?", "🙋 2"), "it stays chosen").toHaveAttribute("aria-pressed", "true");
  });

  test("a text that follows the key of the picker is for no message while the picker is loaded", async ({ cast, server }) => {
    await server.room("late-picker", "ann", ["bob"]);
    await server.post("bob", "late-picker", "how was it?");
    const { open, opened } = gate();
    const ann = await cast.enter("ann", { room: "late-picker", prepare: page => page.route("**/emoji-picker.js", async route => { await opened; await route.fallback(); }) });
    await ann.settled();
    await ann.page.keyboard.press("Shift+Tab");
    await ann.row("how was it?").getByRole("button", { name: "More", exact: true }).waitFor();
    await ann.page.keyboard.press("r");
    await ann.page.keyboard.type("tada");
    open();
    await ann.page.getByRole("combobox", { name: "Find an emoji" }).fill("tada");
    await ann.page.getByRole("option", { name: "tada" }).click();
    await expect(chip(ann, "how was it?", "🎉 1")).toHaveAttribute("aria-pressed", "true");
    await expect(ann.panel, "no thread is open").toHaveCount(0);
    await expect(ann.composer).toHaveValue("");
  });

  test("a removal that is refused shows the server's count, also if others chose meanwhile", async ({ cast, server }) => {
    await server.room("counts", "ann", ["bob"]);
    const { id } = await server.post("bob", "counts", "who stays?");
    const reaction = `/rooms/counts/messages/${encodeURIComponent(id)}/reactions/${encodeURIComponent("🙋")}`;
    await server.api("ann", "PUT", reaction);
    await counted(server, "counts", id);
    const ann = await cast.enter("ann", { room: "counts" });
    const { open, opened } = gate();
    ann.allow(REFUSED);
    await ann.page.route("**/reactions/**", async route => {
      await opened;
      await route.fulfill({ status: 409, contentType: "application/problem+json", body: JSON.stringify({ type: "/problems/conflict", title: "Conflict", status: 409, detail: "The room is being archived." }) });
    });
    await chip(ann, "who stays?", "🙋 1").click();
    await expect(chip(ann, "who stays?", "🙋 1"), "the removal shows").toHaveCount(0);
    await server.api("bob", "PUT", reaction);
    await chip(ann, "who stays?", "🙋 2").waitFor();
    open();
    await ann.page.getByText("The room is being archived.").waitFor();
    await expect(chip(ann, "who stays?", "🙋 2"), "two people stay").toHaveAttribute("aria-pressed", "true");
  });
});
