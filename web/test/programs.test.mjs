// Other programs in a room's settings: the addresses at which they write, and what they receive.
import { clean } from "./axe.mjs";
import { PHONE, expect, suite } from "./fixtures.mjs";

const test = suite();

const dialog = (person, name) => person.page.getByRole("dialog", { name }).or(person.page.getByRole("alertdialog", { name }));
const button = (within, name) => within.getByRole("button", { name, exact: true });

/** Opens a window of the owner of a new room, at the programs of the room. */
async function atPrograms(cast, server, room, options) {
  await server.room(room, "ann", ["bob"]);
  const ann = await cast.enter("ann", { room, ...options });
  await ann.show("Settings");
  await button(ann.panel, "Connect other programs").click();
  await ann.focusIs("All settings");
  return ann;
}

/** Posts a message as a program does, and returns the status of the answer. */
async function write(address, text) {
  const { status } = await fetch(address, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ text }) });
  return status;
}

/** Adds an incoming webhook, and returns its address. */
async function add(person, name) {
  await button(person.panel, "Add an incoming webhook").click();
  const form = dialog(person, "Add an incoming webhook");
  await expect(button(form, "Add"), "a webhook without a name can be added").toBeDisabled();
  await form.getByRole("textbox", { name: "Name" }).fill(name);
  await button(form, "Add").click();
  return shown(person, `The address of ${name}`);
}

/** Returns the address that a dialog shows, which has the focus. */
async function shown(person, title) {
  const field = dialog(person, title).getByRole("textbox", { name: "Copy the address now: it is shown only once" });
  await expect(field, "the address has the focus").toBeFocused();
  return field.inputValue();
}

test.describe("an incoming webhook", () => {
  test("posts as its bot, with another address after it was replaced, until it is removed", async ({ cast, server }) => {
    const ann = await atPrograms(cast, server, "alerts", { permissions: ["clipboard-write"] });
    const first = await add(ann, "Disk watch");
    await button(dialog(ann, "The address of Disk watch"), "Copy the address").click();
    await button(dialog(ann, "The address of Disk watch"), "Done").click();
    await ann.focusIs("Add an incoming webhook");
    await ann.composer.press("ControlOrMeta+v"); // the page itself may not read what was copied
    await expect(ann.composer, "the address is copied").toHaveValue(first);
    await ann.composer.fill("");
    expect(await write(first, "db-7 is full")).toBe(200);
    await ann.sees("db-7 is full");
    await expect(ann.row("db-7 is full"), "the program has the webhook's name").toContainText("Disk watch");

    await button(ann.panel, "New address for Disk watch").click();
    await button(dialog(ann, "Replace the address of Disk watch?"), "Cancel").click();
    expect(await write(first, "db-7 is still full"), "a question that is not answered replaces nothing").toBe(200);
    await button(ann.panel, "New address for Disk watch").click();
    await button(dialog(ann, "Replace the address of Disk watch?"), "Replace").click();
    const second = await shown(ann, "The new address of Disk watch");
    await ann.page.keyboard.press("Escape");
    await ann.focusIs("New address for Disk watch");
    expect(second).not.toBe(first);
    await expect.poll(() => write(first, "too late"), "the former address is refused").toBe(404);
    expect(await write(second, "db-7 has space again")).toBe(200);
    await ann.sees("db-7 has space again");

    await button(ann.panel, "Remove Disk watch").click();
    await button(dialog(ann, "Remove Disk watch?"), "Remove").click();
    await expect(ann.panel.getByText("Disk watch"), "the webhook leaves the list").toHaveCount(0);
    await expect.poll(() => write(second, "gone"), "the address of a removed webhook is refused").toBe(404);
  });

  test("is for owners, at most five of them, and none is added to an archived room", async ({ cast, server }) => {
    const ann = await atPrograms(cast, server, "many");
    await button(ann.panel, "All settings").click();
    await ann.focusIs("Connect other programs");
    const bob = await cast.enter("bob", { room: "many" });
    await bob.show("Settings");
    await button(bob.panel, "Leave the room").waitFor();
    await expect(button(bob.panel, "Connect other programs"), "a member connects programs").toHaveCount(0);

    for (let n = 1; n <= 4; n++) await server.api("ann", "POST", "/rooms/many/incoming", { name: `Program ${n}` });
    await button(ann.panel, "Connect other programs").click();
    await ann.panel.getByText("Program 4").waitFor();
    await add(ann, "Program 5");
    await ann.page.keyboard.press("Escape");
    await ann.panel.getByText("A room has at most 5.").waitFor();
    await expect(button(ann.panel, "Add an incoming webhook")).toHaveCount(0);
    await server.api("ann", "PATCH", "/rooms/many", { archived: true });
    await expect(ann.panel.getByText("A room has at most 5."), "an archived room is offered programs").toHaveCount(0);
    await button(ann.panel, "Remove Program 1").click();
    await button(dialog(ann, "Remove Program 1?"), "Remove").click();
    await expect(ann.panel.getByText("Program 1"), "a program stays in an archived room").toHaveCount(0);
  });
});

test.describe("the programs of a room", () => {
  for (const [size, options] of [["wide", {}], ["on a phone", { viewport: PHONE }]]) {
    test(`are clean for axe and need no mouse, ${size}`, async ({ cast, server }) => {
      const ann = await atPrograms(cast, server, `clean-${size === "wide" ? "wide" : "phone"}`, options);
      const { keyboard } = ann.page;
      await ann.panel.getByRole("button", { name: "Add an incoming webhook" }).focus();
      await keyboard.press("Enter");
      await ann.focusIs("Name");
      await keyboard.type("Builds");
      await keyboard.press("Enter");
      await shown(ann, "The address of Builds");
      await clean(ann, "an address", "dialog");
      await keyboard.press("Escape");
      await button(ann.panel, "Remove Builds").waitFor();
      await clean(ann, "programs", "aside");
      expect(await ann.panel.evaluate(e => e.scrollWidth - e.clientWidth), "the panel scrolls sideways").toBe(0);
    });
  }
});
