// Polls: written, voted in by keyboard and mouse, counted for all, and ended.
import { clean } from "./axe.mjs";
import { DOWN, PHONE, calm, expect, gate, suite } from "./fixtures.mjs";

const test = suite();
test.use(calm);

/** Longer than a window takes to open. */
const LASTS_MS = 120_000;

const poll = (person, question) => person.row(question).getByRole("group", { name: question });
const option = (person, question, name) => poll(person, question).getByLabel(name, { exact: true });
const dialog = person => person.page.getByRole("dialog", { name: "Create a poll" });

/** Waits until windows show the votes of an option. */
async function counts(question, name, votes, ...people) {
  for (const person of people) await expect(option(person, question, name), `${person.name} sees ${votes}`).toHaveAccessibleDescription(votes);
}

test("a poll is written and voted in by keyboard, and both windows count the votes", async ({ cast }) => {
  const [ann, bob] = await cast.pair("polls");
  await ann.composer.fill("a draft");
  await ann.button("Add to the message").press("Enter");
  await ann.pick("Create a poll");
  await ann.focusIs("Question");
  const { keyboard } = ann.page;
  await keyboard.type("Which day?");
  await keyboard.press("Enter");
  await ann.focusIs("Option 1");
  await keyboard.type("Tuesday");
  await keyboard.press("Tab");
  await keyboard.type("Tuesday");
  await expect(dialog(ann).getByRole("alert")).toHaveText("The options must differ.");
  await expect(ann.button("Send").last()).toBeDisabled();
  await keyboard.press("ControlOrMeta+A");
  await keyboard.type("Wednesday");
  await keyboard.press("Tab");
  await keyboard.press("Enter");
  await ann.focusIs("Option 3");
  await keyboard.type("Friday");
  await clean(ann, "the dialog of a poll");
  await dialog(ann).getByRole("button", { name: "Remove option 3" }).press("Enter");
  await ann.focusIs("Option 2");
  await keyboard.press("Enter");
  await dialog(ann).waitFor({ state: "hidden" });
  await expect(ann.composer, "the draft stays").toHaveValue("a draft");
  await option(bob, "Which day?", "Tuesday").click();
  await counts("Which day?", "Tuesday", "1 vote, 100%", ann, bob);
  await expect(option(bob, "Which day?", "Tuesday")).toBeChecked();
  await expect(option(ann, "Which day?", "Tuesday")).not.toBeChecked();

  await ann.choose("Vote");
  await expect(option(ann, "Which day?", "Tuesday")).toBeFocused();
  await keyboard.press("ArrowDown");
  await expect(option(ann, "Which day?", "Wednesday")).toBeFocused();
  await expect(option(ann, "Which day?", "Wednesday"), "moving is no vote").not.toBeChecked();
  await keyboard.press("Space");
  await counts("Which day?", "Wednesday", "1 vote, 50%", ann, bob);
  await counts("Which day?", "Tuesday", "1 vote, 50%", ann, bob);
  await keyboard.press("ArrowUp");
  await keyboard.press("Enter");
  await counts("Which day?", "Tuesday", "2 votes, 100%", ann, bob);
  await expect(option(ann, "Which day?", "Tuesday")).toBeChecked();
  await expect(option(bob, "Which day?", "Tuesday"), "the count leaves the choice").toBeChecked();
  await expect(ann.row("Which day?")).toContainText("2 voters");
  await clean(ann, "a poll");
  await ann.page.reload();
  await expect(option(ann, "Which day?", "Tuesday"), "the vote is still there").toBeChecked();
  await bob.button("Take back my vote").click();
  await counts("Which day?", "Tuesday", "1 vote, 100%", ann, bob);
  await expect(option(bob, "Which day?", "Tuesday")).toBeFocused();
  await expect(bob.button("Take back my vote")).toHaveCount(0);
});

test("several choices are kept, a refused one is taken back, and a second window has them, on a phone too", async ({ cast, server }) => {
  await server.room("several", "ann", ["bob"]);
  await server.post("bob", "several", "What shall we eat?", { poll: { options: ["Soup", "Bread", "Cheese"], multiple: true } });
  const wide = await cast.enter("ann", { room: "several" });
  const phone = await cast.enter("ann", { room: "several", viewport: PHONE, hasTouch: true });
  const box = (person, name) => option(person, "What shall we eat?", name);
  for (const name of ["Soup", "Bread", "Cheese"]) await box(phone, name).check();
  await box(phone, "Bread").uncheck();
  for (const person of [wide, phone]) {
    for (const [name, is] of [["Soup", true], ["Bread", false], ["Cheese", true]]) await expect(box(person, name), `${name} is chosen: ${is}`).toBeChecked({ checked: is });
  }
  await counts("What shall we eat?", "Cheese", "1 vote, 100%", wide, phone);
  await clean(phone, "a poll on a phone");
  await wide.refuse("**/vote", 409, "The poll has ended.");
  await box(wide, "Bread").click();
  await wide.page.getByText("The poll has ended.").waitFor();
  await expect(box(wide, "Bread"), "the choice is back").not.toBeChecked();
  await expect(box(wide, "Soup")).toBeChecked();
});

