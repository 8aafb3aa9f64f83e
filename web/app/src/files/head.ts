// The real size of a picture, by its first bytes: a file of a few KB may decode to hundreds of megabytes.

/** A picture of more pixels is not decoded: it would take 160 MB and more. Cameras of phones have fewer. */
const mostPixels = 40_000_000;
/** The size of a picture is within so many bytes: before it, a JPEG may have segments of 64 KB each. */
const longest = 1 << 19;

interface Size { readonly width: number; readonly height: number }

/** Reports whether a picture at an address can be shown: it is no larger than stated, and than mostPixels. */
export async function canBeShown(url: string, stated: Partial<Size>): Promise<boolean> {
  const size = await sizeAt(url);
  if (!size || size.width * size.height > mostPixels) return false;
  const { width, height } = stated;
  if (!width || !height) return true;
  // A camera that was turned states the sides the other way around.
  return Math.max(size.width, size.height) <= Math.max(width, height)
    && Math.min(size.width, size.height) <= Math.min(width, height);
}

/** Reads the beginning of a picture. A picture that is read to its end is in the browser's cache afterwards. */
async function sizeAt(url: string): Promise<Size | undefined> {
  const response = await fetch(url);
  if (!response.ok || !response.body) throw new Error(`the picture has the status ${response.status}`);
  const reader = response.body.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let read = 0; read < longest;) {
    const { value, done } = await reader.read();
    if (done) break;
    parts.push(value);
    read += value.length;
  }
  await reader.cancel();
  return sizeOf(new Uint8Array(await new Blob(parts).arrayBuffer()));
}

/** Returns the size of a PNG, JPEG, GIF, WebP or AVIF; undefined if the bytes do not have it. */
export function sizeOf(bytes: Uint8Array): Size | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = (at: number, length = 4) => String.fromCharCode(...bytes.subarray(at, at + length));
  try {
    if (text(1, 3) === "PNG") return { width: view.getUint32(16), height: view.getUint32(20) };
    if (text(0, 3) === "GIF") return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
    if (view.getUint16(0) === 0xffd8) return jpeg(view);
    if (text(0) === "RIFF" && text(8) === "WEBP") return webp(view, text(12));
    if (text(4) === "ftyp") return avif(view, text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // the bytes end before the size
  }
  return undefined;
}

/** Returns the size in the frame of a JPEG (ITU T.81, B.2.2). */
function jpeg(view: DataView): Size | undefined {
  for (let at = 2; ;) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) at++; // a fill byte
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    } else {
      at += 2 + view.getUint16(at + 2);
    }
  }
}

/** Returns the size in the first chunk of a WebP (RFC 9649, 2.5 to 2.7). */
function webp(view: DataView, chunk: string): Size | undefined {
  const three = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
  if (chunk === "VP8X") return { width: 1 + three(24), height: 1 + three(27) };
  if (chunk === "VP8 ") return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (chunk !== "VP8L") return undefined;
  const sides = view.getUint32(21, true);
  return { width: 1 + (sides & 0x3fff), height: 1 + ((sides >> 14) & 0x3fff) };
}

/**
 * Returns the largest of the sizes that an AVIF has in its boxes "ispe": of the picture, and of its
 * tiles and small forms.
 */
function avif(view: DataView, text: (at: number) => string): Size | undefined {
  let found: Size | undefined;
  for (let at = 8; at + 16 <= view.byteLength; at++) {
    if (view.getUint8(at) !== 0x69 || text(at) !== "ispe") continue;
    const size = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
    if (!found || size.width * size.height > found.width * found.height) found = size;
  }
  return found;
}
