// Pictures that people upload of themselves: choosing one, and how others see it.
import { clean } from "./axe.mjs";
import { png, portray } from "./bytes.mjs";
import { DOWN, PHONE, REFUSED, calm, expect, suite } from "./fixtures.mjs";

const test = suite();
test.use(calm);

const BLUE = [40, 120];
const ORANGE = [200, 90];
const file = (name, [red, green], width = 700, height = 500) => ({ name, mimeType: "image/png", buffer: png(width, height, [red, green, 0]) });

/** Where pictures are stored. */
const STORE = /\/files\/_people\//;

const preferences = person => person.page.getByRole("dialog", { name: "Profile and preferences" });
const picker = person => preferences(person).getByLabel("Choose a picture");
const preview = person => preferences(person).locator(".face");
const save = person => preferences(person).getByRole("button", { name: "Save" }).click();
const said = (person, text) => preferences(person).getByRole("group", { name: "Your picture" }).getByText(text).waitFor();

/** The faces of ann in a window whose panel shows the members. */
const places = person => ({
  "a message": person.row("hello").locator(".face"),
  "the list of members": person.panel.getByRole("listitem").filter({ hasText: "Ann Ames" }).locator(".face"),
});

/** Waits until a face shows a picture of a color: its red and green, which codecs change a little. */
async function shows(face, [red, green], place) {
  await expect(face.locator("img"), place).toBeVisible();
  await expect.poll(() => face.locator("img").evaluate(img => {
    const brush = document.createElement("canvas").getContext("2d");
    brush.drawImage(img, 0, 0, 16, 16);
    return [...brush.getImageData(8, 8, 1, 1).data].slice(0, 2).map(value => Math.round(value / 20));
  }), place).toEqual([red / 20, green / 20].map(Math.round));
}

/** Waits until a face shows only initials. */
async function plain(face, place) {
  await expect(face.locator("img:visible"), place).toHaveCount(0);
  await expect(face, place).toHaveText("AA");
}

/** Makes a room in which an Ann Ames has said hello, with the room's name as the user id: cards are cached for a minute. */
async function begin(server, user) {
  await server.api(user, "PUT", "/people/me", { name: "Ann Ames" });
  await server.room(user, user, ["bob"]);
  await server.post(user, user, "hello");
}

/** Opens a window of Ann Ames in her room. */
async function enter(cast, user) {
  await begin(cast.server, user);
  return cast.enter(user, { room: user });
}

async function edit(person) {
  await person.nav.locator(".me").click();
  await preferences(person).getByRole("textbox", { name: "Name that others see" }).waitFor();
}

/** Opens the page again, with the members, at a server that has forgotten the cards. */
async function again(person) {
  await person.server.stop();
  await person.server.launch();
  await person.page.reload();
  await person.sees("hello");
  await person.button("People").click();
}

async function saved(person) {
  await person.page.getByText("Your profile was saved.").waitFor();
  await expect(preferences(person)).toHaveCount(0);
}

test("a picture is chosen and saved, replaced and removed, and others see it in every place", async ({ cast }) => {
  const ann = await enter(cast, "faces");
  const bob = await cast.enter("bob", { room: "faces" });
  for (const person of [ann, bob]) person.allow(DOWN); // the server begins again
  await edit(ann);
  await expect(preferences(ann).getByLabel("Address of a picture"), "no host is configured").toHaveCount(0);
  await picker(ann).setInputFiles(file("me.png", BLUE));
  await shows(preview(ann), BLUE, "the preview");
  await said(ann, "Others see it once you save.");
  await clean(ann, "a chosen picture", "dialog");
  await plain(ann.row("hello").locator(".face"), "it is not saved yet");
  await save(ann);
  await saved(ann);
  await shows(ann.row("hello").locator(".face"), BLUE, "one's own message");
  await shows(ann.nav.locator(".me .face"), BLUE, "one's own button");

  const asked = [];
  bob.page.on("request", r => { if (/\/people\?ids=faces$|\/files\/_people/.test(r.url())) asked.push(r.url()); });
  await again(bob);
  for (const [place, face] of Object.entries(places(bob))) await shows(face, BLUE, place);
  await bob.row("hello").locator(".face").click();
  await shows(bob.page.getByRole("dialog", { name: "Profile of Ann Ames" }).locator(".face"), BLUE, "the profile");
  await clean(bob, "a profile with a picture");
  await bob.page.keyboard.press("Escape");
  expect(new Set(asked).size, "the faces share one link").toBe(2);
  expect(asked.filter(url => url.includes("?ids=")), "a link is asked for again").toHaveLength(1);

  await edit(ann);
  await shows(preview(ann), BLUE, "the present picture");
  await picker(ann).setInputFiles(file("other.png", ORANGE));
  await shows(preview(ann), ORANGE, "the preview of another");
  await save(ann);
  await saved(ann);
  await shows(ann.row("hello").locator(".face"), ORANGE, "one's own message, later");
  await again(bob);
  for (const [place, face] of Object.entries(places(bob))) await shows(face, ORANGE, `${place}, later`);

  await edit(ann);
  await preferences(ann).getByRole("button", { name: "Remove the picture" }).click();
  await ann.focusIs("Choose a picture");
  await said(ann, "It is removed once you save.");
  await plain(preview(ann), "the preview of none");
  await save(ann);
  await saved(ann);
  await plain(ann.row("hello").locator(".face"), "one's own message without a picture");
  await again(bob);
  for (const [place, face] of Object.entries(places(bob))) await plain(face, `${place} without a picture`);
});

