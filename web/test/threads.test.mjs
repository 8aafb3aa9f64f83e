// Threads: replies next to the room, live and by keyboard.
import { clean } from "./axe.mjs";
import { DOWN, PHONE, REFUSED, calm, expect, suite } from "./fixtures.mjs";

const test = suite({ fill: server => server.api("bob", "PUT", "/people/me", { name: "Bob Baker" }) });
test.use(calm);

const at = (room, id) => `/rooms/${room}/messages/${encodeURIComponent(id)}`;
/** Waits until ann follows threads of a room with some numbers of unread replies. */
const follows = ({ server }, room, unread) => expect.poll(async () =>
  (await server.api("ann", "GET", "/people/me/threads")).items.filter(t => t.message.room === room).map(t => t.unread), "unread replies").toEqual(unread);

const pane = person => person.page.getByRole("complementary", { name: /^Thread in / });
const field = person => person.page.getByRole("textbox", { name: "Message the thread" });
/** The row of a message in the thread. */
const row = (person, text) => pane(person).getByRole("article").filter({ has: person.page.locator(".text", { hasText: text }) });
const way = (person, text, name) => person.row(text).getByRole("button", { name });

/** Opens the thread of the newest message by keyboard. */
async function open(person) {
  await person.choose("Reply in thread");
  await field(person).waitFor();
  await person.focusIs("Message the thread");
}

async function say(person, text) {
  await field(person).fill(text);
  await field(person).press("Enter");
  await expect(row(person, text), `${text} is sent`).not.toHaveAttribute("data-status");
}

