// The size of a picture by its first bytes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { canBeShown, sizeOf } from "../src/files/head.js";

const bytes = (...parts: (string | readonly number[])[]) =>
  Uint8Array.from(parts.flatMap(p => (typeof p === "string" ? [...p].map(c => c.charCodeAt(0)) : [...p])));
const big = (n: number) => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255];
const png = (width: number, height: number) => bytes([0x89], "PNG\r\n\x1a\n", big(13), "IHDR", big(width), big(height), [8, 6, 0, 0, 0]);

test("sizeOf: reads the size of each kind of picture, and of nothing else", () => {
  const size = { width: 640, height: 300 };
  const wide = [0x80, 2]; // 640, the low byte first
  const high = [0x2c, 1];
  const pictures = {
    png: png(640, 300),
    gif: bytes("GIF89a", wide, high, [0, 0, 0]),
    "JPEG after notes": bytes([0xff, 0xd8, 0xff, 0xe1, 0, 6, 1, 2, 3, 4, 0xff, 0xff, 0xc4, 0, 3, 0, 0xff, 0xc2, 0, 17, 8, 1, 0x2c, 2, 0x80, 3]),
    "WebP with parts": bytes("RIFF", big(0), "WEBPVP8X", big(10), [0, 0, 0, 0], [0x7f, 2, 0], [0x2b, 1, 0]),
    WebP: bytes("RIFF", big(0), "WEBPVP8 ", big(10), [0, 0, 0, 0x9d, 1, 0x2a], wide, high),
    "lossless WebP": bytes("RIFF", big(0), "WEBPVP8L", big(10), [0x2f], [0x7f, 0xc2, 0x4a, 0]),
    "AVIF with a small form": bytes(big(24), "ftypavif", big(0), big(20), "ispe", big(0), big(64), big(30), big(20), "ispe", big(0), big(640), big(300)),
  };
  for (const [name, picture] of Object.entries(pictures)) {
    assert.deepEqual(sizeOf(picture), size, name);
    for (let n = 0; n < picture.length - 6; n++) {
      const cut = sizeOf(picture.subarray(0, n));
      assert.ok(cut === undefined || /AVIF/.test(name) || (cut.width === 640 && cut.height === 300), `${name}, cut after ${n} bytes`);
    }
  }
  for (const other of [bytes(), bytes("<svg/>"), bytes([0xff, 0xd8, 0, 0, 0, 0])]) assert.equal(sizeOf(other), undefined);
});

test("canBeShown: what is no larger than stated, and than 40 megapixels", async t => {
  const shows = async (picture: Uint8Array, stated: { width?: number; height?: number }) => {
    t.mock.method(globalThis, "fetch", async () => new Response(picture.slice()));
    return canBeShown("https://files.example/x", stated);
  };
  const stated = { width: 640, height: 300 };
  assert.equal(await shows(png(640, 300), stated), true);
  assert.equal(await shows(png(300, 640), stated), true, "on its side");
  assert.equal(await shows(png(320, 150), stated), true, "a preview");
  assert.equal(await shows(png(641, 300), stated), false);
  assert.equal(await shows(png(8000, 5001), { width: 9000, height: 9000 }), false, "40 megapixels");
  assert.equal(await shows(png(8000, 5000), {}), true);
  assert.equal(await shows(bytes("no picture"), {}), false);
  t.mock.method(globalThis, "fetch", async () => new Response("", { status: 403 }));
  await assert.rejects(canBeShown("https://files.example/x", {}));
});
