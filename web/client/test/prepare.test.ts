// How files are prepared: names, types and placeholders here, and pictures in a browser.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import type { Chat, Schemas } from "../src/index.js";
import { cleanName, cleanType } from "../src/filename.js";
import { decode, encodePixels } from "../src/thumbhash.js";
import { patience, until } from "./harness/until.js";
import { World } from "./harness/world.js";

describe("a name", () => {
  const names: [string, string][] = [
    ["plan.png", "plan.png"], ["a/b\\c.txt", "a_b_c.txt"], ["\u202egnp.exe", "gnp.exe"], [" tab\t.txt ", "tab.txt"], ["", "file"], ["..", "file"],
    [".env", ".env"], [`${"x".repeat(200)}.tar.gz`, `${"x".repeat(117)}.gz`], [`${"😀".repeat(300)}.png`, `${"😀".repeat(29)}.png`],
    [`${"x".repeat(200)}.${"y".repeat(200)}`, "x".repeat(120)],
  ];
  for (const [given, want] of names) test(`${JSON.stringify(given.slice(0, 20))} becomes as the server takes it`, () => assert.equal(cleanName(given), want));
});

test("a media type is as the server takes it", () => {
  const types = { "Text/Plain;charset=utf-8": "text/plain", "image/svg+xml": "image/svg+xml", "": "application/octet-stream", "what?": "application/octet-stream" };
  for (const [given, want] of Object.entries(types)) assert.equal(cleanType(given), want);
});

describe("a placeholder", () => {
  test("shows what the picture shows", () => {
    const [width, height] = [30, 20];
    const rgba = new Uint8ClampedArray(width * height * 4);
    for (let i = 0; i < rgba.length; i += 4) rgba.set(i < rgba.length / 2 ? [200, 30, 30, 255] : [20, 30, 220, 255], i);
    const bytes = encodePixels({ width, height, rgba });
    assert.ok(bytes.length <= 25);
    const shown = decode(Buffer.from(bytes).toString("base64"));
    assert.ok(shown);
    assert.deepEqual([shown.width, shown.height], [32, 23]); // almost 3:2
    const at = (y: number) => [...shown.rgba.slice((y * shown.width + 16) * 4, (y * shown.width + 16) * 4 + 4)];
    const [above = [], below = []] = [at(4), at(18)];
    assert.ok(above[0]! > 150 && above[2]! < 80 && below[0]! < 80 && below[2]! > 150, `${above} above ${below}`);
  });

  test("that is none is not shown", () => {
    for (const text of ["", "!", "AAAA", "AAAAAAA=", "////////"]) assert.equal(decode(text), undefined, text);
  });
});

/** What the page of the test offers. */
declare global {
  var chat: Chat;
  var photo: () => Promise<Blob>;
  var squareOf: (blob: Blob) => Promise<Blob>;
}

const page = `
  import { connect } from "./index.ts";
  import { squareOf } from "./files.ts";
  Object.assign(globalThis, { squareOf });
  const token = location.hash.slice(1);
  globalThis.chat = connect({ url: location.origin, getToken: async () => token });
  globalThis.photo = () => { // noise, which no codec makes small
    const canvas = Object.assign(document.createElement("canvas"), { width: 1600, height: 900 });
    const brush = canvas.getContext("2d");
    for (let x = 0; x < 1600; x += 4) for (let y = 0; y < 900; y += 4) {
      brush.fillStyle = "rgb(" + [x / 7, y / 4, Math.random() * 255].join() + ")";
      brush.fillRect(x, y, 4, 4);
    }
    return new Promise(done => canvas.toBlob(done, "image/png"));
  };
`;

