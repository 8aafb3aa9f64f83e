// Sending files: paste, drop and pick, the tray, and files of messages that are not sent yet.
import { mkdir, writeFile } from "node:fs/promises";
import { clean } from "./axe.mjs";
import { DOWN, PHONE, REFUSED, calm, expect, gate, suite } from "./fixtures.mjs";
import { png } from "./bytes.mjs";

const test = suite();
test.use(calm);

const PLAN = { name: "plan.png", mimeType: "image/png", buffer: png(120, 80) };
const MAP = { name: "map.png", mimeType: "image/png", buffer: png(60, 90, [190, 60, 20]) };
const NOTES = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("Bring tea.\n") };

const tray = person => person.page.getByRole("list", { name: "Files to send" });
const names = person => tray(person).locator("bdi");
const picker = person => person.page.getByLabel("Add files").first();

/** The files of the message that is not sent yet. */
const unsent = person => person.page.getByRole("list", { name: "Files of this message" });

/** Where files are sent. */
const STORE = /\/files\//;

/** Returns the files of a room's messages. */
const attachments = async (server, room) => (await server.messages("bob", room)).flatMap(m => m.attachments ?? []);

/** Waits until a room has files, and returns them. */
async function arrived(server, room, expected) {
  await expect.poll(async () => (await attachments(server, room)).map(a => a.name), "the files are sent").toEqual(expected);
  return attachments(server, room);
}

/** Returns the bytes of the file of a room's only or nth message as a person gets them. */
async function download(server, user, room, n = 0) {
  const message = (await server.messages(user, room))[n];
  const { items } = await server.api(user, "POST", `/rooms/${room}/attachments/links`, { messages: [message.id] });
  return Buffer.from(await (await fetch(new URL(items[0].url, server.url))).arrayBuffer());
}

/** Pastes files, and text if there is any, as the browser does after Ctrl+V. */
const paste = (at, files, text = {}) => at.evaluate((field, [files, text]) => {
  const data = new DataTransfer();
  for (const { name, mimeType, bytes } of files) data.items.add(new File([Uint8Array.from(atob(bytes), c => c.charCodeAt(0))], name, { type: mimeType }));
  for (const type in text) data.setData(type, text[type]);
  field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
}, [files.map(({ buffer, ...file }) => ({ ...file, bytes: buffer.toString("base64") })), text]);

/** Waits until the page accepts pasted and dropped files; that code is loaded after the room. */
const ready = person => person.page.waitForFunction(() => performance.getEntriesByType("resource").some(r => r.name.endsWith("/drop.js")));

/** Drags files from the system over a point of the page. */
async function drag(page, testInfo, files) {
  const folder = testInfo.outputPath("dropped");
  await mkdir(folder, { recursive: true });
  const paths = await Promise.all(files.map(async ({ name, buffer }) => {
    const path = `${folder}/${name}`;
    if (buffer) await writeFile(path, buffer);
    else await mkdir(path, { recursive: true });
    return path;
  }));
  const input = await page.context().newCDPSession(page);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  const send = (type, { x, y }) => input.send("Input.dispatchDragEvent", { type, x, y, data });
  return { over: async at => { await send("dragEnter", at); await send("dragOver", at); }, drop: at => send("drop", at) };
}

/** Returns the middle of an element. */
async function middle(element) {
  const { x, y, width, height } = await element.boundingBox();
  return { x: x + width / 2, y: y + height / 2 };
}

