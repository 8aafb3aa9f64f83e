// That metadata is removed from pictures and videos before they are sent, and nothing else.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { crc32 } from "node:zlib";
import { scrubbed } from "../src/scrub.js";

/** What must not be left of a file. */
const PLACE = "52.5N 13.4E";
const CAMERA = "Camera 9000";

type Part = string | readonly number[] | Uint8Array;
const join = (...parts: readonly Part[]): Buffer => Buffer.concat(parts.map(p => (typeof p === "string" ? Buffer.from(p, "latin1") : Buffer.from(p))));
const big = (n: number, size = 4) => Array.from({ length: size }, (_, i) => Math.floor(n / 256 ** (size - 1 - i)) % 256);
const small = (n: number, size = 4) => big(n, size).reverse();

/** An Exif directory in one of the orders of bytes, whose orientation is the second of two entries. */
function exif(turn: number, order: "II" | "MM"): Buffer {
  const n = order === "II" ? small : big;
  return join(order, n(42, 2), n(8), n(2, 2), n(0x10f, 2), n(2, 2), n(11), n(38), n(0x112, 2), n(3, 2), n(1), n(turn, 2), n(0, 2), n(0), CAMERA, PLACE);
}

const segment = (marker: number, ...parts: readonly Part[]) => join([0xff, marker], big(join(...parts).length + 2, 2), ...parts);
const jpeg = (turn: number, order: "II" | "MM") => join(
  [0xff, 0xd8], segment(0xe1, "Exif\0\0", exif(turn, order)), segment(0xe0, "JFIF\0"), segment(0xe1, "http://ns.adobe.com/xap/1.0/\0", PLACE), [0xff],
  segment(0xe2, "ICC_PROFILE\0colors"), segment(0xe2, "MPF\0", PLACE), segment(0xed, PLACE), segment(0xfe, CAMERA), segment(0xee, "Adobe"), segment(0xdb, "table"),
  segment(0xda, "scan"), [1, 0xff, 0, 2, 0xff, 0xd0, 3], segment(0xda, "scan"), [4, 5], [0xff, 0xd9], segment(0xe1, "Exif\0\0", PLACE),
);

const chunk = (type: string, ...parts: readonly Part[]) => join(big(join(...parts).length), type, ...parts, big(crc32(join(type, ...parts))));
const png = (turn: number) => join("\x89PNG\r\n\x1a\n", chunk("IHDR", "head"), chunk("tEXt", PLACE), chunk("eXIf", exif(turn, "MM")), chunk("iCCP", "colors"), chunk("IDAT", "picture"), chunk("iTXt", CAMERA), chunk("IEND"), PLACE);

const blocks = (...parts: readonly Part[]) => join(...parts.map(p => join([join(p).length], p)), [0]);
const XMP_END = join([1], Array.from({ length: 256 }, (_, i) => 255 - i), [0]); // it ends the blocks, wherever one of XMP ends
const gif = (...comment: readonly Part[]) => join(
  "GIF89a", [1, 0, 1, 0, 0x80, 0, 0], "rgbRGB", [0x21, 0xff], blocks("NETSCAPE2.0", [1, 0, 0]), [0x21, 0xfe], blocks(...comment), [0x21, 0xff, 11], "XMP DataXMP", PLACE, CAMERA, XMP_END,
  [0x21, 0xff], blocks("ICCRGBG1012", "colors"), [0x21, 0xf9], blocks([0, 1, 2, 0]), [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0x80], "locals", [2], blocks("picture", "!\xfe\x01s"), [0x3b], PLACE,
);

const riff = (type: string, ...parts: readonly Part[]) => join(type, small(join(...parts).length), ...parts, join(...parts).length % 2 ? [0] : []);
const webp = (turn: number) => riff("RIFF", "WEBP", riff("VP8X", [0x2c, 0, 0, 0, 0]), riff("ICCP", "colors"), riff("VP8 ", "picture"), riff("EXIF", exif(turn, "II")), riff("XMP ", PLACE));

