// The person's own lists across rooms: activity, threads and saved messages, live and by keyboard.
import { clean } from "./axe.mjs";
import { PHONE, calm, expect, suite } from "./fixtures.mjs";

const test = suite({ fill: server => server.api("bob", "PUT", "/people/me", { name: "Bob Baker" }) });
test.use(calm);

const at = (room, id) => `/rooms/${room}/messages/${encodeURIComponent(id)}`;
const way = (person, name) => person.nav.getByRole("button", { name });
const panel = (person, name) => person.page.getByRole("complementary", { name });
const card = (person, text) => person.panel.getByRole("listitem").filter({ hasText: text });

test.describe("activity", () => {
  test("who is mentioned in another room sees it immediately, and goes there", async ({ cast, server }) => {
    await server.room("here", "ann", ["bob"]);
    await server.room("there", "bob", ["ann"]);
    const ann = await cast.enter("ann", { room: "here" });
    await way(ann, "Activity").press("Enter");
    await panel(ann, "Activity").getByText("Nobody has mentioned or answered you.").waitFor();
    const { id } = await server.post("bob", "there", "@ann the map is up", { mentions: ["ann"] });
    await card(ann, "the map is up").getByText("New", { exact: true }).waitFor();
    await way(ann, "Activity, 1 unread").waitFor();
    await clean(ann, "activity");
    await server.api("bob", "PATCH", at("there", id), { text: "@ann the map is down" });
    await ann.page.keyboard.press("Escape");
    await expect(way(ann, /^Activity/)).toBeFocused();
    await way(ann, /^Activity/).press("Enter");
    await card(ann, "the map is down").getByRole("link", { name: "Show in room" }).click();
    await ann.sees("the map is down");
    await way(ann, /^Activity$/).waitFor();
    await expect(card(ann, "the map is down").getByText("New", { exact: true }), "the mention is read").toHaveCount(0);
  });

  test("a mention of all in a room is counted, and leads there from a phone", async ({ cast, server }) => {
    await server.room("loud", "bob", ["cem"]);
    await server.room("calm", "cem");
    await server.post("bob", "loud", "@room lunch", { mentionRoom: true });
    const cem = await cast.enter("cem", { viewport: PHONE, hasTouch: true });
    await way(cem, "Activity, 1 unread").click();
    await panel(cem, "Activity").getByRole("link", { name: "#loud, 1 unread" }).waitFor();
    await clean(cem, "activity on a phone");
    await panel(cem, "Activity").getByRole("link", { name: "#loud, 1 unread" }).click();
    await cem.sees("lunch");
    await expect(cem.panel).toHaveCount(0);
  });

  test("mentions, replies and additions are listed, the newest first, and answered in place", async ({ cast, server }) => {
    await server.room("plan", "gus", ["bob"]);
    const asked = await server.post("gus", "plan", "who brings plates");
    await server.post("bob", "plan", "@gus what about cups", { mentions: ["gus"] });
    await server.post("bob", "plan", "I do", { thread: asked.id });
    await server.room("picnic", "bob", [], { name: "Picnic" });
    await server.api("bob", "PUT", "/rooms/picnic/members/gus", { role: "member" });
    const gus = await cast.enter("gus", { room: "plan" });
    await gus.page.keyboard.press("Control+Shift+M");
    const list = panel(gus, "Activity").getByRole("list", { name: "What concerns you" });
    await expect(list.getByRole("listitem")).toContainText(["Bob Baker added you to #Picnic", "who brings plates", "what about cups"]);
    await card(gus, "who brings plates").getByText("1 unread").waitFor();
    await clean(gus, "a wide activity");
    const answer = card(gus, "what about cups").getByRole("button", { name: "Answer Bob Baker" });
    const { y, height } = await answer.boundingBox();
    await gus.page.setViewportSize({ width: 1440, height: Math.ceil(y + height + 70) }); // half of the field is below it
    await answer.click();
    await gus.focusIs("Message the thread");
    await gus.page.keyboard.type("in the box");
    await expect(gus.panel.getByRole("button", { name: "Send" }), "the whole field is in sight").toBeInViewport({ ratio: 1 });
    await gus.page.keyboard.press("Enter");
    await gus.page.getByText("Your answer is in the thread.").waitFor();
    await gus.focusIs("Answer Bob Baker");
    await gus.row("what about cups").getByRole("button", { name: /^1 reply/ }).waitFor();
    await gus.button("Unread").click();
    await expect(list.getByRole("listitem")).toHaveCount(2);
    await expect(list, "mentions in the shown room are read").not.toContainText("what about cups");
  });

  test("a mention in a public room that the person has not joined is counted, named, and read there", async ({ cast, server }) => {
    await server.room("own", "ida", ["bob"]);
    await server.room("club", "bob", [], { name: "Chess club" });
    const ida = await cast.enter("ida", { room: "own" });
    await server.post("bob", "club", "@ida do you play", { mentions: ["ida"] });
    await way(ida, "Activity, 1 unread").click();
    await expect(ida.page).toHaveTitle("(1) own · Parley");
    await card(ida, "do you play").getByText("in #Chess club").waitFor();
    await panel(ida, "Activity").getByRole("link", { name: "#Chess club, 1 unread" }).waitFor();
    await card(ida, "do you play").getByRole("button", { name: "Mark as read" }).click();
    await expect(ida.page).toHaveTitle("own · Parley");
    await expect(card(ida, "do you play").getByText("New", { exact: true })).toHaveCount(0);
    await server.post("bob", "club", "@ida please", { mentions: ["ida"] });
    await expect(ida.page).toHaveTitle("(1) own · Parley");
    await card(ida, "please").getByRole("link", { name: "Show in room" }).click();
    await ida.row("please").waitFor();
    await way(ida, /^Activity$/).waitFor();
    const unread = async () => (await server.api("ida", "GET", "/people/me/mentions")).items.filter(m => m.unread).length;
    await expect.poll(unread, "the server knows").toBe(0);
  });
});

