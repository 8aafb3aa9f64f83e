// The seventh module of the client: it is loaded with the first file that is sent.
// Removes metadata, such as the location and the camera, from pictures and videos. It is overwritten with
// zeros, so that offsets and the size of a file do not change. The orientation is kept.

/** The cleaned files by their originals: each is cleaned when it is prepared and when it is sent. */
const known = new WeakMap<Blob, Blob>();

/**
 * Returns a JPEG, PNG, GIF, WebP, HEIC, AVIF, MP4 or MOV without metadata. Other files, and what
 * cannot be read as one of these, are returned as they are.
 */
export async function scrubbed(blob: Blob): Promise<Blob> {
  const found = known.get(blob);
  if (found) return found;
  const head = new Uint8Array(await blob.slice(0, 12).arrayBuffer());
  const scrub = scrubOf(head);
  let clean = blob;
  if (scrub) {
    const bytes = new Uint8Array(await blob.arrayBuffer());
    const file = new File(bytes);
    try {
      scrub(file);
    } catch {
      // It is damaged or cut off: what was found goes.
    }
    if (file.changed) clean = new Blob([bytes], { type: blob.type });
  }
  known.set(blob, clean);
  return clean;
}

function scrubOf(head: Uint8Array): ((f: File) => void) | undefined {
  const name = String.fromCharCode(...head);
  if (name.startsWith("\xff\xd8\xff")) return jpeg;
  if (name.startsWith("\x89PNG")) return png;
  if (name.startsWith("GIF8")) return gif;
  if (/^RIFF.{4}WEBP/s.test(name)) return webp;
  return /^.{4}(ftyp|moov|mdat|wide|free|skip)/s.test(name) ? boxes : undefined;
}

/** The bytes of a file. A place beyond its end throws an error. */
class File {
  readonly #view: DataView;
  changed = false;

