// Takes a picture of every state of the app, in both themes, wide and on a phone. They are for eyes:
// no test compares them. The argument is the folder, by default shots beside this file.
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Cast, DOWN, PHONE, REFUSED, WIDE, launch } from "./harness.mjs";
import { Server } from "./server.mjs";

const folder = process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), "shots");
await mkdir(folder, { recursive: true });
/** Animations end before. */
const SETTLE_MS = 400;

const server = await Server.start();
const browser = await launch();
const cast = new Cast(browser, server);
const failures = [];

/** Takes a picture in both themes. */
async function shoot(person, name, themes = ["light", "dark"]) {
  for (const colorScheme of themes) {
    await person.page.emulateMedia({ colorScheme });
    await person.page.waitForTimeout(SETTLE_MS);
    await person.page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
  }
}

/** Takes the pictures of a state. A state that cannot be reached fails the run at its end. */
async function state(name, reach) {
  try {
    await reach();
  } catch (error) {
    failures.push(`${name}: ${String(error).split("\n").slice(0, 3).join(" ")}`);
  }
}

/** The talk of the pictures. */
async function fill() {
  for (const [user, name] of [["amsg", "amsg"], ["rhianna", "Rhianna Cohen"], ["davy", "Davy Ivens"], ["bob", "Bob"]]) {
    await server.api(user, "PUT", "/people/me", { name });
  }
  await server.room("plans", "amsg", ["rhianna", "davy", "bob"], { name: "plans", topic: "Everything that has no room of its own" });
  await server.room("seattle", "bob", ["amsg"], { name: "seattle", topic: "Rain, mostly" });
  await server.room("release-2026-12", "rhianna", ["amsg", "davy"], { name: "release-2026-12" });
  await server.post("bob", "seattle", "rain and coffee, as ever");
  await server.post("rhianna", "release-2026-12", "I edited the checklist");
  const talk = [
    ["davy", "Moved the import over to the new table. 12,574 records in, every one accounted for."],
    ["davy", "A second run added nothing, so it is safe to run again: `chat import slack export.zip`"],
    ["rhianna", "Nice. I wrote down what we keep and for how long, see https://example.com/retention. Objections by *Monday* please."],
    ["amsg", "Read it on the train. One question on backups, otherwise good to go."],
    ["amsg", "This one goes"],
    ["davy", "Backups hold deleted text for 35 days, then it is gone for good. I added a line."],
    ["davy", "the map is up, have a look: https://parley.example/map"],
    ["bob", "🙌"],
    ["rhianna", "```\nfor room in rooms {\n    print(room.name)\n}\n```"],
    ["bob", "שלום, this line runs from right to left"],
    ["amsg", "Looks great. Shipping it."],
  ];
  const ids = [];
  for (const [user, text] of talk) ids.push((await server.post(user, "plans", text)).id);
  await server.api("amsg", "PATCH", `/rooms/plans/messages/${encodeURIComponent(ids[3])}`, { text: `${talk[3][1]} Well done.` });
  await server.api("amsg", "DELETE", `/rooms/plans/messages/${encodeURIComponent(ids[4])}`);
  await server.api("rhianna", "POST", "/rooms", { direct: ["amsg"] }).then(room =>
    server.post("rhianna", room.id, "Could you look at version 2?"));
}

async function states() {
  await state("sign-in", async () => {
    const who = await cast.window("amsg");
    await who.page.getByRole("textbox", { name: "Your name" }).waitFor();
    await shoot(who, "wide-sign-in");
    await who.page.setViewportSize(PHONE);
    await shoot(who, "phone-sign-in");
  });
  await state("first sight", async () => {
    const ann = await cast.window("ann");
    await ann.signIn();
    await shoot(ann, "wide-first-sight");
    await ann.page.setViewportSize(PHONE);
    await shoot(ann, "phone-first-sight");
  });
  await fill();
  for (const [size, viewport] of [["wide", WIDE], ["phone", PHONE]]) await sized(size, viewport);
}