test.describe("threads", () => {
  test("followed threads are listed, unread ones first, and open next to their room", async ({ cast, server }) => {
    await server.room("first", "dan", ["bob"]);
    await server.room("second", "dan", ["bob"]);
    const older = await server.post("dan", "first", "an old question");
    const newer = await server.post("dan", "second", "a new question");
    await server.post("bob", "second", "an answer", { thread: newer.id });
    const unread = sum => expect.poll(async () => (await server.api("dan", "GET", "/people/me/threads")).items.reduce((n, t) => n + t.unread, 0), "replies are unread").toBe(sum);
    const dan = await cast.enter("dan", { room: "second" });
    await dan.row("a new question").getByRole("button", { name: /^1 reply/ }).click();
    await panel(dan, "Thread in second").getByText("an answer").waitFor();
    await unread(0);
    await server.post("bob", "first", "a late answer", { thread: older.id });
    await way(dan, "Threads").click();
    await card(dan, "an old question").getByText("1 unread").waitFor();
    await expect(dan.panel.getByRole("listitem").locator(".p-text")).toHaveText(["an old question", "a new question"]);
    await expect(card(dan, "a new question").getByText("unread")).toHaveCount(0);
    await clean(dan, "followed threads");
    await card(dan, "an old question").getByRole("button", { name: "1 reply to dan" }).click();
    await panel(dan, "Thread in first").getByText("a late answer").waitFor();
    await dan.sees("an old question");
    await unread(0);
  });
});

test.describe("saved messages", () => {
  test("a message is saved and taken away by its menu and in the panel", async ({ cast, server }) => {
    await server.room("keep", "eve", ["bob"]);
    const { id } = await server.post("bob", "keep", "the code is 42");
    await server.post("bob", "keep", "in the thread", { thread: id });
    const eve = await cast.enter("eve", { room: "keep" });
    await eve.act("the code is 42", "Save for yourself");
    await eve.page.getByText("Saved for you.").waitFor();
    await way(eve, "Saved").click();
    await card(eve, "the code is 42").getByRole("link", { name: "Show in room" }).waitFor();
    await clean(eve, "saved messages");
    await eve.row("the code is 42").hover();
    await eve.row("the code is 42").getByRole("button", { name: "More" }).click();
    await eve.item("Remove from saved").click();
    await panel(eve, "Saved messages").getByText("Nothing is saved.").waitFor();
    await eve.row("the code is 42").getByRole("button", { name: /^1 reply/ }).click();
    const reply = eve.panel.getByRole("article").filter({ hasText: "in the thread" });
    await reply.hover();
    await reply.getByRole("button", { name: "More" }).click();
    await eve.item("Save for yourself").click();
    await expect.poll(async () => (await server.api("eve", "GET", "/people/me/saved")).items.map(s => s.message.text)).toEqual(["in the thread"]);
    await eve.page.reload();
    await way(eve, "Saved").click();
    await card(eve, "in the thread").getByRole("button", { name: "Show in thread" }).click();
    await panel(eve, "Thread in keep").getByText("in the thread").waitFor();
    await way(eve, "Saved").click();
    await card(eve, "in the thread").getByRole("button", { name: "Remove the message of Bob Baker" }).click();
    await panel(eve, "Saved messages").getByText("Nothing is saved.").waitFor();
    await eve.focusIs("Saved messages");
  });

  test("saved messages are shown without a room, from a phone", async ({ cast, server }) => {
    await server.room("one", "flo", ["bob"]);
    await server.room("two", "flo");
    const { id } = await server.post("bob", "one", "for later");
    await server.api("flo", "PUT", `/people/me/saved/one/${encodeURIComponent(id)}`);
    const flo = await cast.enter("flo", { viewport: PHONE, hasTouch: true });
    await way(flo, "Saved").click();
    await card(flo, "for later").waitFor();
    await clean(flo, "saved messages on a phone");
    await flo.page.goBack();
    await flo.panel.waitFor({ state: "hidden" });
    await way(flo, "Saved").click();
    await card(flo, "for later").getByText("for later").tap(); // as "Show in room" does
    await flo.row("for later").waitFor();
    await expect(flo.panel).toHaveCount(0);
  });
});