test.describe("threads", () => {
  test("people reply by keyboard, next to the room and live, and the room counts the replies", async ({ cast, server }) => {
    const [ann, bob] = await cast.pair("replies");
    await bob.post("where do we eat?");
    await ann.sees("where do we eat?");
    await open(ann);
    await row(ann, "where do we eat?").waitFor();
    await pane(ann).getByText("No replies yet").waitFor();
    await clean(ann, "an empty thread");
    await say(ann, "at the harbour");
    for (const person of [ann, bob]) await way(person, "where do we eat?", /^1 reply, last /).waitFor();
    for (const person of [ann, bob]) await expect(person.row("at the harbour"), "the room does not list the reply").toHaveCount(0);
    await way(bob, "where do we eat?", /^1 reply/).click();
    await row(bob, "at the harbour").waitFor();
    await say(bob, "good");
    await row(ann, "good").waitFor();
    await pane(ann).getByText("2 replies", { exact: true }).waitFor();
    await clean(ann, "a thread");
    await server.api("bob", "PATCH", at("replies", await row(bob, "good").getAttribute("data-id")), { text: "very good" });
    await row(ann, "very good").waitFor();
    await row(bob, "very good").hover();
    await row(bob, "very good").getByRole("button", { name: "Delete" }).click();
    for (const person of [ann, bob]) {
      await row(person, "Message deleted").waitFor();
      await way(person, "where do we eat?", /^1 reply/).waitFor();
    }
    await field(ann).press("Escape");
    await pane(ann).waitFor({ state: "hidden" });
    await ann.focusIs(/^Bob Baker, /);
  });

  test("a reply is shown in the room, too, says so, and leads to its thread", async ({ cast }) => {
    const [ann, bob] = await cast.pair("both");
    await ann.post("shall we move the date?");
    await open(ann);
    await pane(ann).getByRole("checkbox", { name: "Also in the room" }).check();
    await say(ann, "to Friday");
    for (const person of [ann, bob]) await person.sees("to Friday");
    await expect(pane(ann).getByRole("checkbox", { name: "Also in the room" }), "the next reply is for the room, too").not.toBeChecked();
    await way(bob, "to Friday", "In a thread").click();
    await row(bob, "shall we move the date?").waitFor();
    await row(bob, "to Friday").waitFor();
    await expect(row(bob, "to Friday").getByRole("button", { name: "In a thread" })).toHaveCount(0);
    await say(bob, "not here");
    await expect(ann.row("not here")).toHaveCount(0);
  });

  test("replies are quoted, reacted to and edited as messages of the room are", async ({ cast, server }) => {
    const [ann, bob] = await cast.pair("acts");
    const id = await bob.post("the plan");
    await server.post("bob", "acts", "first step", { thread: id });
    await way(ann, "the plan", /^1 reply/).click();
    await row(ann, "first step").hover();
    await row(ann, "first step").getByRole("button", { name: "More" }).click();
    await ann.item("Quote").click();
    await ann.focusIs("Message the thread");
    await pane(ann).getByText("Bob Baker: first step").waitFor();
    await expect(ann.page.locator(".room-pane .quoting")).toHaveCount(0);
    await field(ann).press("Escape");
    await ann.button("Do not quote").waitFor({ state: "hidden" });
    await row(ann, "first step").hover();
    await row(ann, "first step").getByRole("button", { name: "More" }).click();
    await ann.item("Quote").click();
    await say(ann, "agreed");
    await row(ann, "agreed").getByRole("link", { name: "Bob Baker: first step" }).waitFor();
    await way(bob, "the plan", /^2 replies/).click();
    await row(bob, "agreed").getByRole("link", { name: "Bob Baker: first step" }).waitFor();
    await row(bob, "agreed").hover();
    await row(bob, "agreed").getByRole("button", { name: "React", exact: true }).click();
    await bob.page.getByRole("option", { name: "heart", exact: true }).first().click();
    const chip = person => row(person, "agreed").getByRole("button", { name: "❤️ 1" });
    for (const person of [ann, bob]) await chip(person).waitFor();
    for (const [person, chosen] of [[bob, "true"], [ann, "false"]]) await expect(chip(person), "who chose it sees that").toHaveAttribute("aria-pressed", chosen);
    await field(ann).press("ArrowUp");
    const editor = ann.page.getByRole("textbox", { name: "Edit message" });
    await editor.fill("agreed, mostly"); // a locator that matched two would fail
    await editor.press("Enter");
    for (const person of [ann, bob]) await row(person, "agreed, mostly").waitFor();
    await ann.focusIs("Message the thread");
  });

  test("a thread is read while it is in sight, and followed by whom it concerns", async ({ cast, server }) => {
    const [ann, bob] = await cast.pair("reads");
    const id = await ann.post("who is in?");
    await server.post("bob", "reads", "me", { thread: id });
    await follows(cast, "reads", [1]);
    await way(ann, "who is in?", /^1 reply/).click();
    await follows(cast, "reads", [0]); // opening the thread reads it
    await server.post("bob", "reads", "and my dog", { thread: id });
    await row(ann, "and my dog").waitFor();
    await follows(cast, "reads", [0]); // a reply in sight is read
    await pane(ann).getByRole("button", { name: "Unfollow" }).click();
    await pane(ann).getByRole("button", { name: "Follow", exact: true }).waitFor();
    await follows(cast, "reads", []);
    await pane(ann).getByRole("button", { name: "Follow", exact: true }).click();
    await pane(ann).getByRole("button", { name: "Unfollow" }).waitFor();
    await follows(cast, "reads", [0]);
  });

  test("typing shows in its thread, and only there", async ({ cast, server }) => {
    await server.room("typed-below", "ann", ["bob", "cem"]);
    await server.post("ann", "typed-below", "the plan");
    const [ann, bob] = await Promise.all(["ann", "bob"].map(user => cast.enter(user, { room: "typed-below" })));
    for (const person of [ann, bob]) await person.act("the plan", "Reply in thread");
    const below = ann.panel.locator(".typing");
    await bob.panel.getByRole("textbox", { name: "Message the thread" }).pressSequentially("hey");
    await expect(below).toHaveText(/^bob .*is typing$/i);
    await expect(ann.page.locator(".room-pane .typing"), "typing in a thread shows in the room").toBeEmpty();
    await bob.page.keyboard.press("Enter");
    await expect(below, "the reply ends it").toBeEmpty();
  });

  test("a long thread is loaded in pages, from a phone, and Back returns to the room", async ({ cast, server }) => {
    await server.room("long", "ann", ["bob"]);
    const { id } = await server.post("bob", "long", "count with me");
    for (let n = 1; n <= 60; n++) await server.post(n % 2 ? "ann" : "bob", "long", `number ${n}.`, { thread: id });
    const ann = await cast.enter("ann", { room: "long", viewport: PHONE, hasTouch: true });
    await way(ann, "count with me", /^60 replies/).click();
    await row(ann, "number 60.").waitFor();
    await clean(ann, "a thread on a phone");
    await expect(row(ann, "number 10.")).toHaveCount(0);
    const earlier = pane(ann).getByRole("button", { name: "Show earlier replies" });
    await earlier.evaluate(e => e.scrollIntoView());
    const top = async () => (await row(ann, "number 11.").boundingBox()).y;
    await ann.still();
    const before = await top();
    await earlier.click();
    await row(ann, "number 1.").waitFor();
    await ann.still();
    const after = await top();
    expect(Math.abs(after - before), `what was read moved from ${before} to ${after}`).toBeLessThan(60);
    await expect(pane(ann).getByRole("button", { name: "Show earlier replies" })).toHaveCount(0);
    await expect(pane(ann).getByRole("article")).toHaveCount(61);
    await ann.page.goBack();
    await pane(ann).waitFor({ state: "hidden" });
    await ann.sees("count with me");
  });

  test("a deleted message keeps its thread, and a link to a reply opens it", async ({ cast, server }) => {
    const [ann, bob] = await cast.pair("tomb");
    const id = await bob.post("gone soon");
    const { id: answer } = await server.post("ann", "tomb", "still here", { thread: id });
    await way(bob, "gone soon", /^1 reply/).waitFor();
    await server.api("bob", "DELETE", at("tomb", id));
    await way(ann, "Message deleted", /^1 reply/).click();
    await row(ann, "Message deleted").waitFor();
    await row(ann, "still here").waitFor();
    bob.allow(REFUSED);
    await bob.page.goto(`${server.url}/#/tomb/${encodeURIComponent(answer)}`);
    await bob.page.reload();
    await row(bob, "still here").waitFor();
  });

  test("a reply waits while the server is away, survives the window, and is sent once", async ({ cast }) => {
    const [ann, bob] = await cast.pair("away");
    await ann.post("can you hear me?");
    await open(ann);
    await row(ann, "can you hear me?").waitFor();
    ann.allow(DOWN);
    await ann.page.context().setOffline(true);
    await field(ann).fill("loud and clear");
    await field(ann).press("Enter");
    await row(ann, "loud and clear").waitFor();
    await expect(row(ann, "loud and clear")).toHaveAttribute("data-status", "pending");
    await ann.kept("loud and clear");
    await ann.page.context().setOffline(false);
    await ann.page.reload();
    await way(ann, "can you hear me?", /^1 reply/).click();
    await expect(row(ann, "loud and clear"), "the reply is sent").not.toHaveAttribute("data-status");
    await way(bob, "can you hear me?", /^1 reply/).click();
    await row(bob, "loud and clear").waitFor();
    await expect(row(bob, "loud and clear")).toHaveCount(1);
  });
});
