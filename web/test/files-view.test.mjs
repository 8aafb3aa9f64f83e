// Files of messages as others see them: pictures and their lightbox, players, cards, and the files of a room.
import { attach, picture, png, wav } from "./bytes.mjs";
import { clean } from "./axe.mjs";
import { PHONE, REFUSED, calm, expect, gate, suite } from "./fixtures.mjs";
import { probe, record } from "./probe.mjs";

const test = suite();
test.use(calm);

const FINGERS = { viewport: PHONE, hasTouch: true, isMobile: true };
const PLAN = { alt: "The plan of the ground floor", preview: png(72, 45) };
const NOTES = { name: "notes.pdf", type: "application/pdf", data: Buffer.from("%PDF-1.4\n") };
/** The code that shows files. */
const CODE = /\/(pictures|file|late)\.(js|css)$/;

/** The pictures in the messages of a window. */
const pictures = person => person.log.getByRole("button", { name: /^Picture: / });

/** Waits until so many pictures are loaded. */
const loaded = (person, count, within = person.log) => expect.poll(() =>
  within.locator("img.loaded").evaluateAll(all => all.filter(img => img.naturalWidth > 0).length), "pictures are loaded").toBe(count);

/** The lightbox. */
const box = person => person.page.getByRole("dialog", { name: /^Picture: / });

/** Creates a room of ann in which bob is, with a message of ann that has files. */
async function hall(server, room, files, text = "") {
  await server.room(room, "ann", ["bob"]);
  return attach(server, "ann", room, text, files);
}

test("pictures are seen by others, and nothing shifts", async ({ cast, server }) => {
  await server.room("gallery", "ann", ["bob"]);
  for (const count of [6, 3, 2, 1]) await attach(server, "ann", "gallery", `${count} of them`, Array.from({ length: count }, (_, i) => picture(`p${i}.png`, 320, 200 + 20 * i, i ? {} : PLAN)));
  await attach(server, "ann", "gallery", "mixed", [picture("tall.png", 60, 240), NOTES, { name: "tone.wav", type: "audio/wav", data: wav() }]);
  await server.post("ann", "gallery", "the end");
  const bob = await cast.enter("bob", { room: "gallery", viewport: { width: 1280, height: 1400 }, prepare: page => page.addInitScript(record) });
  await bob.settled();
  await loaded(bob, 4 + 3 + 2 + 1 + 1);
  expect(await pictures(bob).evaluateAll(all => all.map(b => b.getAttribute("aria-label")))).toContain("Picture: p3.png, and 2 more");
  expect((await probe(bob.page)).shifts).toEqual([]);
  const { width, height } = await bob.row("1 of them").getByRole("button", { name: "Picture: The plan of the ground floor" }).boundingBox();
  expect(width / height, "a single picture has its own shape").toBeCloseTo(320 / 200, 1);
});

test("a picture that is larger than it says is not decoded, nor is its preview", async ({ cast, server }) => {
  const huge = png(72, 45); // in bytes; its head says more
  for (const at of [16, 20]) huge.writeUInt32BE(9000, at);
  await hall(server, "large", [picture("honest.png", 300, 100), { name: "huge.png", type: "image/png", data: huge, width: 300, height: 100 }], "look");
  await attach(server, "ann", "large", "and this", [picture("sly.png", 320, 200, { preview: huge })]);
  const bob = await cast.enter("bob", { room: "large" });
  await expect(bob.log.getByText("huge.png: too large to show. Save it to open it.")).toBeVisible();
  await expect(bob.log.getByText("sly.png: too large to show. Save it to open it.")).toBeVisible();
  await loaded(bob, 1);
  await expect(bob.log.locator("img")).toHaveCount(1);
  await pictures(bob).filter({ hasText: "sly.png" }).click();
  await loaded(bob, 1, box(bob));
  await expect(box(bob).locator("img"), "the picture itself is as large as it says").toHaveCount(1);
});