test("a picture in a browser has a size, a placeholder and a preview, and continues after a reload", async t => {
  const folder = join(process.env["SUITE_FOLDER"] ?? "", "prepare");
  await mkdir(folder, { recursive: true });
  const resolveDir = join(process.env["CHAT_REPOSITORY"] ?? "", "web/client/src");
  await build({ stdin: { contents: page, resolveDir }, outfile: join(folder, "app.js"), bundle: true, format: "esm", target: "es2022" });
  await writeFile(join(folder, "index.html"), '<!doctype html><title>Files</title><script type="module" src="/app.js"></script>');
  const w = await World.open(t, "--page", folder);
  await w.room("seattle", "amsg");
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"], timeout: patience });
  t.after(() => browser.close());
  const tab = await browser.newPage();
  tab.setDefaultTimeout(patience);
  let held = 0;
  await tab.route(/\/files\//, () => void held++);
  await tab.goto(`${w.server.url}/#${await w.token("amsg")}`);
  const id = await tab.evaluate(async () => {
    while (!chat.user) await new Promise(done => setTimeout(done, 10));
    const blob = await photo();
    return chat.room("seattle").send({ text: "", files: [{ blob, name: "photo.png", alt: "noise" }] });
  });
  await until("the bytes are on their way", () => held);
  await tab.unroute(/\/files\//);
  await tab.reload();
  const messages = () => w.messages("amsg", "seattle") as Promise<Schemas["Message"][]>;
  await until("the message is stored", async () => (await messages())[0]?.id === id);
  const [{ attachments = [] } = {}] = await messages();
  const [a] = attachments;
  assert.deepEqual([a?.name, a?.type, a?.width, a?.height, a?.preview, a?.alt], ["photo.png", "image/png", 1600, 900, true, "noise"]);
  assert.ok(decode(a?.placeholder ?? ""));
  const small = await tab.evaluate(async ([room = "", id = "", file = ""]) => {
    const { preview = "" } = await (await chat.files()).of({ room, id }, { id: file });
    const blob = await (await fetch(preview)).blob();
    const { width, height } = await createImageBitmap(blob);
    return { type: blob.type, size: blob.size, width, height };
  }, ["seattle", id, a?.id]);
  assert.equal(small.type, "image/webp");
  assert.ok(small.size <= 65_536 && small.width <= 720 && Math.abs(small.width / small.height - 16 / 9) < 0.02, JSON.stringify(small));

  const square = await tab.evaluate(async () => {
    const blob = await squareOf(await photo());
    const { width, height } = await createImageBitmap(blob);
    const brush = document.createElement("canvas").getContext("2d")!;
    Object.assign(brush, { fillStyle: "red" }).fillRect(0, 0, 300, 150); // the whole canvas
    Object.assign(brush, { fillStyle: "lime" }).fillRect(75, 0, 150, 150);
    const striped = await new Promise<Blob | null>(done => brush.canvas.toBlob(done));
    brush.drawImage(await createImageBitmap(await squareOf(striped!)), 0, 0);
    const [red, green] = brush.getImageData(2, 2, 1, 1).data;
    const refusal = await squareOf(new Blob(["no picture"], { type: "image/png" })).catch((e: Error) => e.message);
    return { type: blob.type, size: blob.size, width, height, centered: green! > 128 && red! < 128, refusal };
  });
  assert.ok(square.size > 0 && square.size <= 65_536, `${square.size} bytes`);
  assert.deepEqual({ ...square, size: 0 }, {
    type: "image/webp", size: 0, width: 256, height: 256, centered: true,
    refusal: "This browser cannot read the file as a picture. Choose a JPEG, PNG or WebP.",
  });

  const network = await tab.context().newCDPSession(tab);
  await network.send("Network.emulateNetworkConditions", { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 5e6 });
  const sent = await tab.evaluate(async () => {
    const reports: number[][] = [];
    const blob = new Blob([new Uint8Array(5_000_000)]);
    const room = chat.room("seattle");
    await room.open();
    const id = room.send({ files: [{ blob, name: "big.bin" }], onProgress: (...report) => reports.push(report) });
    while (!room.value.messages.some(m => m.id === id && !m.status)) await new Promise(done => setTimeout(done, 10));
    const ending = new AbortController();
    await new Promise(done => setTimeout(done));
    room.send({ files: [{ blob, name: "never.bin" }], onProgress: () => ending.abort(), signal: ending.signal });
    while (room.value.messages.some(m => m.status)) await new Promise(done => setTimeout(done, 10));
    return reports;
  });
  assert.ok(sent.length > 1, "there is no progress between beginning and end");
  assert.deepEqual(sent.at(-1), [5_000_000, 5_000_000]);
  assert.deepEqual((await messages()).map(m => m.attachments?.[0]?.name), ["photo.png", "big.bin"]);
});