test.describe("the tray", () => {
  test("a pasted picture and picked files stand there, are described and removed by keys, and stay with the room", async ({ cast }) => {
    const [ann] = await cast.pair("tray");
    const { page } = ann;
    await ready(ann);
    await ann.composer.fill("with a picture");
    await paste(ann.composer, [PLAN]);
    await expect(names(ann)).toHaveText(["plan.png"]);
    await page.getByRole("status").getByText("plan.png was added").waitFor();
    await expect(tray(ann).locator("img")).toHaveJSProperty("naturalWidth", 120);
    await picker(ann).setInputFiles([MAP, NOTES]);
    await page.getByRole("status").getByText("2 files were added").waitFor();
    await expect(names(ann)).toHaveText(["plan.png", "map.png", "notes.txt"]);
    await ann.focusIs(/^Message /);
    await clean(ann, "the tray");

    await page.getByRole("button", { name: "Add alt text of map.png" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "map.png" });
    await dialog.getByRole("textbox", { name: "Alternative text" }).fill("the way to the lake");
    await clean(ann, "the alternative text", "dialog");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await ann.focusIs("Save");
    await page.keyboard.press("Enter");
    await ann.focusIs("Edit alt text of map.png");

    await ann.button("Remove map.png").press("Enter");
    await page.getByRole("status").getByText("map.png was removed").waitFor();
    await ann.focusIs("Remove notes.txt");
    await page.keyboard.press("Enter");
    await ann.focusIs("Remove plan.png");

    await ann.server.room("elsewhere", "ann");
    await ann.go("elsewhere");
    await expect(tray(ann)).toHaveCount(0);
    await expect(ann.link("tray")).toHaveAccessibleName(/draft/);
    await ann.go("tray");
    await expect(names(ann)).toHaveText(["plan.png"]);
    await ann.button("Remove plan.png").press("Enter");
    await ann.focusIs(/^Message /);
    await expect(ann.composer).toHaveValue("with a picture");
  });

  test("more than 20 files, empty files and folders are left out in words", async ({ cast }, testInfo) => {
    const [ann] = await cast.pair("bounds");
    await ready(ann);
    await picker(ann).setInputFiles([{ ...NOTES, buffer: Buffer.alloc(0) }]);
    await ann.page.getByText("notes.txt is empty or a folder, and cannot be sent.").waitFor();
    await expect(tray(ann)).toHaveCount(0);
    const many = Array.from({ length: 19 }, (_, n) => ({ ...NOTES, name: `notes ${n}.txt` }));
    await picker(ann).setInputFiles(many);
    await expect(names(ann)).toHaveCount(19);
    const dragged = await drag(ann.page, testInfo, [{ name: "photos" }, PLAN, MAP, NOTES]);
    await dragged.over(await middle(ann.log));
    await dragged.drop(await middle(ann.log));
    await ann.page.getByText("photos is empty or a folder, and cannot be sent. A message has at most 20 files: 2 were left out.").waitFor();
    await expect(names(ann)).toHaveCount(20);
    await clean(ann, "a tray with 20 files");
  });

  test("files are dropped anywhere in the room, or on a thread, and nowhere else", async ({ cast, server }, testInfo) => {
    const [ann] = await cast.pair("drops");
    await server.post("bob", "drops", "about tea");
    await ann.sees("about tea");
    await ready(ann);
    const { page } = ann;
    const zone = page.locator(".dropping");
    const room = await middle(ann.log);
    const list = await middle(ann.nav);
    let dragged = await drag(page, testInfo, [PLAN]);
    await dragged.over(room);
    await expect(zone).toHaveClass(/room-pane/);
    await ann.log.dispatchEvent("dragleave"); // the pointer leaves the window
    await expect(zone).toHaveCount(0);
    await dragged.over(room);
    await dragged.over(list);
    await expect(zone).toHaveCount(0);
    await dragged.drop(list);
    await expect(tray(ann)).toHaveCount(0);
    dragged = await drag(page, testInfo, [PLAN]);
    await dragged.over(room);
    await dragged.drop(room);
    await expect(names(ann)).toHaveText(["plan.png"]);
    await expect(zone).toHaveCount(0);
    await ann.act("about tea", "Reply in thread");
    await ann.focusIs("Message the thread");
    const thread = await middle(ann.panel);
    dragged = await drag(page, testInfo, [MAP]);
    await dragged.over(thread);
    await expect(zone).toHaveAttribute("aria-label", /^Thread/);
    await dragged.drop(thread);
    await expect(names(ann)).toHaveText(["plan.png", "map.png"]);
    await expect(ann.panel.getByRole("list", { name: "Files to send" }).locator("bdi")).toHaveText(["map.png"]);
    await ann.focusIs("Message the thread");
    await paste(page.getByRole("textbox", { name: "Message the thread" }), [NOTES]);
    await expect(ann.panel.locator(".tray bdi")).toHaveText(["map.png", "notes.txt"]);
    expect(new URL(page.url()).hash, "the browser has opened no file").toBe("#/drops");
  });

  test("cells are pasted as text, a copied file as a file, and other fields take none", async ({ cast }) => {
    const [ann] = await cast.pair("cells");
    await ready(ann);
    await paste(ann.composer, [PLAN], { "text/plain": "a\tb", "text/html": "<table></table>" });
    await paste(ann.composer, [MAP], { "text/plain": "map.png" });
    await expect(names(ann)).toHaveText(["map.png"]);
    await ann.page.keyboard.press("Control+k");
    await paste(ann.page.getByRole("combobox"), [NOTES]);
    await ann.page.keyboard.press("Escape");
    await expect(names(ann)).toHaveText(["map.png"]);
  });

  test("the button opens the system's choice by keys, on a phone too", async ({ cast }) => {
    const [ann] = await cast.pair("buttons", { viewport: PHONE, isMobile: true, hasTouch: true });
    const choosing = ann.page.waitForEvent("filechooser");
    await ann.button("Add to the message").press("Enter");
    await ann.pick("Add files");
    const chooser = await choosing;
    expect(chooser.isMultiple()).toBe(true);
    await chooser.setFiles([PLAN, MAP]);
    await expect(names(ann)).toHaveText(["plan.png", "map.png"]);
    await clean(ann, "the tray on a phone");
  });
});