  constructor(readonly bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer);
  }

  get end(): number { return this.bytes.length; }
  byte(at: number): number { return this.#view.getUint8(at); }
  short(at: number, little = false): number { return this.#view.getUint16(at, little); }
  word(at: number, little = false): number { return this.#view.getUint32(at, little); }
  long(at: number): number { return Number(this.#view.getBigUint64(at)); }
  /** A number of n bytes, of which n may be 0. */
  number(at: number, n: number): number {
    return n === 8 ? this.long(at) : n === 4 ? this.word(at) : n === 2 ? this.short(at) : 0;
  }
  text(at: number, length = 4): string { return String.fromCharCode(...this.bytes.subarray(at, at + length)); }

  write(at: number, text: string): void {
    for (let i = 0; i < text.length; i++) this.bytes[at + i] = text.charCodeAt(i);
    this.changed = true;
  }

  zero(from: number, to: number): void {
    this.bytes.fill(0, from, to);
    this.changed = true;
  }

  setWord(at: number, value: number): void { this.#view.setUint32(at, value); }
}

/** The length of an Exif directory with an orientation and nothing else. */
const EXIF = 26;

/**
 * Leaves of an Exif directory its orientation. It reports whether there is one other than upright,
 * which needs to be kept.
 */
function keepOrientation(f: File, from: number, to: number): boolean {
  const turn = orientationOf(f, from, to);
  f.zero(from, to);
  if (turn < 2 || turn > 8 || to - from < EXIF) return false;
  f.write(from, `II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0${String.fromCharCode(turn)}`);
  return true;
}

function orientationOf(f: File, from: number, to: number): number {
  const little = f.text(from, 2) === "II";
  const first = from + f.word(from + 4, little);
  if (first + 2 > to) return 1;
  const count = f.short(first, little);
  for (let at = first + 2; at < first + 2 + 12 * count && at + 12 <= to; at += 12) {
    if (f.short(at, little) === 0x112) return f.short(at + 8, little);
  }
  return 1;
}

/** Scrubs a JPEG: its metadata becomes comments without words. What follows its end, such as further pictures, goes. */
function jpeg(f: File): void {
  for (let at = 2; ;) {
    const marker = f.byte(at + 1);
    if (f.byte(at) !== 0xff) throw new Error("no marker");
    if (marker === 0xff) { // padding
      at++;
      continue;
    }
    if (marker === 0xd9) {
      if (at + 2 < f.end) f.zero(at + 2, f.end);
      return;
    }
    const from = at + 4;
    const to = at + 2 + f.short(at + 2);
    const exif = marker === 0xe1 && f.text(from, 6) === "Exif\0\0";
    if (exif ? !keepOrientation(f, from + 6, to) : isMetadata(f, marker, from)) {
      f.zero(from, to);
      f.write(at + 1, "\xfe");
    }
    at = to;
    // The bytes of the picture follow the start of a scan, up to the next marker.
    if (marker === 0xda) while (f.byte(at) !== 0xff || f.byte(at + 1) === 0 || (f.byte(at + 1) & 0xf8) === 0xd0) at++;
  }
}

/**
 * Reports whether a segment is metadata: all but JFIF, color profiles and Adobe's color transform,
 * and what decodes the picture.
 */
const isMetadata = (f: File, marker: number, from: number): boolean =>
  marker === 0xfe
    || (marker > 0xe0 && marker < 0xf0 && marker !== 0xee && !(marker === 0xe2 && f.text(from, 11) === "ICC_PROFILE"));

/** Scrubs a PNG: metadata becomes a private chunk of zeros. */
function png(f: File): void {
  for (let at = 8, size; at + 12 <= f.end; at += size + 12) {
    size = f.word(at);
    const [type, to] = [f.text(at + 4), at + 8 + size];
    if (/^(?:tEXt|zTXt|iTXt|tIME|eXIf)$/.test(type)) {
      const kept = type === "eXIf" && keepOrientation(f, at + 8, to);
      if (!kept) {
        f.zero(at + 8, to);
        f.write(at + 4, "zeRo");
      }
      f.setWord(to, crc(f.bytes.subarray(at + 4, to)));
    }
    if (type !== "IEND") continue;
    if (to + 4 < f.end) f.zero(to + 4, f.end);
    return;
  }
}

/** Returns the CRC-32 of bytes. */
function crc(bytes: Uint8Array): number {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

/**
 * Scrubs a GIF: the blocks of comments and of applications become blocks of zeros, except what
 * loops it and its colors.
 */
function gif(f: File): void {
  const table = (at: number) => (f.byte(at) & 128 ? 3 << ((f.byte(at) & 7) + 1) : 0);
  const after = (at: number) => {
    while (at < f.end && f.byte(at)) at += f.byte(at) + 1;
    return Math.min(at, f.end);
  };
  for (let at = 13 + table(10); at < f.end;) {
    const [type, label] = [f.byte(at), f.byte(at + 1)];
    if (type === 0x3b && at + 1 < f.end) f.zero(at + 1, f.end);
    if (type !== 0x21 && type !== 0x2c) return;
    const from = at + (type === 0x2c ? 11 + table(at + 9) : 2);
    const to = after(from);
    if (type === 0x21 && label === 0xfe) blank(f, from, to);
    if (type === 0x21 && label === 0xff && !/^(NETSCAPE|ANIMEXTS|ICCRGBG1)/.test(f.text(from + 1, 8))) {
      blank(f, from + 1 + f.byte(from), to);
    }
    at = to + 1;
  }
}

/** Makes blocks of zeros of a place in a GIF. None of them is empty, which would be the last one. */
function blank(f: File, from: number, to: number): void {
  f.zero(from, to);
  for (let size; from < to - 1; from += size + 1) {
    const left = to - from - 1;
    size = left === 256 ? 254 : Math.min(255, left);
    f.bytes[from] = size;
  }
}

/** Scrubs a WebP: metadata becomes an unknown chunk, and the flag for it is cleared. */
function webp(f: File): void {
  let flags = -1;
  for (let at = 12, size; at + 8 <= f.end; at += 8 + size + (size & 1)) {
    size = f.word(at + 4, true);
    const [type, from] = [f.text(at), at + 8];
    if (type === "VP8X") flags = from;
    const exif = type === "EXIF";
    if (!exif && type !== "XMP ") continue;
    const tiff = f.text(from, 6) === "Exif\0\0" ? from + 6 : from;
    if (exif && keepOrientation(f, tiff, from + size)) continue;
    f.zero(from, from + size);
    f.write(at, "ZERO");
    if (flags > 0) f.bytes[flags]! &= exif ? ~8 : ~4;
  }
}

interface Box { readonly type: string; readonly at: number; readonly from: number; readonly to: number }

/** Returns the boxes between two places of an ISO file. */
function boxesOf(f: File, from: number, to: number): Box[] {
  const all: Box[] = [];
  for (let at = from; at + 8 <= to;) {
    const [size, type] = [f.word(at), f.text(at + 4)];
    const large = size === 1;
    const end = Math.min(to, at + (large ? f.long(at + 8) : size || to - at));
    if (end < at + 8) throw new Error("a box is too short");
    all.push({ type, at, from: at + (large ? 16 : 8), to: end });
    at = end;
  }
  return all;
}

const inside = (f: File, { from, to }: Box, ...path: readonly string[]): Box | undefined => {
  const [first, ...rest] = path;
  const found = boxesOf(f, from, to).find(b => b.type === first);
  return found && rest.length ? inside(f, found, ...rest) : found;
};

function free(f: File, { at, from, to }: Box): void {
  f.zero(from, to);
  f.write(at + 4, "free");
}

/** The id of a box with XMP. */
const XMP = "\xbe\x7a\xcf\xcb\x97\xa9\x42\xe8\x9c\x71\x99\x94\x91\xe3\xaf\xac";

/** Scrubs an MP4, a MOV, a HEIC or an AVIF. */
function boxes(f: File): void {
  let movie: Movie = { hidden: new Set(), sizes: new Map() };
  for (const box of boxesOf(f, 0, f.end)) {
    if (box.type === "uuid" && f.text(box.from, 16) === XMP) free(f, box);
    if (box.type === "meta") {
      // in a MOV it has no version
      const meta = { ...box, from: f.text(box.from + 4) === "hdlr" ? box.from : box.from + 4 };
      const handler = inside(f, meta, "hdlr");
      if (handler && f.text(handler.from + 8) === "pict") items(f, meta);
      else free(f, box);
    }
    if (/^(?:udta|emsg)$/.test(box.type)) free(f, box);
    if (box.type === "moov") movie = scrubMovie(f, box);
    if (box.type === "moof") fragment(f, box, movie);
  }
}

/** The tracks whose samples are overwritten, and the sizes of samples by their tracks. */
interface Movie { readonly hidden: Set<number>; readonly sizes: Map<number, number> }

function scrubMovie(f: File, moov: Box): Movie {
  const [hidden, sizes] = [new Set<number>(), new Map<number, number>()];
  for (const box of boxesOf(f, moov.from, moov.to)) {
    if (/^(?:udta|meta|uuid)$/.test(box.type)) free(f, box);
    if (box.type === "mvex") {
      for (const { type, from } of boxesOf(f, box.from, box.to)) {
        if (type === "trex") sizes.set(f.word(from + 4), f.word(from + 16));
      }
    }
    if (box.type !== "trak") continue;
    for (const part of boxesOf(f, box.from, box.to)) if (/^(?:udta|meta)$/.test(part.type)) free(f, part);
    const handler = inside(f, box, "mdia", "hdlr");
    if (!handler || f.text(handler.from + 8) !== "meta") continue;
    samples(f, box); // which have the place at each moment
    const head = inside(f, box, "tkhd");
    if (head) hidden.add(f.word(head.from + (f.byte(head.from) ? 20 : 12)));
    free(f, box);
  }
  return { hidden, sizes };
}

/** Overwrites the metadata of a fragment of a movie. */
function fragment(f: File, moof: Box, { hidden, sizes }: Movie): void {
  let next = moof.at; // where a track begins that says nothing else
  for (const box of boxesOf(f, moof.from, moof.to)) {
    if (/^(?:udta|meta|uuid)$/.test(box.type)) free(f, box);
    const head = inside(f, box, "tfhd");
    if (box.type !== "traf" || !head) continue;
    const [flags, track] = [f.word(head.from), f.word(head.from + 4)];
    const base = flags & 1 ? f.long(head.from + 8) : flags & 0x20000 ? moof.at : next;
    const common = flags & 16
      ? f.word(head.from + 8 + (flags & 1) * 8 + (flags & 2) * 2 + (flags & 8) / 2)
      : sizes.get(track) ?? 0;
    next = base;
    for (const { type, from } of boxesOf(f, box.from, box.to)) {
      if (type !== "trun") continue;
      const has = f.word(from);
      let at = from + 8;
      if (has & 1) next = base + (f.word(at) | 0);
      at += (has & 1) * 4 + (has & 4);
      for (let n = f.word(from + 4); n > 0; n--) {
        at += (has & 256) / 64;
        const size = has & 512 ? f.word(at) : common;
        at += (has & 512) / 128 + (has & 1024) / 256 + (has & 2048) / 512;
        if (hidden.has(track)) f.zero(next, next + size);
        next += size;
      }
    }
    if (hidden.has(track)) free(f, box);
    else for (const part of boxesOf(f, box.from, box.to)) if (/^(?:udta|meta|uuid)$/.test(part.type)) free(f, part);
  }
}

/** Overwrites the samples of a track. */
function samples(f: File, trak: Box): void {
  const table = inside(f, trak, "mdia", "minf", "stbl");
  const part = (type: string) => table && inside(f, table, type)?.from;
  const [sizes, runs, small, large] = [part("stsz"), part("stsc"), part("stco"), part("co64")];
  const chunks = small ?? large;
  if (sizes === undefined || runs === undefined || chunks === undefined) return;
  const same = f.word(sizes + 4);
  for (let chunk = 0, run = 0, sample = 0; chunk < f.word(chunks + 4); chunk++) {
    if (run + 1 < f.word(runs + 4) && f.word(runs + 8 + 12 * (run + 1)) <= chunk + 1) run++;
    let at = small === undefined ? f.long(chunks + 8 + 8 * chunk) : f.word(chunks + 8 + 4 * chunk);
    for (let n = f.word(runs + 12 + 12 * run); n > 0 && at < f.end; n--, sample++) {
      const size = same || f.word(sizes + 12 + 4 * sample);
      f.zero(at, at + size);
      at += size;
    }
  }
}

/** Overwrites the metadata of a HEIC or an AVIF, which does not contain its orientation. */
function items(f: File, meta: Box): void {
  const found = metadataOf(f, meta);
  const iloc = inside(f, meta, "iloc");
  if (!iloc || !found.size) return;
  const version = f.byte(iloc.from);
  const [sizes, more] = [f.byte(iloc.from + 4), f.byte(iloc.from + 5)];
  const [offset, length, base, index] = [sizes >> 4, sizes & 15, more >> 4, version ? more & 15 : 0];
  const wide = version < 2 ? 2 : 4;
  const data = inside(f, meta, "idat");
  let at = iloc.from + 6 + wide;
  for (let n = f.number(iloc.from + 6, wide); n > 0; n--) {
    const id = f.number(at, wide);
    at += wide;
    const method = version ? f.short(at) & 15 : 0;
    at += version ? 4 : 2;
    const start = f.number(at, base) + (method === 1 ? data?.from ?? 0 : 0);
    at += base;
    const extents = f.short(at);
    at += 2;
    for (let i = 0; i < extents; i++, at += index + offset + length) {
      const from = start + f.number(at + index, offset);
      if (found.has(id) && method < 2) f.zero(from, from + f.number(at + index + offset, length));
    }
  }
}

/** Returns the ids of the items with Exif or XMP. */
function metadataOf(f: File, meta: Box): Set<number> {
  const found = new Set<number>();
  const list = inside(f, meta, "iinf");
  if (!list) return found;
  const from = list.from + (f.byte(list.from) ? 8 : 6);
  for (const { type, from: at } of boxesOf(f, from, list.to)) {
    const wide = f.byte(at) === 3 ? 4 : 2;
    if (type === "infe" && /Exif|mime/.test(f.text(at + 4 + wide + 2))) found.add(f.number(at + 4, wide));
  }
  return found;
}