test("keys do all of it, and on a phone it fits", async ({ cast, server }) => {
  await begin(server, "keys");
  const ann = await cast.enter("keys", { viewport: PHONE, isMobile: true, hasTouch: true });
  await ann.page.getByRole("button", { name: /^Back to rooms/ }).tap();
  await ann.nav.locator(".me").press("Enter");
  await picker(ann).waitFor();
  const choosing = ann.page.waitForEvent("filechooser"); // before the focus, so that the browser knows it before the key
  await picker(ann).focus();
  await ann.page.keyboard.press("Enter");
  const chooser = await choosing;
  expect(chooser.isMultiple()).toBe(false);
  await chooser.setFiles(file("me.png", BLUE, 200, 900));
  await shows(preview(ann), BLUE, "the preview");
  await ann.focusIs("Choose a picture");
  const [first, second] = await preferences(ann).locator(".own-picture .button").evaluateAll(all => all.map(e => e.getBoundingClientRect().top));
  expect(first, "the buttons are in a line").toBe(second);
  await clean(ann, "a chosen picture on a phone", "dialog");
  const box = preferences(ann);
  expect(await box.evaluate(e => e.scrollWidth <= e.clientWidth), "the dialog is as wide as the phone").toBe(true);
  await ann.page.keyboard.press("Tab");
  await ann.focusIs("Remove the picture");
  await ann.page.keyboard.press("Tab");
  await ann.focusIs("Name that others see");
  await ann.page.keyboard.press("Enter");
  await saved(ann);
  const { picture } = await server.api("keys", "GET", "/people/me");
  expect(picture).toMatch(/=$/);
  await ann.nav.locator(".me").press("Enter");
  await picker(ann).focus();
  await ann.page.keyboard.press("Tab");
  await ann.page.keyboard.press("Enter");
  await ann.focusIs("Choose a picture");
  await ann.page.keyboard.press("Tab");
  await ann.page.keyboard.press("Enter");
  await saved(ann);
  expect((await server.api("keys", "GET", "/people/me")).picture).toBeUndefined();
});

test("a picture is dropped and pasted on the dialog", async ({ cast }) => {
  const ann = await enter(cast, "drops");
  await ann.page.waitForFunction(() => performance.getEntriesByType("resource").some(r => r.name.endsWith("/drop.js")));
  await edit(ann);
  for (const [type, color] of [["paste", BLUE], ["drop", ORANGE]]) {
    await preferences(ann).getByRole("textbox", { name: "Title" }).evaluate((field, [type, bytes]) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(atob(bytes), c => c.charCodeAt(0))], "me.png", { type: "image/png" }));
      const more = { bubbles: true, cancelable: true };
      field.dispatchEvent(type === "paste" ? new ClipboardEvent(type, { clipboardData: data, ...more }) : new DragEvent(type, { dataTransfer: data, ...more }));
    }, [type, file("me.png", color).buffer.toString("base64")]);
    await shows(preview(ann), color, `the preview after a ${type}`);
  }
  await expect(ann.page.getByRole("list", { name: "Files to send" }), "a message takes it").toHaveCount(0);
});