test("files have their space before the code that shows them, also on a phone", async ({ cast, server }) => {
  await hall(server, "spaces", [picture("wide.png", 640, 200), NOTES], "look");
  await server.post("ann", "spaces", "below");
  const code = gate();
  const bob = await cast.enter("bob", { room: "spaces", viewport: PHONE, prepare: async page => {
    await page.addInitScript(record);
    await page.route(CODE, async route => { await code.opened; return route.continue(); });
  } });
  await bob.sees("below");
  const before = await bob.row("below").boundingBox();
  const since = await bob.page.evaluate(() => performance.now()); // the notice of a slow connection has its place by then
  code.open();
  await loaded(bob, 1);
  await bob.log.getByRole("button", { name: /^Download notes\.pdf/ }).waitFor();
  await bob.settled();
  expect(await bob.row("below").boundingBox()).toEqual(before);
  expect((await probe(bob.page)).shifts.filter(s => s.at > since)).toEqual([]);
});

test("a message without files loads no code for them, and one with files brings it", async ({ cast, server }) => {
  await server.room("texts", "ann", ["bob"]);
  await server.post("ann", "texts", "only words");
  const asked = [];
  const bob = await cast.enter("bob", { room: "texts", prepare: page => page.on("request", r => asked.push(r.url())) });
  await bob.complete();
  await bob.row("only words").hover();
  await bob.menu(bob.row("only words")); // so that what is loaded later is loaded
  await bob.page.keyboard.press("Escape");
  const forFiles = () => asked.filter(url => /\/(pictures|file)\.js$/.test(url)); // others need the late styles, too
  expect(forFiles()).toEqual([]);
  await attach(server, "ann", "texts", "", [picture("live.png")]);
  await loaded(bob, 1);
  expect(forFiles()).not.toEqual([]);
});

test("the lightbox moves by keys, enlarges, and gives the focus back", async ({ cast, server }) => {
  await hall(server, "light", [picture("one.png", 320, 200, PLAN), picture("two.png"), picture("three.png", 90, 200)], "three of them");
  const bob = await cast.enter("bob", { room: "light" });
  await loaded(bob, 3);
  await pictures(bob).first().click();
  await expect(box(bob)).toHaveAccessibleName("Picture: The plan of the ground floor");
  await expect(box(bob)).toContainText("one.png");
  await expect(box(bob).getByRole("status")).toHaveText("The plan of the ground floor, 1 of 3");
  await loaded(bob, 1, box(bob).locator(".whole"));
  await clean(bob, "the lightbox");
  const press = key => bob.page.keyboard.press(key);
  await press("ArrowRight");
  await expect(box(bob).getByRole("status")).toHaveText("two.png, 2 of 3");
  await press("ArrowLeft");
  await press("ArrowLeft");
  await expect(box(bob).getByRole("status")).toHaveText("three.png, 3 of 3");
  await loaded(bob, 1, box(bob).locator(".whole"));
  const width = async () => (await box(bob).getByRole("img", { name: "three.png" }).boundingBox()).width;
  const fits = await width();
  await press("+");
  await expect.poll(width).toBeCloseTo(1.5 * fits, 0);
  await press("-");
  await expect.poll(width).toBeCloseTo(fits, 0);
  await press("+");
  await press("+");
  await press("0");
  await expect.poll(width).toBeCloseTo(fits, 0);
  await box(bob).getByRole("img", { name: "three.png" }).hover();
  await bob.page.mouse.wheel(0, -400);
  await expect.poll(width).toBeGreaterThan(1.5 * fits);
  await press("Escape");
  await expect(box(bob)).toHaveCount(0);
  await bob.focusIs("Picture: three.png");
});

test("the message with the focus is read with its files, and the arrows reach them", async ({ cast, server }) => {
  await hall(server, "spoken-files", [picture("one.png", 320, 200, PLAN), NOTES], "look at this");
  const bob = await cast.enter("bob", { room: "spoken-files" });
  await loaded(bob, 1);
  await expect(bob.row("look at this")).toHaveAccessibleDescription("look at this Picture: The plan of the ground floor Download notes.pdf PDF, 9 bytes");
  await clean(bob, "a message with files");
  await bob.composer.focus();
  await bob.page.keyboard.press("Shift+Tab");
  await bob.page.keyboard.press("ArrowRight"); // the sender
  await bob.page.keyboard.press("ArrowRight");
  await bob.focusIs("Picture: The plan of the ground floor");
  await bob.page.keyboard.press("Enter");
  await box(bob).waitFor();
  await bob.page.keyboard.press("f"); // which would forward the message
  await bob.page.keyboard.press("Escape");
  await expect(bob.page.getByRole("dialog")).toHaveCount(0);
  await bob.focusIs("Picture: The plan of the ground floor");
});