test("choices made before the page has what votes are kept and all sent", async ({ cast, server }) => {
  await server.room("early", "ann", ["bob"]);
  const { id } = await server.post("bob", "early", "What shall we eat?", { poll: { options: ["Soup", "Bread", "Cheese"], multiple: true } });
  const ann = await cast.enter("ann", { room: "early" });
  const { open, opened } = gate();
  await ann.page.route("**/more.js", route => opened.then(() => route.continue()));
  const box = name => option(ann, "What shall we eat?", name);
  await box("Soup").check();
  await server.api("bob", "PUT", `/rooms/early/messages/${encodeURIComponent(id)}/vote`, { choices: [2] });
  await counts("What shall we eat?", "Cheese", "1 vote, 100%", ann);
  await expect(box("Soup"), "another's vote leaves the choice").toBeChecked();
  await box("Bread").check();
  open();
  for (const name of ["Soup", "Bread"]) {
    await counts("What shall we eat?", name, "1 vote, 50%", ann);
    await expect(box(name)).toBeChecked();
  }
});

test("who voted is listed, and the list follows the votes; an anonymous poll has none", async ({ cast, server }) => {
  await server.room("voters", "ann", ["bob", "carl"]);
  const open = await server.post("ann", "voters", "Shall we ship?", { poll: { options: ["Yes", "No"] } });
  await server.post("ann", "voters", "Are you well?", { poll: { options: ["Yes", "No"], anonymous: true } });
  const path = `/rooms/voters/messages/${encodeURIComponent(open.id)}/vote`;
  await server.api("bob", "PUT", path, { choices: [0] });
  const ann = await cast.enter("ann", { room: "voters" });
  await option(ann, "Are you well?", "Yes").click();
  await counts("Are you well?", "Yes", "1 vote, 100%", ann);
  await expect(ann.row("Are you well?")).toContainText("1 voter · Anonymous");
  await expect(ann.row("Are you well?").getByRole("button", { name: "Who voted" })).toHaveCount(0);
  await ann.row("Shall we ship?").getByRole("button", { name: "Who voted" }).click();
  const voters = name => ann.panel.getByRole("list", { name }).getByRole("listitem");
  await expect(voters("Yes")).toHaveText([/bob/]);
  await expect(voters("No")).toHaveCount(0);
  await server.api("carl", "PUT", path, { choices: [1] });
  await expect(voters("No")).toHaveText([/carl/]);
  await clean(ann, "the voters");
  await ann.page.keyboard.press("Escape");
  await ann.focusIs("Who voted");
});

test("a poll shows its results and takes no votes when it has ended, and where the person may not write", async ({ cast, server }) => {
  await server.room("ends", "ann", ["bob"]);
  await server.post("ann", "ends", "Quickly now?", { poll: { options: ["Yes", "No"], endsAt: new Date(Date.now() + LASTS_MS).toISOString() } });
  const bob = await cast.enter("bob", { room: "ends", prepare: page => page.clock.install() });
  await option(bob, "Quickly now?", "No").click();
  await counts("Quickly now?", "No", "1 vote, 100%", bob);
  await expect(bob.row("Quickly now?")).toContainText(/1 voter · Ends \d/);
  bob.allow(DOWN);
  await bob.page.context().setOffline(true); // the server would correct the clock
  await bob.page.getByText(/^Offline\. /).waitFor();
  await bob.page.clock.fastForward(LASTS_MS);
  await expect(bob.row("Quickly now?")).toContainText(/1 voter · Ended \d/);
  await expect(option(bob, "Quickly now?", "Yes")).toBeDisabled();
  await expect(option(bob, "Quickly now?", "No")).toBeChecked();
  await clean(bob, "an ended poll");
  await bob.page.context().setOffline(false);
  await server.post("ann", "ends", "And now?", { poll: { options: ["Yes", "No"] } });
  await expect(option(bob, "And now?", "Yes")).toBeEnabled();
  await server.api("ann", "PUT", "/rooms/ends", { posting: "moderators" });
  await expect(option(bob, "And now?", "Yes")).toBeDisabled();
  await expect(bob.button("Add to the message")).toBeDisabled();
});

test("a poll is sent in a thread, and voted in there", async ({ cast, server }) => {
  await server.room("below", "ann", ["bob"]);
  await server.post("bob", "below", "the plan");
  const ann = await cast.enter("ann", { room: "below" });
  await ann.act("the plan", "Reply in thread");
  await ann.add("Create a poll", ann.panel);
  await dialog(ann).getByLabel("Question").fill("Which plan?");
  await dialog(ann).getByLabel("Option 1").fill("A");
  await dialog(ann).getByLabel("Option 2").fill("B");
  await dialog(ann).getByLabel("Several choices").check();
  await dialog(ann).getByLabel("Ends").selectOption("In 1 week");
  await dialog(ann).getByRole("button", { name: "Send" }).click();
  const sent = ann.panel.getByRole("article").filter({ has: ann.page.getByRole("group", { name: "Which plan?" }) });
  await expect(sent).not.toHaveAttribute("data-status");
  for (const name of ["A", "B"]) await sent.getByLabel(name, { exact: true }).check();
  await expect(sent).toContainText(/1 voter · Several choices · Ends/);
  await clean(ann, "a poll in a thread");
});
