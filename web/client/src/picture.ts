import { base64 } from "./base64.js";
import type { Blob } from "./platform.js";
import { MOST_ENCODED, encodePixels } from "./thumbhash.js";

/** The longest sides of previews that are tried, and their quality, until one is small enough. */
const SIDES = [720, 480, 320];
const QUALITIES = [0.8, 0.6, 0.4];
/** The side of a person's picture in pixels. */
const FACE = 256;
/**
 * The largest preview, and the largest picture of a person, in bytes. A picture that is not larger
 * needs no preview.
 */
const MOST = 64 << 10;
/** The pictures that every browser shows. */
const SHOWN = /^image\/(png|jpeg|gif|webp|avif)$/;

/** The placeholder of a picture that is not loaded yet. */
export interface Look {
  readonly width?: number;
  readonly height?: number;
  readonly placeholder?: string;
  readonly preview?: Blob;
}

/** Returns what a picture looks like, or nothing if it is none that this browser can show. */
export async function look(blob: Blob): Promise<Look> {
  if (!blob.type.startsWith("image/") || !globalThis.document) return {};
  try {
    const picture = await createImageBitmap(blob);
    const { width, height } = picture;
    try {
      const size = { width, height };
      if (!canRead()) return size;
      const small = Math.max(width, height) <= SIDES[0]! && blob.size <= MOST && SHOWN.test(blob.type);
      const preview = small ? undefined : await previewOf(picture);
      return { ...size, placeholder: placeholderOf(picture), ...(preview && { preview }) };
    } finally {
      picture.close();
    }
  } catch {
    return {};
  }
}

/**
 * Returns the center of a picture as a small square, with nothing else that the file contains, such as the
 * place. It throws an error for people if this browser cannot make it.
 */
export async function squareOf(blob: Blob): Promise<Blob> {
  const picture = await createImageBitmap(blob).catch(() => {
    throw new Error("This browser cannot read the file as a picture. Choose a JPEG, PNG or WebP.");
  });
  const side = Math.min(picture.width, picture.height);
  const square = await createImageBitmap(picture, (picture.width - side) / 2, (picture.height - side) / 2, side, side);
  picture.close();
  const small = canRead() && await previewOf(square, [FACE]);
  square.close();
  if (!small) throw new Error("This browser does not let pages make pictures smaller. Use another browser.");
  return small;
}

/** Reports whether a canvas returns what was drawn: some browsers return noise, against tracking. */
function canRead(): boolean {
  const brush = brushOf(8, 8);
  brush.fillStyle = "#369";
  brush.fillRect(0, 0, 8, 8);
  return brush.getImageData(0, 0, 8, 8).data.every((value, i) => value === [0x33, 0x66, 0x99, 0xff][i % 4]);
}

function brushOf(width: number, height: number): CanvasRenderingContext2D {
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  return canvas.getContext("2d", { willReadFrequently: true })!;
}

/** Draws a picture so that its longest side is at most longest. */
function drawn(picture: ImageBitmap, longest: number, background?: string): CanvasRenderingContext2D {
  const scale = Math.min(1, longest / Math.max(picture.width, picture.height));
  const side = (length: number) => Math.max(1, Math.round(length * scale));
  const brush = brushOf(side(picture.width), side(picture.height));
  const { width, height } = brush.canvas;
  brush.imageSmoothingQuality = "high";
  if (background) {
    brush.fillStyle = background;
    brush.fillRect(0, 0, width, height);
  }
  brush.drawImage(picture, 0, 0, width, height);
  return brush;
}

function placeholderOf(picture: ImageBitmap): string {
  const brush = drawn(picture, MOST_ENCODED);
  const { width, height } = brush.canvas;
  return base64(encodePixels({ width, height, rgba: brush.getImageData(0, 0, width, height).data }));
}

/** Returns a small picture in WebP, or in JPEG if this browser writes no WebP. */
async function previewOf(picture: ImageBitmap, sides = SIDES): Promise<Blob | undefined> {
  for (const side of sides) for (const quality of QUALITIES) {
    const webp = await encoded(drawn(picture, side), "image/webp", quality);
    const blob = webp?.type === "image/webp"
      ? webp
      : await encoded(drawn(picture, side, "#fff"), "image/jpeg", quality);
    if (blob && blob.size <= MOST) return blob;
  }
  return undefined;
}

const encoded = ({ canvas }: CanvasRenderingContext2D, type: string, quality: number) =>
  new Promise<Blob | null>(resolve => canvas.toBlob(resolve, type, quality));