async function sized(size, viewport) {
  const me = await cast.enter("amsg", { room: "plans", viewport });
  await state(`${size} room`, async () => {
    await me.sees("Shipping it.");
    const bob = await cast.enter("bob", { room: "plans" });
    await bob.composer.pressSequentially("I type");
    await me.page.locator(".typing", { hasText: /Bob|bob/ }).waitFor();
    await shoot(me, `${size}-room`);
    await bob.page.context().close();
  });
  await state(`${size} list`, async () => {
    await me.page.goto(`${server.url}/#/`);
    if (size === "phone") await me.link("seattle").waitFor();
    await server.post("bob", "seattle", "are you there?");
    await shoot(me, `${size}-list`);
    await me.go("plans");
  });
  await state(`${size} actions`, async () => {
    await me.row("Shipping it.").hover();
    await shoot(me, `${size}-actions`, ["light"]);
    await me.row("Shipping it.").getByRole("button", { name: "More" }).click();
    await shoot(me, `${size}-menu`);
    await me.page.keyboard.press("Escape");
    await me.act("Shipping it.", "Edit");
    await shoot(me, `${size}-edit`);
    await me.button("Cancel").click();
    await me.act("Shipping it.", "Delete");
    await shoot(me, `${size}-delete`);
    await me.page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
  });
  await state(`${size} find`, async () => {
    await me.page.keyboard.press("Control+k");
    await shoot(me, `${size}-find-empty`, ["light"]);
    await me.page.getByRole("combobox", { name: "Find a room or person" }).fill("da");
    await me.page.getByRole("option").first().waitFor();
    await shoot(me, `${size}-find`);
    await me.page.keyboard.press("Escape");
  });
  for (const name of ["People", "Documents", "Settings"]) {
    await state(`${size} ${name}`, async () => {
      await me.button(name).click();
      await me.panel.first().waitFor();
      await shoot(me, `${size}-${name.toLowerCase()}`);
      await me.page.keyboard.press("Escape");
    });
  }
  await state(`${size} history`, async () => {
    await me.act("Read it on the train", "Edit history");
    await me.panel.first().waitFor();
    await shoot(me, `${size}-history`);
    await me.page.keyboard.press("Escape");
  });
  await state(`${size} report`, async () => {
    await me.act("the map is up", "Report");
    await me.panel.first().waitFor();
    await shoot(me, `${size}-report`);
    await me.page.keyboard.press("Escape");
  });
  await state(`${size} drawer`, async () => {
    const dev = await cast.window("amsg", { path: "/?dev#as=amsg", viewport });
    await dev.page.getByRole("complementary", { name: "Requests" }).waitFor();
    await shoot(dev, `${size}-drawer`);
    await dev.page.context().close();
  });
  await state(`${size} empty room`, async () => {
    await server.room(`quiet-${size}`, "amsg");
    await me.go(`quiet-${size}`);
    await shoot(me, `${size}-empty-room`);
  });
  await state(`${size} no room`, async () => {
    me.expect(REFUSED);
    await me.page.evaluate(() => { location.hash = "#/no-such-room"; });
    await shoot(me, `${size}-no-room`);
  });
  await state(`${size} loading`, async () => {
    await me.page.route("**/rooms/plans/messages?**", route => new Promise(resolve => { setTimeout(() => resolve(route.continue().catch(() => {})), 6000); }));
    await me.page.goto(`${server.url}/#/plans`);
    await me.page.reload();
    await me.page.waitForTimeout(1000);
    await shoot(me, `${size}-loading`);
    await me.page.unroute("**/rooms/plans/messages?**");
    await me.ready();
  });
  await state(`${size} refused`, async () => {
    await server.api("amsg", "PUT", "/rooms/plans/members/bob", { role: "muted", reason: "too loud" });
    const bob = await cast.enter("bob", { room: "plans", viewport });
    bob.expect(REFUSED);
    await bob.composer.fill("may I?", { timeout: 3000 }).then(() => bob.composer.press("Enter")).catch(() => {}); // the composer may be closed
    await shoot(bob, `${size}-refused`);
    await bob.page.context().close();
    await server.api("amsg", "PUT", "/rooms/plans/members/bob", { role: "member" });
  });
  await state(`${size} offline`, async () => {
    await me.go("plans");
    me.expect(DOWN);
    await server.kill();
    await me.say(`This line waits (${size})`);
    await me.page.waitForTimeout(1500);
    await shoot(me, `${size}-offline`);
    await server.launch();
    await me.sent(`This line waits (${size})`);
  });
  await state(`${size} signed out`, async () => {
    me.expect(REFUSED);
    await me.shutOut();
    await me.page.reload();
    await me.page.getByRole("heading", { name: "Signed out" }).waitFor();
    await shoot(me, `${size}-signed-out`);
  });
  await me.page.context().close();
}

try {
  await states();
} finally {
  await browser.close();
  await server.close();
}
for (const failure of failures) console.error(failure);
console.log(`${folder}: ${failures.length} states were not reached`);
process.exitCode = failures.length ? 1 : 0;