const box = (type: string, ...parts: readonly Part[]) => join(big(join(...parts).length + 8), type, ...parts);
const full = (type: string, version: number, ...parts: readonly Part[]) => box(type, [version, 0, 0, 0], ...parts);
const XMP = [0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8, 0x9c, 0x71, 0x99, 0x94, 0x91, 0xe3, 0xaf, 0xac];

/** A video with the place in its notes, in a track's notes, and in a track's samples. */
function video(co64: boolean): Buffer {
  const track = (handler: string, ...table: readonly Buffer[]) => box("trak", box("tkhd", "turned"), box("udta", PLACE),
    box("mdia", full("hdlr", 0, big(0), handler), box("minf", box("stbl", ...table))));
  const head = box("ftyp", "qt  ");
  const data = box("mdat", "frames", PLACE, PLACE, "frames", CAMERA);
  const at = [head.length + 8 + 6, head.length + 8 + 6 + 2 * PLACE.length + 6];
  const offsets = co64 ? full("co64", 0, big(2), big(at[0]!, 8), big(at[1]!, 8)) : full("stco", 0, big(2), big(at[0]!), big(at[1]!));
  const notes = track("meta", full("stsz", 0, big(co64 ? PLACE.length : 0), big(3), ...(co64 ? [] : [big(PLACE.length), big(PLACE.length), big(PLACE.length)])),
    full("stsc", 0, big(2), big(1), big(2), big(1), big(2), big(1), big(1)), offsets);
  return join(head, data, box("uuid", XMP, PLACE), box("moov", box("mvhd", "time"), track("vide", box("stsd", "codec")), notes, box("udta", PLACE), box("meta", CAMERA)), box("meta", full("hdlr", 0, big(0), "mdta"), PLACE));
}

/** A video in fragments, whose place is in the samples of its second track. They find their samples in three ways. */
function fragments(): Buffer {
  const track = (id: number, handler: string) => box("trak", full("tkhd", id - 1, big(0, id > 1 ? 16 : 8), big(id)), box("mdia", full("hdlr", 0, big(0), handler), box("minf", box("stbl"))));
  const part = (type: string, flags: number, ...parts: readonly Part[]) => box(type, big(flags), ...parts);
  const head = join(box("ftyp", "isom"), box("moov", track(1, "vide"), track(2, "meta"), box("mvex", ...[1, 2].map(id => full("trex", 0, big(id), big(1), big(0), big(PLACE.length), big(0))))));
  const media = join("frames", PLACE, PLACE, CAMERA);
  const build = (start: number, flags: number, first: readonly Part[], second: readonly Part[]) => box("moof", box("udta", CAMERA),
    box("traf", part("tfhd", flags, big(1), ...first), part("trun", 0x701, big(2), big(start), big(9), big(4), big(0), big(9), big(2), big(0)), box("udta", CAMERA)),
    box("traf", part("tfhd", flags & ~1, big(2), ...second), part("trun", flags & 0x20000 ? 5 : 0, big(flags & 16 ? 1 : 2), ...(flags & 0x20000 ? [big(start + 6), big(0)] : [])),
      part("trun", 0xa00, big(1), big(CAMERA.length), big(0))));
  const size = (flags: number, ...rest: [readonly Part[], readonly Part[]]) => build(0, flags, ...rest).length;
  const whole = size(0x20000, [], []);
  const relative = join(build(whole + 8, 0x20000, [], []), box("mdat", media));
  const implied = join(build(size(0, [], []) + 8, 0, [], []), box("mdat", media));
  const at = head.length + relative.length + implied.length;
  const extra = [big(1), big(9), big(2 * PLACE.length)]; // a description, a duration and the size
  const fixed = size(0x1b, [big(0, 8), ...extra], extra);
  return join(head, relative, implied, build(fixed - 92, 0x1b, [big(at + 100, 8), ...extra], extra), box("mdat", media), box("emsg", PLACE));
}

