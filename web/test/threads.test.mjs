// Threads: replies beside the room, live and by keyboard.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { clean } from "./axe.mjs";
import { Cast, DOWN, PHONE, REFUSED, launch, until } from "./harness.mjs";
import { Server, uuid7 } from "./server.mjs";

let browser, server, cast;
before(async () => {
  [browser, server] = await Promise.all([launch(), Server.start()]);
  await server.api("bob", "PUT", "/people/me", { name: "Bob Baker" });
});
after(async () => { await browser?.close(); await server?.close(); });
beforeEach(() => { cast = new Cast(browser, server, { reducedMotion: "reduce" }); });
afterEach(context => cast.close(context));

/** Two people in windows of a room, which ann owns. */
async function two(room, options) {
  await server.room(room, "ann", ["bob"]);
  return Promise.all(["ann", "bob"].map(user => cast.enter(user, { room, ...options })));
}

const reply = (user, room, thread, text, more = {}) => server.api(user, "POST", `/rooms/${room}/messages`, { id: uuid7(Date.now()), text, thread, ...more });
const at = (room, id) => `/rooms/${room}/messages/${encodeURIComponent(id)}`;
const own = async (user, room) => (await server.api(user, "GET", "/people/me/threads")).threads.filter(t => t.message.room === room);

const pane = person => person.page.getByRole("complementary", { name: /^Thread in / });
const field = person => person.page.getByRole("textbox", { name: "Message the thread" });
/** The row of a message in the thread. */
const row = (person, text) => pane(person).getByRole("article").filter({ has: person.page.locator(".text", { hasText: text }) });
const way = (person, text, name) => person.row(text).getByRole("button", { name });
const item = (person, name) => person.page.getByRole("menuitem", { name, exact: true });

/** Opens the thread of the newest message by keyboard. */
async function open(person) {
  await person.choose("Reply in thread");
  await field(person).waitFor();
  await until(async () => await person.focused() === "Message the thread", "the composer of the thread has the focus");
}

async function say(person, text) {
  await field(person).fill(text);
  await field(person).press("Enter");
  await until(async () => await row(person, text).count() && !await row(person, text).getAttribute("data-status"), `${text} is sent`);
}

