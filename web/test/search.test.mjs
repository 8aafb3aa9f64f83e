// The search for messages: while one types, by filters, by keyboard and on a phone.
import { clean } from "./axe.mjs";
import { attach, picture } from "./bytes.mjs";
import { PHONE, calm, expect, gate, suite } from "./fixtures.mjs";

const test = suite({ fill: async server => {
  await server.api("bob", "PUT", "/people/me", { name: "Bob Baker" });
  await server.room("kitchen", "bob", ["ann", "cem"]);
  await server.room("garden", "bob", ["ann", "cem"]);
  await server.api("bob", "PUT", "/rooms/kitchen", { name: "Kitchen" });
  for (const text of ["the ham is in the fridge", "我们今天吃火腿三明治", "see https://menu.example for *lunch*", "Crème brûlée for dessert"]) await server.post("bob", "kitchen", text);
  for (let n = 1; n <= 60; n++) await server.post("cem", "garden", `tulip number ${n}`);
} });
test.use(calm);

/** Later than the page's clock is when a test stops it. */
const PAUSE_MS = 60_000;
const SEARCH = /\/search\?/;
const finder = person => person.page.getByRole("combobox", { name: "Find rooms, people and messages" });
const option = (person, text) => person.page.getByRole("option").filter({ hasText: text });
const panel = person => person.page.getByRole("complementary", { name: "Search messages" });
const field = person => panel(person).getByRole("searchbox", { name: "Search messages" });
const results = person => panel(person).getByRole("list", { name: "Results" }).getByRole("link");
const result = (person, text) => results(person).filter({ has: person.page.locator(".s-text", { hasText: text }) });
const filter = (person, name) => panel(person).getByRole("group", { name: "Filters" }).getByRole("button", { name });
const queryOf = url => new URL(url).searchParams.get("q");

/** Opens the panel of a person with a query. */
async function search(person, query) {
  await person.page.keyboard.press("Control+Shift+F");
  await expect(field(person)).toBeFocused();
  await field(person).fill(query);
}

