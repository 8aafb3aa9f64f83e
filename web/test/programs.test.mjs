// Other programs in a room's settings: the addresses at which they write, and what they receive.
import { createServer } from "node:http";
import { clean } from "./axe.mjs";
import { PHONE, REFUSED, expect, suite } from "./fixtures.mjs";

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

/** A program that receives changes. Its requests are kept, and answered by what answer returns: a status, a text and headers. */
async function receive(answer) {
  const requests = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request) text += part;
    const body = JSON.parse(text);
    requests.push(body);
    const [status, answered, headers] = answer(body);
    response.writeHead(status, headers).end(answered);
  });
  await new Promise(resolve => server.listen(0, "127.0.0.1", resolve));
  return {
    requests,
    url: `http://127.0.0.1:${server.address().port}/`,
    types: () => requests.flatMap(r => r.data.items ?? []).flatMap(room => room.changes).map(change => change.type),
    close: () => new Promise(resolve => { server.close(resolve); server.closeAllConnections(); }),
  };
}

test.describe("an outgoing webhook", () => {
  test("sends nothing before its receiver is confirmed, and is tested, switched off and deleted", async ({ cast, server }) => {
    let runs = false;
    const receiver = await receive(({ data }) => (runs ? [200, JSON.stringify({ challenge: data.challenge })] : [503, ""]));
    try {
      const ann = await atPrograms(cast, server, "mirrored");
      const card = ann.panel.getByRole("listitem").filter({ hasText: receiver.url });
      await button(ann.panel, "Add an address").click();
      const form = dialog(ann, "Send changes to an address");
      await form.getByRole("textbox", { name: "Name" }).fill("Build mirror");
      await form.getByRole("textbox", { name: "Address" }).fill("http://10.0.0.1/");
      ann.allow(REFUSED);
      await button(form, "Add").click();
      await expect(form.getByRole("textbox", { name: "Address" }), "the fault is at the address").toHaveAttribute("aria-invalid", "true");
      await form.getByRole("textbox", { name: "Address" }).fill(receiver.url);
      await button(form, "Add").click();
      const secret = dialog(ann, "The secret of build-mirror").getByRole("textbox", { name: "Copy the secret now: it is shown only once" });
      await expect(secret, "the secret has the focus").toBeFocused();
      await expect(secret).toHaveValue(/^whsec_/);
      await expect.poll(() => receiver.requests.length, "the challenge is sent").toBeGreaterThan(0);
      await button(dialog(ann, "The secret of build-mirror"), "Done").click();
      await card.getByText("Not confirmed yet").waitFor();
      await card.getByText("It ends when ann no longer owns the room.").waitFor();
      await server.post("bob", "mirrored", "before");

      runs = true;
      await button(card, "Send the challenge again to build-mirror").click();
      await card.getByText("Sending", { exact: true }).waitFor();
      await server.post("bob", "mirrored", "after");
      await expect.poll(receiver.types, "changes are sent").toContain("message.created");
      await button(card, "Send a test to build-mirror").click();
      await card.getByText(/Last test, .*: 200 OK/).waitFor();

      await button(card, "Actions for build-mirror").click();
      await ann.item("Switch off").click();
      await card.getByText("Off: changes wait").waitFor();
      await button(card, "Actions for build-mirror").click();
      await ann.item("Switch on").click();
      await card.getByText("Sending", { exact: true }).waitFor();
      await button(card, "Actions for build-mirror").click();
      await ann.item("New secret").click();
      await button(dialog(ann, "Replace the secret of build-mirror?"), "Replace").click();
      const second = dialog(ann, "The new secret of build-mirror").getByRole("textbox");
      await expect(second, "the new secret has the focus").toBeFocused();
      await expect(second).toHaveValue(/^whsec_/);
      await ann.page.keyboard.press("Escape");
      await button(card, "Actions for build-mirror").click();
      await ann.item("Delete").click();
      await button(dialog(ann, "Delete build-mirror?"), "Delete").click();
      await expect(card, "a deleted hook leaves the list").toHaveCount(0);
      await expect.poll(async () => (await server.api("ann", "GET", "/rooms/mirrored/hooks")).items).toEqual([]);
    } finally {
      await receiver.close();
    }
  });

  test("says why it is paused, and what failed", async ({ cast, server }) => {
    const receiver = await receive(({ type, data }) => (type === "challenge" ? [200, data.challenge] : [503, "", { "Retry-After": "600" }]));
    try {
      await server.room("troubled", "ann", ["bob"]);
      await server.api("ann", "PUT", "/rooms/troubled/hooks/index", { url: receiver.url });
      await expect.poll(async () => (await server.api("ann", "GET", "/rooms/troubled/hooks/index")).state, "the receiver is confirmed").toBe("sending");
      await server.post("bob", "troubled", "nobody takes this");
      await expect.poll(async () => (await server.api("ann", "GET", "/rooms/troubled/hooks/index")).state, "the hook is paused").toBe("paused");
      const ann = await cast.enter("ann", { room: "troubled" });
      await ann.show("Settings");
      await button(ann.panel, "Connect other programs").click();
      await ann.panel.getByText("Paused after a failure, until").waitFor();
      await ann.panel.getByText("Changes wait since").waitFor();
      await ann.panel.getByText("Last failures").click();
      await ann.panel.getByText("503 Service Unavailable").first().waitFor();
      await clean(ann, "a hook in trouble", "aside");
    } finally {
      await receiver.close();
    }
  });

  test("is offered where the deployment has it, and a private room says why not", async ({ cast, server }) => {
    const { id } = await server.api("ann", "POST", "/rooms", { name: "Cellar", visibility: "private" });
    const ann = await cast.enter("ann", { room: id });
    ann.allow(REFUSED);
    await ann.show("Settings");
    await button(ann.panel, "Connect other programs").click();
    await ann.panel.getByText(/no changes of private and direct rooms/).waitFor();
    await ann.refuse(/\/hooks$/, 404, "This deployment has no hooks of rooms.");
    await button(ann.panel, "All settings").click();
    await button(ann.panel, "Connect other programs").click();
    await button(ann.panel, "Add an incoming webhook").waitFor();
    await expect(ann.panel.getByText("Programs that receive changes"), "hooks are offered that the deployment has not").toHaveCount(0);
  });
});

test.describe("the drawer of ?dev", () => {
  test("lists what was sent to hooks, and sends it again", async ({ cast, server }) => {
    const receiver = await receive(({ type, data }) => [200, type === "challenge" ? data.challenge : ""]);
    try {
      await server.room("watched", "ann", ["bob"]);
      await server.api("ann", "PUT", "/rooms/watched/hooks/copy", { url: receiver.url });
      const ann = await cast.window("ann", { path: "/?dev#as=ann" });
      const deliveries = ann.page.getByRole("region", { name: "Deliveries" });
      await deliveries.getByText(/^copy, challenge 200 OK, \d+ ms, /).waitFor();
      await server.post("bob", "watched", "a text that is not listed");
      const row = deliveries.getByRole("listitem").filter({ hasText: "in watched" });
      await row.getByText(/^copy, changes 200 OK, /).first().waitFor();
      await expect(deliveries, "the list has a text").not.toContainText("a text that is not listed");
      await clean(ann, "deliveries", "aside");
      const before = receiver.types().length;
      await row.last().getByRole("button", { name: /^Replay the hour before copy at/ }).click();
      await ann.page.getByRole("status").filter({ hasText: "are sent again" }).waitFor();
      await expect.poll(() => receiver.types().slice(before), "the changes are sent again").toContain("message.created");
    } finally {
      await receiver.close();
    }
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