test("a deleted message shows nothing of its files, and its lightbox closes", async ({ cast, server }) => {
  const message = await hall(server, "removed", [picture("secret.png")], "for a moment");
  const [ann, bob] = await Promise.all(["ann", "bob"].map(name => cast.enter(name, { room: "removed" })));
  await loaded(ann, 1);
  await bob.show("Files");
  await loaded(bob, 1, bob.panel);
  await pictures(bob).click();
  await box(bob).waitFor();
  await ann.act("for a moment", "Delete");
  await expect(pictures(ann)).toHaveCount(0);
  await ann.button("Undo").first().click();
  await loaded(ann, 1);
  await server.api("ann", "DELETE", `/rooms/removed/messages/${encodeURIComponent(message.id)}`);
  await expect(box(bob)).toHaveCount(0);
  await expect(pictures(bob)).toHaveCount(0);
  await expect(bob.panel.getByText("No files yet")).toBeVisible();
});

test("a picture whose link is refused once is shown with another", async ({ cast, server }) => {
  await hall(server, "refused", [picture("again.png")]);
  let refused = 0;
  const bob = await cast.enter("bob", { room: "refused", prepare: page => page.route("**/files/**", route => (refused++ ? route.continue() : route.fulfill({ status: 403 }))) });
  bob.allow(REFUSED);
  await loaded(bob, 1);
  expect(refused, "its head is read twice, and then it is shown: while requests are routed, the browser caches nothing").toBe(3);
});

test("a sound continues where it was after its link has expired", async ({ cast, server }) => {
  await hall(server, "sounds", [{ name: "tone.wav", type: "audio/wav", data: wav(4) }]);
  const bob = await cast.enter("bob", { room: "sounds" });
  bob.allow(REFUSED);
  const sound = bob.log.locator("audio");
  const state = () => sound.evaluate(a => ({ time: a.seeking ? NaN : a.currentTime, duration: a.duration }));
  await expect.poll(async () => (await state()).duration).toBeCloseTo(4, 1);
  await sound.evaluate(a => { a.currentTime = 2; });
  await expect.poll(async () => (await state()).time).toBe(2);
  let expired = true;
  await bob.page.route("**/files/**", route => (expired ? route.fulfill({ status: 403 }) : route.continue()));
  const links = bob.page.waitForRequest(/\/attachments\/links$/);
  await sound.evaluate(a => a.load()); // as a seek beyond what is loaded
  await links;
  expired = false;
  await expect.poll(async () => (await state()).duration).toBeCloseTo(4, 1);
  await expect.poll(async () => (await state()).time).toBe(2);
});

test("a video that was just recorded plays in its own shape", async ({ cast, server }) => {
  await server.room("films", "ann");
  const ann = await cast.enter("ann", { room: "films" });
  const data = Buffer.from(await ann.page.evaluate(film), "base64");
  await ann.page.getByLabel("Add files").setInputFiles([{ name: "film.webm", mimeType: "video/webm", buffer: data }]);
  await ann.page.getByRole("list", { name: "Files to send" }).getByText("film.webm").waitFor();
  await ann.composer.press("Enter");
  const player = ann.log.locator("video");
  const state = () => player.evaluate(v => ({ shape: v.videoWidth / v.videoHeight, plays: v.currentTime > 0 && !v.error }));
  await expect.poll(async () => (await state()).shape).toBe(2);
  await player.evaluate(v => { v.muted = true; return v.play(); });
  await expect.poll(async () => (await state()).plays).toBe(true);
});

/** Records a film of half a second that is twice as wide as it is high, in base64. It runs in a page. */
async function film() {
  const canvas = Object.assign(document.createElement("canvas"), { width: 320, height: 160 });
  const brush = canvas.getContext("2d");
  const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: "video/webm" });
  const parts = [];
  recorder.ondataavailable = e => parts.push(e.data);
  const ended = new Promise(resolve => { recorder.onstop = resolve; });
  recorder.start();
  for (let frame = 0; frame < 15; frame++) {
    brush.fillStyle = `hsl(${frame * 20} 80% 50%)`;
    brush.fillRect(0, 0, 320, 160);
    await new Promise(resolve => requestAnimationFrame(resolve));
  }
  recorder.stop();
  await ended;
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  return btoa(Array.from(bytes, b => String.fromCharCode(b)).join(""));
}