test("a file that is no picture, a broken one, and one that cannot be stored are refused in words at the control", async ({ cast }) => {
  const ann = await enter(cast, "refusals");
  const unreadable = "This browser cannot read the file as a picture. Choose a JPEG, PNG or WebP.";
  await edit(ann);
  const alert = preferences(ann).getByRole("alert");
  const whole = file("me.png", BLUE);
  for (const bad of [{ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("Bring tea.\n") }, { ...whole, buffer: whole.buffer.subarray(0, 60) }]) {
    await picker(ann).setInputFiles(bad);
    await expect(alert).toHaveText(unreadable);
    await expect(picker(ann)).toHaveAccessibleDescription(unreadable);
    await ann.focusIs("Choose a picture");
    await plain(preview(ann), "the preview of a broken file");
  }
  await clean(ann, "a refused picture", "dialog");
  await picker(ann).setInputFiles(whole);
  await shows(preview(ann), BLUE, "the preview");
  await expect(alert).toHaveCount(0);

  const refusals = [
    ["**/people/me/picture", 409, "This deployment stores no files."],
    [STORE, 403, "The picture could not be stored (403). Try again."],
  ];
  for (const [address, status, text] of refusals) {
    await ann.refuse(address, status, "this deployment stores no files");
    await save(ann);
    await expect(alert).toHaveText(text);
    await ann.focusIs("Choose a picture");
    await ann.page.unroute(address);
  }
  await save(ann);
  await saved(ann);
  await shows(ann.row("hello").locator(".face"), BLUE, "one's own message");
});

test.describe("a picture of another", () => {
  /** Opens a window of bob that counts what it asks for. Answer gives the picture, or what stands in for it. */
  async function look(cast, server, user, answer) {
    await begin(server, user);
    await portray(server, user, png(120, 120, [...BLUE, 0]));
    const asked = { links: 0, pictures: 0 };
    const bob = await cast.enter("bob", { room: user, prepare: async page => {
      page.on("request", r => { asked.links += Number(r.url().endsWith(`/people?ids=${user}`)); });
      await page.route(STORE, route => answer(route, ++asked.pictures));
    } });
    bob.allow(DOWN, REFUSED);
    return { bob, asked };
  }

  test("is asked for once more if it cannot be loaded, and is initials then", async ({ cast, server }) => {
    const { bob, asked } = await look(cast, server, "lost", route => route.fulfill({ status: 404 }));
    await expect.poll(() => asked.links, "a fresh link is asked for").toBe(2);
    await expect(bob.row("hello").locator(".face img")).toHaveCount(0);
    await bob.button("People").click();
    for (const [place, face] of Object.entries(places(bob))) await plain(face, place);
    await bob.settled();
    expect(asked).toEqual({ links: 2, pictures: 2 });
    await clean(bob, "a picture that cannot be loaded");
  });

  test("is shown if the second link works, and stays while the lists render again", async ({ cast, server }) => {
    const { bob, asked } = await look(cast, server, "found", (route, n) => (n === 1 ? route.fulfill({ status: 403 }) : route.fallback()));
    await bob.button("People").click();
    for (const [place, face] of Object.entries(places(bob))) await shows(face, BLUE, place);
    expect(asked.links).toBe(2);
    await bob.page.evaluate(() => { for (const img of document.querySelectorAll(".face img")) img.dataset.seen = "1"; });
    await server.api("found", "PATCH", "/people/me", { status: { emoji: "🌴", text: "On holiday" } });
    await server.post("found", "found", "a new message");
    await server.api("cem", "PUT", "/rooms/found/members/me", { role: "member" });
    await bob.sees("a new message");
    await bob.panel.getByRole("listitem").filter({ hasText: "cem" }).waitFor();
    for (const [place, face] of Object.entries(places(bob))) await expect(face.locator("img.loaded[data-seen]"), `${place} keeps its picture`).toHaveCount(1);
  });

  test("that one face shows is in the first frame of the next", async ({ cast, server }) => {
    const { bob } = await look(cast, server, "frames", route => route.fallback());
    await shows(bob.row("hello").locator(".face"), BLUE, "a message");
    await bob.page.evaluate(() => {
      window.faces = [];
      new MutationObserver(() => {
        const img = document.querySelector(".panel .face img");
        if (img && !window.faces.length) window.faces.push(getComputedStyle(img).visibility);
      }).observe(document.body, { childList: true, subtree: true });
    });
    await bob.button("People").click();
    await shows(places(bob)["the list of members"], BLUE, "a member");
    expect(await bob.page.evaluate(() => window.faces), "the initials flash").toEqual(["visible"]);
  });
});
