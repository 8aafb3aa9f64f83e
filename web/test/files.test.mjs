// Sending files: paste, drop and pick, the tray, and files of messages that are not sent yet.
import { mkdir, writeFile } from "node:fs/promises";
import { clean } from "./axe.mjs";
import { PHONE, calm, expect, suite } from "./fixtures.mjs";
import { png } from "./png.mjs";

const test = suite();
test.use(calm);

const PLAN = { name: "plan.png", mimeType: "image/png", buffer: png(120, 80) };
const MAP = { name: "map.png", mimeType: "image/png", buffer: png(60, 90, [190, 60, 20]) };
const NOTES = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("Bring tea.\n") };

const tray = person => person.page.getByRole("list", { name: "Files to send" });
const names = person => tray(person).locator("bdi");
const picker = person => person.page.getByLabel("Add files").first();

/** Pastes files, and text if there is any, as the browser does after Ctrl+V. */
const paste = (at, files, text = {}) => at.evaluate((field, [files, text]) => {
  const data = new DataTransfer();
  for (const { name, mimeType, bytes } of files) data.items.add(new File([Uint8Array.from(atob(bytes), c => c.charCodeAt(0))], name, { type: mimeType }));
  for (const type in text) data.setData(type, text[type]);
  field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
}, [files.map(({ buffer, ...file }) => ({ ...file, bytes: buffer.toString("base64") })), text]);

/** Waits until the page takes what is pasted and dropped, which is loaded after the room. */
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
    await picker(ann).focus();
    await ann.page.keyboard.press("Enter");
    const chooser = await choosing;
    expect(chooser.isMultiple()).toBe(true);
    await chooser.setFiles([PLAN, MAP]);
    await expect(names(ann)).toHaveText(["plan.png", "map.png"]);
    await clean(ann, "the tray on a phone");
  });
});