/** A HEIC whose notes are at places in the file and within its head. */
function heic(version: number): Buffer {
  const item = (id: number, type: string) => full("infe", 2, big(id, 2), big(0, 2), type, "\0");
  const wide = version < 2 ? 2 : 4;
  const build = (at: number) => {
    const entry = (id: number, method: number, from: number, size: number) => join(big(id, wide), version ? big(method, 2) : [], big(0, 2), big(1, 2), big(from), big(size));
    const entries = [entry(1, 0, at, 7), entry(2, 0, at + 7, PLACE.length), ...(version ? [entry(3, 1, 3, CAMERA.length)] : [])];
    return join(box("ftyp", "heic"), full("meta", 0, full("hdlr", 0, big(0), "pict"), box("iprp", "irot"), full("iinf", 0, big(3, 2), item(1, "hvc1"), item(2, "Exif"), item(3, "mime")),
      full("iloc", version, [0x44, 0], big(entries.length, wide), ...entries), box("idat", "abc", version ? CAMERA : "")), box("mdat", "picture", PLACE));
  };
  return build(build(0).length - PLACE.length - 7);
}

const files: Record<string, { readonly bytes: Buffer; readonly keeps: readonly string[] }> = {
  "a JPEG": { bytes: jpeg(6, "II"), keeps: ["JFIF", "ICC_PROFILE\0colors", "Adobe", "table", "scan\x01\xff\0\x02\xff\xd0\x03", "\x04\x05\xff\xd9"] },
  "an upright JPEG": { bytes: jpeg(1, "MM"), keeps: ["JFIF", "colors"] },
  "a JPEG that is cut off": { bytes: jpeg(6, "MM").subarray(0, -80), keeps: ["JFIF", "colors"] },
  "a PNG": { bytes: png(8), keeps: ["IHDRhead", "iCCPcolors", "IDATpicture", "IEND"] },
  "a WebP": { bytes: webp(3), keeps: ["ICCP", "colors", "picture"] },
  "a GIF": { bytes: gif(CAMERA, PLACE), keeps: ["rgbRGB", "NETSCAPE2.0\x03\x01\0\0\0", "colors", "locals", "picture\x04!\xfe\x01s\0;"] },
  "a GIF that is cut off": { bytes: gif(CAMERA, PLACE).subarray(0, -120), keeps: ["NETSCAPE2.0"] },
  "a video in fragments": { bytes: fragments(), keeps: ["vide", "traf", "frames"] },
  "a video in fragments that is cut off": { bytes: fragments().subarray(0, -40), keeps: ["frames"] },
  "a MOV": { bytes: video(false), keeps: ["mvhdtime", "stsdcodec", "tkhdturned", "frames"] },
  "an MP4 with large places": { bytes: video(true), keeps: ["mvhdtime", "stsdcodec", "frames"] },
  "a video that is cut off": { bytes: video(false).subarray(0, -4), keeps: ["mvhdtime", "frames"] },
  "a HEIC": { bytes: heic(1), keeps: ["irot", "picture", "abc"] },
  "a HEIC of the first version": { bytes: heic(0), keeps: ["irot", "picture"] },
  "a HEIC of the last version": { bytes: heic(2), keeps: ["irot", "picture", "abc"] },
};

describe("scrubbed: takes the place and the camera out, and keeps the rest where it is:", () => {
  for (const [name, { bytes, keeps }] of Object.entries(files)) {
    test(name, async () => {
      const blob = new Blob([new Uint8Array(bytes)], { type: "image/x" });
      const clean = await scrubbed(blob);
      const text = Buffer.from(await clean.arrayBuffer()).toString("latin1");
      assert.equal(clean.size, bytes.length);
      assert.equal(clean.type, blob.type);
      for (const note of [PLACE, CAMERA]) assert.ok(!text.includes(note), `${note} is left`);
      for (const part of keeps) {
        assert.ok(text.includes(part), `${JSON.stringify(part)} is lost`);
        assert.equal(text.indexOf(part), bytes.toString("latin1").indexOf(part), `${part} has moved`);
      }
      assert.equal(await scrubbed(blob), clean, "once");
      assert.equal(await scrubbed(clean).then(async again => Buffer.from(await again.arrayBuffer()).toString("latin1")), text, "nothing is left to take out");
    });
  }
});