test("a file is saved with its name, by the address that works then", async ({ cast, server }) => {
  await hall(server, "saved-files", [NOTES], "the notes");
  const bob = await cast.enter("bob", { room: "saved-files" });
  const [file] = await Promise.all([bob.page.waitForEvent("download"), bob.log.getByRole("button", { name: "Download notes.pdf PDF, 9 bytes" }).click()]);
  expect(file.suggestedFilename()).toBe("notes.pdf");
});

test("the files of a room are listed, lead to their messages, and say what nothing means", async ({ cast, server }) => {
  await server.room("listed", "ann", ["bob"]);
  const bob = await cast.enter("bob", { room: "listed" });
  await bob.show("Files");
  await bob.panel.getByText("No files yet").waitFor();
  const { id } = await attach(server, "ann", "listed", "look", [picture("plan.png"), NOTES]);
  const rows = bob.panel.getByRole("link");
  await expect(rows).toHaveCount(2);
  await expect(rows.filter({ hasText: "plan.png" })).toContainText(/ann, .*PNG, /);
  await loaded(bob, 1, bob.panel);
  await clean(bob, "the files of a room");
  await rows.filter({ hasText: "plan.png" }).focus();
  await bob.page.keyboard.press("Enter");
  await expect.poll(() => bob.page.evaluate(() => decodeURIComponent(location.hash))).toBe(`#/listed/${id}`);
});

test("more files are listed when the end is in sight", async ({ cast, server }) => {
  await server.room("many", "ann", ["bob"]);
  for (let n = 0; n < 3; n++) await attach(server, "ann", "many", "", Array.from({ length: 20 }, (_, i) => ({ ...NOTES, name: `${n}-${i}.pdf` })));
  const bob = await cast.enter("bob", { room: "many" });
  await bob.show("Files");
  const rows = bob.panel.getByRole("link");
  await expect(rows).toHaveCount(50);
  await rows.last().scrollIntoViewIfNeeded();
  await bob.page.mouse.move(1200, 400);
  await bob.page.mouse.wheel(0, 5000);
  await expect(rows).toHaveCount(60);
});

test("lists, quotes and copies say what the files are", async ({ cast, server }) => {
  await server.room("words", "ann", ["bob"]);
  const bob = await cast.enter("bob", { room: "words" });
  await bob.button("Options of the list").click();
  await bob.page.getByRole("menuitemcheckbox", { name: "Show the newest messages" }).click();
  await attach(server, "ann", "words", "", [picture("plan.png")]);
  await expect(bob.link("words")).toContainText("ann: plan.png");
  const { id } = await attach(server, "ann", "words", "", [picture("a.png"), picture("b.png")]);
  await expect(bob.link("words")).toContainText("ann: 2 pictures");
  await bob.page.reload(); // the server's list says it, too
  await expect(bob.link("words")).toContainText("ann: 2 pictures");
  await server.post("ann", "words", "as you see", { quote: id });
  await expect(bob.row("as you see").getByRole("link")).toHaveText("ann: 2 pictures");
});

test("on a phone, swipes show the next picture and fingers enlarge it", async ({ cast, server }) => {
  await hall(server, "swipes", [picture("one.png"), picture("two.png")]);
  const bob = await cast.enter("bob", { room: "swipes", ...FINGERS });
  await loaded(bob, 2);
  await pictures(bob).first().tap();
  await expect(box(bob).getByRole("status")).toHaveText("one.png, 1 of 2");
  await loaded(bob, 1, box(bob).locator(".whole"));
  await clean(bob, "the lightbox on a phone");
  const touch = await bob.page.context().newCDPSession(bob.page);
  const send = (type, ...points) => touch.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  const slide = async (from, to, ...fixed) => {
    await send("touchStart", from, ...fixed);
    for (let n = 1; n <= 4; n++) await send("touchMove", [from[0] + (to[0] - from[0]) * n / 4, from[1] + (to[1] - from[1]) * n / 4], ...fixed);
    await send("touchEnd");
  };
  await slide([260, 380], [100, 384]);
  await expect(box(bob).getByRole("status")).toHaveText("two.png, 2 of 2");
  await slide([220, 380], [320, 380], [140, 380]);
  await expect(box(bob).getByRole("status")).toHaveText(/^two\.png, 2 of 2, 2\d\d %$/);
  await bob.page.keyboard.press("0");
  await slide([180, 300], [184, 520]);
  await expect(box(bob)).toHaveCount(0);
});