test.describe("the finder", () => {
  test("finds messages while one types, without accents and in Chinese, and opens them in their place", async ({ cast }) => {
    const ann = await cast.enter("ann", { room: "garden" });
    await ann.page.keyboard.press("Control+k");
    for (const [query, text, mark] of [["fridg", "the ham is in the fridge", "fridg"], ["creme bru", "Crème brûlée", "Crème"], ["火腿", "我们今天吃火腿三明治", "火腿"]]) {
      await finder(ann).fill(query);
      await expect(option(ann, text)).toContainText("Bob Baker in #Kitchen");
      await expect(option(ann, text).locator("mark").first(), "what was searched for is marked").toHaveText(mark);
    }
    await clean(ann, "messages in the finder");
    await ann.page.keyboard.press("ArrowDown");
    await expect(option(ann, "火腿三明治")).toHaveAttribute("aria-selected", "true");
    await ann.page.keyboard.press("Enter");
    await ann.hashIs(/^#\/kitchen\/./);
    await expect(ann.row("火腿三明治"), "the focus is at the message").toBeFocused();
  });

  test("shows all messages in the panel, which a room's menu opens, too", async ({ cast }) => {
    const ann = await cast.enter("ann", { room: "garden" });
    await ann.page.keyboard.press("Control+k");
    await finder(ann).fill("lunch");
    await option(ann, "Search messages for “lunch”").waitFor();
    await ann.page.keyboard.press("Enter");
    await expect(field(ann)).toHaveValue("lunch");
    await expect(field(ann)).toBeFocused();
    await expect(results(ann)).toHaveCount(1);
    await ann.page.getByRole("heading", { level: 1 }).getByRole("button").click();
    await ann.item("Search this room").click();
    await expect(field(ann)).toHaveValue("in:garden ");
    await expect(field(ann)).toBeFocused();
    await expect(filter(ann, "In #garden")).toHaveAttribute("aria-pressed", "true");
    await result(ann, "tulip number 60").waitFor();
  });
});

test.describe("the panel", () => {
  test("has filters that write the query, and completes names", async ({ cast, server }) => {
    const sent = await server.post("ann", "kitchen", "my own https://map.example");
    await server.api("bob", "PUT", `/rooms/kitchen/messages/${encodeURIComponent(sent.id)}/reactions/${encodeURIComponent("👍")}`);
    const ann = await cast.enter("ann", { room: "kitchen" });
    await search(ann, "https");
    await expect(results(ann)).toHaveCount(2);
    await filter(ann, "From me").click();
    await expect(field(ann)).toHaveValue("https from:me");
    await expect(filter(ann, "From me"), "the focus stays, without a keyboard on a phone").toBeFocused();
    await expect(results(ann)).toHaveCount(1);
    await result(ann, "my own").waitFor();
    await filter(ann, "Reactions").click();
    await filter(ann, "In #Kitchen").click();
    await filter(ann, "Date").click();
    await ann.item("Today").or(ann.page.getByRole("menuitemcheckbox", { name: "Today" })).click();
    await expect(field(ann)).toHaveValue(/^https from:me has:reaction in:kitchen on:\d{4}-\d\d-\d\d$/);
    await expect(filter(ann, "Today")).toBeVisible();
    await expect(results(ann)).toHaveCount(1);
    await clean(ann, "results with filters");
    const next = await filter(ann, "From…").evaluate(b => {
      b.click();
      const { value, selectionStart } = document.activeElement;
      return { end: value.slice(-5), atEnd: selectionStart === value.length };
    });
    expect(next, "what is typed next follows the filter, however soon it comes").toEqual({ end: "from:", atEnd: true });
    await expect(field(ann)).toHaveValue(/^https has:reaction in:kitchen on:\S+ from:$/);
    await ann.page.keyboard.type("bak");
    const suggestions = panel(ann).getByRole("list", { name: "Suggestions" });
    await suggestions.getByRole("button", { name: /^Bob Baker/ }).waitFor();
    await clean(ann, "suggestions");
    await ann.page.keyboard.press("Enter");
    await expect(field(ann)).toHaveValue(/ from:bob $/);
    await panel(ann).getByText("Nothing was found.").waitFor();
    await filter(ann, "Reactions").click();
    await filter(ann, /^from Bob Baker/).click();
    await expect(field(ann)).toHaveValue(/^https in:kitchen on:\S+$/);
    await expect(results(ann)).toHaveCount(2);
  });

  test("offers the messages of a person whose name is among the words, if nothing was found", async ({ cast }) => {
    const ann = await cast.enter("ann", { room: "garden" });
    await search(ann, "ham baker");
    const offered = panel(ann).getByRole("list", { name: "Messages from people" });
    await expect(offered.getByRole("button")).toHaveText("“ham” from Bob Baker");
    await clean(ann, "a person who is offered as the sender", "aside");
    await offered.getByRole("button").click();
    await expect(field(ann)).toHaveValue("ham from:bob");
    await result(ann, "the ham is in the fridge").waitFor();
    await expect(offered).toHaveCount(0);
  });

  test("shows results as messages, with their files, and offers rooms to join that match", async ({ cast, server }) => {
    await server.room("harbour", "bob", ["ann"]);
    await server.room("ferry-times", "bob");
    await server.api("bob", "PUT", "/rooms/ferry-times", { name: "Ferry times", topic: "When boats leave" });
    await server.post("bob", "ferry-times", "the last boat leaves at ten");
    await attach(server, "bob", "harbour", "the boat on the quay", [picture("quay.png"), { name: "plan.pdf", type: "application/pdf", data: Buffer.from("%PDF") }]);
    const ann = await cast.enter("ann", { room: "harbour" });
    await search(ann, "has:file boat");
    const found = result(ann, "the boat on the quay");
    await expect(found.locator(".face")).toHaveCount(1);
    await expect(found).toContainText("quay.png");
    await expect(found).toContainText("plan.pdf");
    await expect(found).toContainText(/Bob Baker in #?harbour/i);
    const other = panel(ann).getByRole("region", { name: "Other rooms" });
    await expect(other).toContainText("Only the rooms that you have joined were searched.");
    await expect(found.locator("img.loaded"), "the picture shows").toHaveCount(1);
    await clean(ann, "results with files", ".s-panel");
    await field(ann).fill("boat");
    await other.getByRole("button", { name: "Search #Ferry times" }).click();
    await expect(field(ann)).toHaveValue("boat in:ferry-times");
    await result(ann, "the last boat leaves").waitFor();
    await expect(other, "the query names its room").toHaveCount(0);
    await field(ann).fill("boats");
    await other.getByRole("button", { name: "Join #Ferry times" }).click();
    await ann.hashIs(/^#\/ferry-times/);
    await ann.page.keyboard.press("Control+k");
    await finder(ann).fill("nobody-of-this-name");
    await option(ann, "Search messages for").waitFor();
    await expect(option(ann, "user id"), "a user id is no result").toHaveCount(0);
  });

  test("shows what is around a result, and leads to it and back by keyboard", async ({ cast }) => {
    const ann = await cast.enter("ann", { room: "kitchen" });
    await search(ann, "tulip");
    await panel(ann).getByText("20 messages so far.").waitFor();
    await result(ann, "tulip number 60").waitFor();
    await expect(results(ann).first()).toContainText("cem: tulip number 59");
    await panel(ann).getByRole("button", { name: "Show more messages" }).click();
    await panel(ann).getByText("40 messages so far.").waitFor();
    await panel(ann).getByRole("button", { name: "Show more messages" }).click();
    await panel(ann).getByText("60 messages.").waitFor();
    await field(ann).focus();
    for (let n = 0; n < 2; n++) await ann.page.keyboard.press("ArrowDown");
    await expect(results(ann).nth(1)).toBeFocused();
    await ann.page.keyboard.press("Enter");
    await ann.hashIs(/^#\/garden\/./);
    await expect(ann.row(/tulip number 59$/)).toBeFocused();
    await expect(results(ann), "the results stay").toHaveCount(60);
    await ann.page.keyboard.press("Escape");
    await ann.panel.getByRole("button", { name: "Close search" }).click();
    await expect(ann.panel).toHaveCount(0);
    await ann.page.keyboard.press("Control+Shift+F");
    await expect(field(ann), "the query stays").toHaveValue("tulip");
    await ann.page.keyboard.press("Tab");
    await ann.page.keyboard.press("Control+Shift+F");
    await expect(field(ann)).toBeFocused();
  });

  test("opens a reply in its thread, at the reply", async ({ cast, server }) => {
    await server.room("hall", "bob", ["ann"]);
    const { id } = await server.post("bob", "hall", "a question");
    await server.post("bob", "hall", "a hidden answer", { thread: id });
    for (let n = 0; n < 60; n++) await server.post("bob", "hall", `another answer\n\n${n}`, { thread: id });
    for (const room of ["kitchen", "hall"]) {
      const ann = await cast.enter("ann", { room });
      await search(ann, "hidden is:thread");
      await expect(result(ann, "a hidden answer")).toContainText("in a thread");
      await result(ann, "a hidden answer").click();
      const thread = ann.page.getByRole("complementary", { name: "Thread in hall" });
      await expect(thread.getByRole("article").filter({ hasText: "a hidden answer" }), `from ${room}`).toBeFocused();
      await expect(thread.getByRole("article").filter({ hasText: "a hidden answer" })).toBeInViewport();
    }
  });

  test("follows what is edited and deleted, and hides what a blocked person wrote", async ({ cast, server }) => {
    await server.room("shed", "bob", ["dan", "cem"]);
    const [first, second] = [await server.post("bob", "shed", "a spade for digging"), await server.post("bob", "shed", "a spade for cards")];
    await server.post("cem", "shed", "a spade of mine");
    const dan = await cast.enter("dan", { room: "shed" });
    await search(dan, "spade");
    await expect(results(dan)).toHaveCount(3);
    await server.api("bob", "PATCH", `/rooms/shed/messages/${encodeURIComponent(first.id)}`, { text: "a fork for digging" });
    await expect(result(dan, "digging"), "the text has changed").toHaveCount(0);
    await server.api("bob", "DELETE", `/rooms/shed/messages/${encodeURIComponent(second.id)}`);
    await expect(result(dan, "cards"), "the message is deleted").toHaveCount(0);
    await server.api("dan", "PUT", "/people/me/blocks/cem");
    await expect(results(dan).filter({ hasText: /^Blocked person in #shed.*Blocked message/ }), "cem is blocked").toHaveCount(1);
    await expect(panel(dan).getByText("of mine")).toHaveCount(0);
    await expect(panel(dan).getByRole("list", { name: "Results" })).not.toContainText("cem");
    await dan.page.keyboard.press("Control+k");
    await finder(dan).fill("spade");
    await option(dan, "Blocked message").waitFor();
    await expect(option(dan, "of mine")).toHaveCount(0);
    await dan.page.keyboard.press("Escape");
    await server.api("dan", "DELETE", "/people/me/blocks/cem");
    await result(dan, "a spade of mine").waitFor();
  });

  test("shows the place at fault, selects it, and forgets a fault that is typed on", async ({ cast }) => {
    const ann = await cast.enter("ann", { room: "kitchen" });
    ann.allow(/status of 422/);
    await search(ann, "火腿 has:wings lunch");
    const alert = panel(ann).getByRole("alert");
    await expect(alert).toContainText("The query must have link, file or reaction after has:");
    await expect(alert.locator("mark")).toHaveText("has:wings");
    await clean(ann, "a fault of a query");
    await alert.getByRole("button").click();
    await ann.page.keyboard.type("ham");
    await expect(field(ann)).toHaveValue("火腿 ham lunch");
    await expect(alert).toHaveCount(0);
    await panel(ann).getByText("Nothing was found.").waitFor();
    await clean(ann, "nothing found");
  });

  test("remembers searches of this device until they are forgotten", async ({ cast }) => {
    const eve = await cast.enter("eve");
    await search(eve, "");
    await panel(eve).getByText("these words in this order").waitFor();
    await clean(eve, "an empty search");
    for (const query of ["first thing", "second thing"]) {
      await field(eve).fill(query);
      await field(eve).press("Enter");
    }
    await field(eve).fill("");
    const recent = panel(eve).getByRole("region", { name: "Recent searches" });
    await expect(recent.getByRole("listitem")).toHaveText(["second thing", "first thing"]);
    await recent.getByRole("button", { name: "first thing" }).click();
    await expect(field(eve)).toHaveValue("first thing");
    await field(eve).fill("");
    await recent.getByRole("button", { name: "Forget them" }).click();
    await expect(recent).toHaveCount(0);
    await field(eve).fill("third thing");
    await field(eve).press("Enter");
    await eve.page.keyboard.press("Control+k");
    await finder(eve).fill("sign out");
    await eve.page.getByRole("option", { name: "Sign out Command" }).click();
    await eve.page.getByRole("heading", { name: "Signed out" }).waitFor();
    await expect.poll(() => eve.page.evaluate(() => Object.keys(localStorage).filter(key => key.includes("searches"))), "the searches of who has left").toEqual([]);
  });

  test("says how far back it has searched, and continues", async ({ cast }) => {
    const ann = await cast.enter("ann", { room: "kitchen" });
    await ann.page.route(SEARCH, async route => { // as after a request that has read its most
      const response = await route.fetch();
      const page = await response.json();
      const further = new URL(route.request().url()).searchParams.get("cursor");
      await route.fulfill({ response, json: further ? page : { items: [], next: page.next ?? "further", searchedTo: "2024-05-03T12:00:00.000Z" } });
    });
    await search(ann, "tulip");
    await expect(panel(ann)).toContainText(/Nothing was found so far\. Searched back to 3 May 2024\./);
    await panel(ann).getByRole("button", { name: "Search further" }).click();
    await expect(results(ann)).toHaveCount(20);
  });

  test("says why nothing was searched, and tries again", async ({ cast }) => {
    const ann = await cast.enter("ann", { room: "kitchen" });
    await ann.refuse(SEARCH, 403, "The search is closed.");
    await search(ann, "ham");
    await expect(panel(ann).getByRole("alert")).toContainText("The search is closed.");
    await ann.page.unroute(SEARCH);
    await panel(ann).getByRole("button", { name: "Try again" }).click();
    await result(ann, "the ham is in the fridge").waitFor();
  });

  test("is opened by its address", async ({ cast }) => {
    const ann = await cast.enter("ann", { room: "kitchen" });
    await ann.page.evaluate(() => { location.hash = "#search=from:bob%20dessert"; });
    await expect(field(ann)).toHaveValue("from:bob dessert");
    await result(ann, "brûlée").waitFor();
    await ann.hashIs(/^#\/./);
  });
});

test("an answer to an earlier query never shows", async ({ cast }) => {
  const ann = await cast.enter("ann", { room: "kitchen" });
  await ann.page.keyboard.press("Control+Shift+F");
  const [held, answered] = [gate(), gate()];
  const asked = [];
  await ann.page.route(SEARCH, async route => {
    const query = queryOf(route.request().url());
    asked.push(query);
    if (query !== "tulip") return route.continue();
    const response = await route.fetch();
    await held.opened;
    await route.fulfill({ response }).catch(() => {}); // it is aborted
    answered.open();
  });
  await field(ann).fill("ham");
  await result(ann, "the ham is in the fridge").waitFor();
  await field(ann).fill("tulip");
  await expect.poll(() => asked).toContain("tulip");
  await expect(panel(ann).locator(".s-results"), "the last results are dimmed").toHaveClass(/old/);
  await result(ann, "the ham is in the fridge").waitFor();
  await field(ann).fill("dessert");
  await result(ann, "brûlée").waitFor();
  held.open();
  await answered.opened;
  await ann.still();
  await expect(result(ann, "tulip"), "an older answer shows").toHaveCount(0);
  await result(ann, "brûlée").waitFor();
});

test("a word that is typed quickly is searched once", async ({ cast }) => {
  const ann = await cast.enter("ann", { room: "kitchen", prepare: page => page.clock.install() });
  await ann.page.keyboard.press("Control+Shift+F");
  await expect(field(ann)).toBeFocused();
  const asked = [];
  ann.page.on("request", request => { if (SEARCH.test(request.url())) asked.push(queryOf(request.url())); });
  await ann.page.clock.pauseAt(Date.now() + PAUSE_MS);
  for (const key of "fridge") {
    await ann.page.keyboard.press(key);
    await ann.page.clock.runFor(50); // between the keys
  }
  await ann.page.clock.resume();
  await result(ann, "the ham is in the fridge").waitFor();
  expect(asked, "searches of a quick word").toEqual(["fridge"]);
});

test("on a phone, a result is not covered, and Back leads from the search", async ({ cast }) => {
  const cem = await cast.enter("cem", { viewport: PHONE, hasTouch: true, isMobile: true });
  await cem.page.goto(`${cem.server.url}/#/`);
  await cem.button("Search").tap();
  await finder(cem).fill("fridge");
  await option(cem, "the ham is in the fridge").waitFor();
  await clean(cem, "messages in the finder on a phone");
  await option(cem, "Search messages for").tap();
  await result(cem, "the ham is in the fridge").waitFor();
  await clean(cem, "results on a phone");
  expect(await cem.page.evaluate(() => document.documentElement.scrollWidth), "nothing is wider than the phone").toBe(PHONE.width);
  await cem.page.goBack();
  await expect(cem.panel).toHaveCount(0);
  await cem.page.keyboard.press("Control+Shift+F");
  await result(cem, "the ham is in the fridge").tap();
  await expect(cem.panel).toHaveCount(0);
  await expect(cem.row("the ham is in the fridge")).toBeInViewport();
  await cem.page.keyboard.press("Control+Shift+F"); // the message of the address, again
  await result(cem, "the ham is in the fridge").tap();
  await expect(cem.panel, "the message is covered").toHaveCount(0);
});
