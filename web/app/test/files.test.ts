import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Attachment } from "../src/files/attachment.js";
import { filesWords, isPicture, textOf } from "../src/files/files.js";
import { typeWords } from "../src/files/icon.js";
import { sizeWords } from "../src/files/size.js";
import { fitting, kept, moved, swiped, zoomed } from "../src/files/zoom.js";

const file = (name: string, type: string, more: Partial<Attachment> = {}): Attachment => ({ id: name, name, type, bytes: 1000, ...more });

test("filesWords and textOf: one file has its name, several are counted", () => {
  const [plan, photo, notes] = [file("plan.png", "image/png"), file("photo.heic", "image/heic"), file("notes.pdf", "application/pdf")] as const;
  assert.deepEqual([filesWords(), filesWords([plan]), filesWords([plan, photo]), filesWords([plan, photo, notes])], ["", "plan.png", "2 pictures", "3 files"]);
  assert.equal(textOf({ text: "look", attachments: [plan] }), "look");
  assert.equal(textOf({ text: "", attachments: [notes] }), "notes.pdf");
  assert.equal(textOf({ text: "" }), "");
});

test("isPicture: what browsers show, with a preview or small enough", () => {
  const large = { bytes: 5 << 20 };
  assert.deepEqual([
    file("a", "image/png"), file("a", "image/png", large), file("a", "image/png", { ...large, preview: true }),
    file("a", "image/svg+xml"), file("a", "image/tiff", { preview: true }), file("a", "video/mp4"),
  ].map(isPicture), [true, false, true, false, false, false]);
});

test("sizeWords and typeWords", () => {
  assert.deepEqual([1, 512, 48213, 1.25 * (1 << 20), 104857600, 3 * 2 ** 30].map(sizeWords), ["1 byte", "512 bytes", "47 KB", "1.3 MB", "100 MB", "3 GB"]);
  assert.deepEqual(["plan.PDF", "archive.tar.gz", "Makefile", "a.very long end"].map(name => typeWords(file(name, ""))), ["PDF", "GZ", "File", "File"]);
});

describe("zoom", () => {
  const stage = { width: 1000, height: 500 };
  const picture = { width: 600, height: 500 };

  test("zoomed: the point stays where it is, within limits", () => {
    const view = zoomed(fitting, 2, { x: 100, y: -50 });
    assert.deepEqual(view, { scale: 2, x: -100, y: 50 });
    assert.deepEqual(zoomed(view, .5, { x: 100, y: -50 }), fitting);
    assert.deepEqual([zoomed(fitting, .1).scale, zoomed(fitting, 1000).scale], [1, 8]);
  });

  test("kept: the picture covers its stage, or is in the middle", () => {
    assert.deepEqual(kept(moved(fitting, { x: 30, y: 30 }), picture, stage), fitting);
    assert.deepEqual(kept({ scale: 2, x: 900, y: -900 }, picture, stage), { scale: 2, x: 100, y: -250 });
  });

  test("swiped: to the side, or down", () => {
    assert.deepEqual([{ x: -60, y: 10 }, { x: 60, y: -10 }, { x: 60, y: 50 }, { x: 5, y: 120 }, { x: 5, y: -120 }, { x: 20, y: 0 }].map(swiped),
      ["left", "right", undefined, "close", undefined, undefined]);
  });
});