describe("threads", () => {
  test("people reply by keyboard, beside the room and live, and the room counts the replies", async () => {
    const [ann, bob] = await two("replies");
    await bob.post("where do we eat?");
    await ann.sees("where do we eat?");
    await open(ann);
    await row(ann, "where do we eat?").waitFor();
    await pane(ann).getByText("No replies yet").waitFor();
    await clean(ann, "an empty thread");
    await say(ann, "at the harbour");
    for (const person of [ann, bob]) await way(person, "where do we eat?", /^1 reply, last /).waitFor();
    assert.equal(await ann.row("at the harbour").count() + await bob.row("at the harbour").count(), 0, "the room does not list the reply");
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
    await bob.page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    for (const person of [ann, bob]) {
      await row(person, "Message deleted").waitFor();
      await way(person, "where do we eat?", /^1 reply/).waitFor();
    }
    await field(ann).press("Escape");
    await pane(ann).waitFor({ state: "detached" });
    await until(async () => (await ann.focused()).startsWith("Bob Baker, "), "the focus is back at the message");
  });

  test("a reply is shown in the room, too, says so, and leads to its thread", async () => {
    const [ann, bob] = await two("both");
    await ann.post("shall we move the date?");
    await open(ann);
    await pane(ann).getByRole("checkbox", { name: "Also in the room" }).check();
    await say(ann, "to Friday");
    for (const person of [ann, bob]) await person.sees("to Friday");
    assert.equal(await pane(ann).getByRole("checkbox", { name: "Also in the room" }).isChecked(), false);
    await way(bob, "to Friday", "Reply in a thread").click();
    await row(bob, "shall we move the date?").waitFor();
    await row(bob, "to Friday").waitFor();
    assert.equal(await row(bob, "to Friday").getByRole("button", { name: "Reply in a thread" }).count(), 0);
    await say(bob, "not here");
    assert.equal(await ann.row("not here").count(), 0);
  });

  test("replies are quoted, reacted to and edited as messages of the room are", async () => {
    const [ann, bob] = await two("acts");
    const id = await bob.post("the plan");
    await reply("bob", "acts", id, "first step");
    await way(ann, "the plan", /^1 reply/).click();
    await row(ann, "first step").hover();
    await row(ann, "first step").getByRole("button", { name: "More" }).click();
    await item(ann, "Quote").click();
    await until(async () => await ann.focused() === "Message the thread", "the composer of the thread has the focus");
    await pane(ann).getByText("Bob Baker: first step").waitFor();
    assert.equal(await ann.page.locator(".room-pane .quoting").count(), 0);
    await ann.page.keyboard.press("Escape");
    await ann.button("Do not quote").waitFor({ state: "detached" });
    await row(ann, "first step").hover();
    await row(ann, "first step").getByRole("button", { name: "More" }).click();
    await item(ann, "Quote").click();
    await say(ann, "agreed");
    await row(ann, "agreed").getByRole("link", { name: "Bob Baker: first step" }).waitFor();
    await way(bob, "the plan", /^2 replies/).click();
    await row(bob, "agreed").getByRole("link", { name: "Bob Baker: first step" }).waitFor();
    await row(bob, "agreed").hover();
    await row(bob, "agreed").getByRole("button", { name: "React" }).click();
    await bob.page.getByRole("option", { name: "red heart love" }).click();
    const chip = person => row(person, "agreed").getByRole("button", { name: "❤️ 1" });
    for (const person of [ann, bob]) await chip(person).waitFor();
    await until(async () => await chip(bob).getAttribute("aria-pressed") === "true" && await chip(ann).getAttribute("aria-pressed") === "false", "who chose it sees that");
    await field(ann).press("ArrowUp");
    const editor = ann.page.getByRole("textbox", { name: "Edit message" });
    await editor.fill("agreed, mostly"); // a locator that matched two would fail
    await editor.press("Enter");
    for (const person of [ann, bob]) await row(person, "agreed, mostly").waitFor();
    await until(async () => await ann.focused() === "Message the thread", "the composer of the thread has the focus again");
  });

  test("a thread is read while it is in sight, and followed by whom it concerns", async () => {
    const [ann, bob] = await two("reads");
    const id = await ann.post("who is in?");
    await reply("bob", "reads", id, "me");
    await until(async () => (await own("ann", "reads"))[0]?.unread === 1, "ann has an unread reply");
    await way(ann, "who is in?", /^1 reply/).click();
    await until(async () => (await own("ann", "reads"))[0].unread === 0, "opening the thread reads it");
    await reply("bob", "reads", id, "and my dog");
    await row(ann, "and my dog").waitFor();
    await until(async () => (await own("ann", "reads"))[0].unread === 0, "a reply in sight is read");
    await pane(ann).getByRole("button", { name: "Unfollow" }).click();
    await pane(ann).getByRole("button", { name: "Follow", exact: true }).waitFor();
    assert.deepEqual(await own("ann", "reads"), []);
    await pane(ann).getByRole("button", { name: "Follow", exact: true }).click();
    await pane(ann).getByRole("button", { name: "Unfollow" }).waitFor();
    assert.equal((await own("ann", "reads")).length, 1);
    await bob.quiet();
  });

  test("a long thread is loaded in pages, from a phone, and Back returns to the room", async () => {
    await server.room("long", "ann", ["bob"]);
    const { id } = await server.post("bob", "long", "count with me");
    for (let n = 1; n <= 60; n++) await reply(n % 2 ? "ann" : "bob", "long", id, `number ${n}.`);
    const ann = await cast.enter("ann", { room: "long", viewport: PHONE, hasTouch: true });
    await way(ann, "count with me", /^60 replies/).click();
    await row(ann, "number 60.").waitFor();
    await clean(ann, "a thread on a phone");
    assert.equal(await row(ann, "number 10.").count(), 0);
    const earlier = pane(ann).getByRole("button", { name: "Show earlier replies" });
    await earlier.evaluate(e => e.scrollIntoView());
    const before = await row(ann, "number 11.").evaluate(e => e.getBoundingClientRect().top);
    await earlier.click();
    await row(ann, "number 1.").waitFor();
    const after = await row(ann, "number 11.").evaluate(e => e.getBoundingClientRect().top);
    assert.ok(Math.abs(after - before) < 60, `what was read moved from ${before} to ${after}`);
    assert.equal(await pane(ann).getByRole("button", { name: "Show earlier replies" }).count(), 0);
    assert.equal(await pane(ann).getByRole("article").count(), 61);
    await ann.page.goBack();
    await pane(ann).waitFor({ state: "detached" });
    await ann.sees("count with me");
  });

  test("a deleted message keeps its thread, and a link to a reply opens it", async () => {
    const [ann, bob] = await two("tomb");
    const id = await bob.post("gone soon");
    const { id: answer } = await reply("ann", "tomb", id, "still here");
    await way(bob, "gone soon", /^1 reply/).waitFor();
    await server.api("bob", "DELETE", at("tomb", id));
    await way(ann, "Message deleted", /^1 reply/).click();
    await row(ann, "Message deleted").waitFor();
    await row(ann, "still here").waitFor();
    bob.expect(REFUSED);
    await bob.page.goto(`${server.url}/#/tomb/${encodeURIComponent(answer)}`);
    await bob.page.reload();
    await row(bob, "still here").waitFor();
  });

  test("a reply waits while the server is away, survives the window, and is sent once", async () => {
    const [ann, bob] = await two("away");
    await ann.post("can you hear me?");
    await open(ann);
    await row(ann, "can you hear me?").waitFor();
    ann.expect(DOWN);
    await ann.page.context().setOffline(true);
    await field(ann).fill("loud and clear");
    await field(ann).press("Enter");
    await row(ann, "loud and clear").waitFor();
    assert.equal(await row(ann, "loud and clear").getAttribute("data-status"), "pending");
    await ann.kept("loud and clear");
    await ann.page.context().setOffline(false);
    await ann.page.reload();
    await way(ann, "can you hear me?", /^1 reply/).click();
    await until(async () => await row(ann, "loud and clear").count() === 1 && !await row(ann, "loud and clear").getAttribute("data-status"), "the reply is sent");
    await way(bob, "can you hear me?", /^1 reply/).click();
    await row(bob, "loud and clear").waitFor();
    assert.equal(await row(bob, "loud and clear").count(), 1);
  });
});