describe("scrubbed: keeps the orientation:", () => {
  for (const turn of [1, 2, 6, 8, 9]) {
    for (const [name, bytes, mark] of [["JPEG", jpeg(turn, "MM"), "Exif\0\0"], ["PNG", png(turn), "eXIf"], ["WebP", webp(turn), `EXIF${String.fromCharCode(...small(exif(turn, "II").length))}`]] as const) {
      test(`${turn} of a ${name}`, async () => {
        const text = Buffer.from(await (await scrubbed(new Blob([new Uint8Array(bytes)]))).arrayBuffer()).toString("latin1");
        const kept = `${mark}II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0${String.fromCharCode(turn)}\0\0\0\0\0\0\0`;
        assert.equal(text.includes(kept), turn > 1 && turn < 9);
      });
    }
  }
});

test("scrubbed: the checksums of a PNG and the flags of a WebP are right", async () => {
  const clean = Buffer.from(await (await scrubbed(new Blob([new Uint8Array(png(1))]))).arrayBuffer());
  for (let at = 8; at < clean.length - PLACE.length; at += clean.readUInt32BE(at) + 12) {
    const end = at + 8 + clean.readUInt32BE(at);
    assert.equal(clean.readUInt32BE(end), crc32(clean.subarray(at + 4, end)));
  }
  const flags = async (turn: number) => Buffer.from(await (await scrubbed(new Blob([new Uint8Array(webp(turn))]))).arrayBuffer())[20];
  assert.deepEqual([await flags(1), await flags(6)], [0x20, 0x28]);
});

test("scrubbed: the blocks of a GIF lead to its picture, however long a comment is", async () => {
  for (const size of [1, 2, 3, 249, 250, 251, 254, 255, 256, 257, 505, 506, 600]) {
    const comment = [Buffer.alloc(5, "x"), ...Array.from({ length: Math.ceil(size / 255) }, (_, i) => Buffer.alloc(Math.min(255, size - 255 * i), "x"))];
    const clean = Buffer.from(await (await scrubbed(new Blob([new Uint8Array(gif(...comment))]))).arrayBuffer());
    let at = 19;
    const found = [];
    while (clean[at] !== 0x3b) {
      found.push(clean[at] === 0x2c ? "picture" : clean[at + 1]);
      at += clean[at] === 0x2c ? 17 : 2;
      for (; clean[at]; at += clean[at]! + 1);
      at++;
    }
    assert.deepEqual(found, [0xff, 0xfe, 0xff, 0xff, 0xf9, "picture"], `${size}`);
  }
});

test("scrubbed: the samples of a fragment keep their places, and the picture's samples their bytes", async () => {
  const bytes = fragments();
  const clean = Buffer.from(await (await scrubbed(new Blob([new Uint8Array(bytes)]))).arrayBuffer()).toString("latin1");
  assert.equal(clean.split("frames").length, 4);
  assert.equal(clean.split("traf").length, 4, "one of two tracks is left in each");
});

test("scrubbed: other files, and pictures without notes, are the same", async () => {
  for (const bytes of [join("hello"), join(), join("RIFF\0\0\0\0WAVE"), join("GIF89a", [1, 0, 1, 0, 0, 0, 0, 0x99, 0, 0, 0x21, 0xfe], blocks("unknown")), join("\x89PNG\r\n\x1a\n", chunk("IHDR", "head"), chunk("IEND")), box("ftyp", "isom"), join([0xff, 0xd8, 0xff])]) {
    const blob = new Blob([new Uint8Array(bytes)]);
    assert.equal(await scrubbed(blob), blob);
  }
});