test.describe("sending", () => {
  test("a pasted screenshot is there for somebody else, with its alternative text and its bytes", async ({ cast, server }) => {
    const [ann, bob] = await cast.pair("pasted");
    await ready(ann);
    await paste(ann.composer, [PLAN]);
    await ann.page.getByRole("button", { name: "Add alt text of plan.png" }).click();
    await ann.page.getByRole("textbox", { name: "Alternative text" }).fill("the plan of the lake");
    await ann.button("Save").click();
    await ann.composer.press("Enter");
    await expect(tray(ann)).toHaveCount(0);
    const [file] = await arrived(server, "pasted", ["plan.png"]);
    expect(file).toMatchObject({ type: "image/png", width: 120, height: 80, bytes: PLAN.buffer.length, alt: "the plan of the lake" });
    expect(await download(server, "bob", "pasted")).toEqual(PLAN.buffer);
    for (const person of [bob, ann]) await expect(person.log.getByRole("img", { name: "the plan of the lake" })).toHaveJSProperty("naturalWidth", 120);
    await expect(unsent(ann)).toHaveCount(0);
    await expect(ann.button("Send"), "nothing is left to send").toBeDisabled();
  });

  test("a photo loses its place and camera and keeps its orientation, unless the original is sent", async ({ cast, server }) => {
    const [ann, bob] = await cast.pair("photos");
    const plain = Buffer.from(await ann.page.evaluate(async () => {
      const canvas = Object.assign(document.createElement("canvas"), { width: 120, height: 80 });
      canvas.getContext("2d").fillRect(0, 0, 60, 80);
      return canvas.toDataURL("image/jpeg").split(",")[1];
    }), "base64");
    const exif = Buffer.from("Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0Camera 9000 at 52.5N 13.4E", "latin1");
    const buffer = Buffer.concat([plain.subarray(0, 2), Buffer.from([0xff, 0xe1, 0, exif.length + 2]), exif, plain.subarray(2)]);
    for (const [name, original] of [["clean.jpg", false], ["whole.jpg", true]]) {
      await picker(ann).setInputFiles([{ name, mimeType: "image/jpeg", buffer }]);
      if (original) await tray(ann).getByRole("checkbox", { name: `Send the original of ${name}` }).check();
      await ann.composer.press("Enter");
      const file = await arrived(server, "photos", original ? ["clean.jpg", "whole.jpg"] : [name]);
      expect(file.at(-1)).toMatchObject({ width: 80, height: 120, bytes: buffer.length });
      const bytes = await download(server, "bob", "photos", file.length - 1);
      expect(bytes.includes("Camera 9000 at 52.5N"), name).toBe(original);
      await expect(bob.log.getByRole("img", { name }), "it is turned").toHaveJSProperty("naturalHeight", 120);
    }
  });

  test("a thread gets its own files, with a text", async ({ cast, server }) => {
    const [ann] = await cast.pair("threaded");
    const first = await server.post("bob", "threaded", "about tea");
    await ann.sees("about tea");
    await ann.act("about tea", "Reply in thread");
    await ann.panel.getByLabel("Add files").setInputFiles([NOTES, MAP]);
    const field = ann.page.getByRole("textbox", { name: "Message the thread" });
    await field.fill("both of them");
    await field.press("Enter");
    const replies = async () => (await server.api("bob", "GET", `/rooms/threaded/messages/${first.id}/replies`)).items;
    await expect.poll(async () => (await replies()).map(m => [m.text, m.attachments?.map(a => a.name)])).toEqual([["both of them", ["notes.txt", "map.png"]]]);
  });

  test("a file shows its progress, and is taken out while others are sent", async ({ cast, server }) => {
    const [ann] = await cast.pair("progress");
    const network = await ann.page.context().newCDPSession(ann.page);
    const slow = uploadThroughput => network.send("Network.emulateNetworkConditions", { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput });
    await picker(ann).setInputFiles([{ ...NOTES, name: "large.bin", buffer: Buffer.alloc(2 << 20, 7) }, PLAN]);
    await names(ann).last().waitFor();
    await slow(100_000);
    await ann.composer.fill("slowly");
    await ann.composer.press("Enter");
    const bar = ann.page.getByRole("progressbar", { name: "Sending large.bin" });
    await expect.poll(() => bar.evaluate(b => b.value), "some of it is sent").toBeGreaterThan(0);
    expect(await bar.evaluate(b => b.position)).toBeLessThan(1);
    await clean(ann, "a file that is being sent");
    await ann.button("Do not send large.bin").press("Enter");
    await ann.page.getByText("large.bin will not be sent.").waitFor();
    await slow(-1);
    await arrived(server, "progress", ["plan.png"]);
    await ann.sent("slowly");
  });

  test("taking out the only file of a message without a text discards it", async ({ cast, server }) => {
    const [ann] = await cast.pair("discards");
    const { open, opened } = gate();
    await ann.page.route(STORE, route => opened.then(() => route.continue()).catch(() => {}));
    await picker(ann).setInputFiles(NOTES);
    await ann.button("Send").click();
    await unsent(ann).waitFor();
    await ann.button("Do not send notes.txt").click();
    await expect(ann.log.getByRole("article")).toHaveCount(0);
    await ann.focusIs(/^Message /);
    open();
    await ann.post("another");
    expect(await attachments(server, "discards")).toEqual([]);
  });

  test("taking out the only file of a message with a text sends neither, and gives the text back", async ({ cast, server }) => {
    const [ann] = await cast.pair("takes-back");
    const { open, opened } = gate();
    await ann.page.route(STORE, route => opened.then(() => route.continue()).catch(() => {}));
    await picker(ann).setInputFiles(NOTES);
    await ann.composer.fill("what we **said**");
    await ann.composer.press("Enter");
    await unsent(ann).waitFor();
    await ann.composer.fill("next");
    await ann.button("Do not send notes.txt").click();
    await expect(ann.log.getByRole("article")).toHaveCount(0);
    await expect(ann.composer).toHaveValue("what we **said**\nnext");
    await ann.page.getByText("The text is in the field again.").waitFor();
    open();
    await ann.post("another");
    expect((await server.messages("ann", "takes-back")).map(m => m.text), "what was posted").toEqual(["another"]);
  });

  test("a file that fails says why, and is sent again", async ({ cast, server }) => {
    const [ann] = await cast.pair("failing");
    ann.allow(/status of 400/);
    await ann.page.route(STORE, route => (route.request().postDataBuffer()?.equals(NOTES.buffer) ? route.fulfill({ status: 400 }) : route.fallback()));
    await picker(ann).setInputFiles([PLAN, NOTES]);
    await names(ann).last().waitFor();
    await ann.composer.press("Enter");
    await ann.page.getByRole("alert").getByText("Not sent.").waitFor();
    await expect(unsent(ann).getByRole("listitem").filter({ hasText: "notes.txt" }).locator(".alert")).not.toBeEmpty();
    await clean(ann, "a file that failed");
    await ann.page.unroute(STORE);
    await ann.button("Try again").click();
    await arrived(server, "failing", ["plan.png", "notes.txt"]);
  });

  test("each file that failed is sent again by itself", async ({ cast, server }) => {
    const [ann] = await cast.pair("singly");
    ann.allow(/status of 400/);
    await ann.page.route(STORE, route => route.fulfill({ status: 400 }));
    await picker(ann).setInputFiles([PLAN, NOTES]);
    await names(ann).last().waitFor();
    await ann.composer.press("Enter");
    const again = name => ann.button(`Try again: ${name}`);
    await again("plan.png").waitFor();
    await again("notes.txt").waitFor();
    await clean(ann, "two files that failed");
    await ann.page.unroute(STORE);
    await again("notes.txt").focus();
    await ann.page.keyboard.press("Enter");
    await expect(again("notes.txt")).toHaveCount(0);
    await ann.focusIs("Do not send notes.txt");
    await expect(again("plan.png")).toBeVisible();
    await again("plan.png").click();
    await arrived(server, "singly", ["plan.png", "notes.txt"]);
  });

  test("a picture and a file keep their places when their message is stored", async ({ cast, server }) => {
    const [ann] = await cast.pair("still");
    const { open, opened } = gate();
    await ann.page.route(STORE, route => opened.then(() => route.continue()).catch(() => {}));
    await picker(ann).setInputFiles([PLAN, NOTES]);
    await names(ann).last().waitFor();
    const begun = ann.page.waitForRequest(STORE);
    await ann.button("Send").click();
    await begun;
    const places = all => Promise.all(all.map(async part => {
      const { x, y, height } = await part.boundingBox();
      return { x, y: Math.round(y), height: Math.round(height) };
    }));
    const before = await places([unsent(ann).getByRole("img"), unsent(ann).getByRole("listitem").last()]);
    open();
    await arrived(server, "still", ["plan.png", "notes.txt"]);
    await expect(unsent(ann)).toHaveCount(0);
    expect(await places([ann.button("Picture: plan.png"), ann.log.getByRole("button", { name: /notes\.txt/ })])).toEqual(before);
  });

  test("files continue after a reload, and arrive once", async ({ cast, server }) => {
    const [ann] = await cast.pair("reloaded");
    ann.allow(/ERR_FAILED/);
    let fails = false;
    await ann.page.route(STORE, route => (fails ? route.abort() : undefined)); // the first page's uploads hang
    await picker(ann).setInputFiles([PLAN, NOTES]);
    await ann.composer.fill("before");
    await ann.composer.press("Enter");
    await unsent(ann).waitFor();
    await ann.kept("before");
    fails = true; // the next page's uploads fail, and are tried again
    await ann.page.reload();
    await ann.button("Do not send plan.png").waitFor();
    await ann.button("Do not send notes.txt").waitFor();
    await ann.page.unroute(STORE);
    await arrived(server, "reloaded", ["plan.png", "notes.txt"]);
    await ann.sent("before");
    expect((await server.messages("bob", "reloaded")).map(m => m.text)).toEqual(["before"]);
  });

  test("files wait offline with the words of messages, and a sign-out asks about them", async ({ cast, server }) => {
    const [ann] = await cast.pair("waiting");
    ann.allow(DOWN);
    await picker(ann).setInputFiles(PLAN);
    await names(ann).waitFor();
    const question = ann.page.getByRole("alertdialog", { name: "Sign out?" });
    const signOut = async () => {
      await ann.page.locator(".me").click();
      await ann.button("Sign out").click();
    };
    await signOut();
    await question.getByText("You have 1 draft.").waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    await ann.page.context().setOffline(true);
    await ann.page.getByText("Offline. Messages will be sent").waitFor();
    await ann.button("Send").click();
    await ann.button("Do not send plan.png").waitFor();
    await ann.log.getByText("Waiting for the connection").waitFor();
    await expect(unsent(ann).getByRole("progressbar")).toHaveCount(0);
    await signOut();
    await question.getByText("1 message was not sent.").waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    await ann.page.context().setOffline(false);
    await arrived(server, "waiting", ["plan.png"]);
  });

  test("a file that the server refuses says so before its bytes are sent", async ({ cast, server }) => {
    const [ann] = await cast.pair("refused");
    ann.allow(REFUSED);
    let sent = 0;
    ann.page.on("request", request => { sent += STORE.test(request.url()); });
    await picker(ann).evaluate(input => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array((100 << 20) + 1)], "film.mp4", { type: "video/mp4" }));
      input.files = data.files;
      input.dispatchEvent(new Event("change"));
    });
    await names(ann).waitFor();
    await ann.composer.fill("a long one");
    await ann.composer.press("Enter");
    await unsent(ann).locator(".alert", { hasText: /104857600/ }).waitFor();
    await ann.page.getByRole("alert").getByText("Not sent. A file could not be sent.").waitFor();
    expect(sent, "no bytes are sent").toBe(0);
    await ann.button("Do not send film.mp4").click();
    await expect(ann.composer).toHaveValue("a long one");
    await ann.composer.press("Enter");
    await ann.sent("a long one");
    expect(await attachments(server, "refused")).toEqual([]);
  });
});
