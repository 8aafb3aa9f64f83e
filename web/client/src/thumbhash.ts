// ThumbHash: a picture in up to 25 bytes, the lowest frequencies of its brightness, two differences of
// colors and its opacity. Based on https://github.com/evanw/thumbhash, MIT License, Copyright (c) 2023
// Evan Wallace.

const { PI, abs, cos, max, min, round } = Math;

/** The longest side of a picture that is encoded: more pixels change nothing. */
export const MOST_ENCODED = 100;
/** The longest side of a decoded picture. */
const DECODED = 32;

/** A picture without compression: 4 bytes for each pixel, as in ImageData. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8ClampedArray<ArrayBuffer>;
}

/** The frequencies of a channel, normalized to 0 to 1, and what they are scaled by. */
interface Channel {
  readonly base: number;
  readonly waves: readonly number[];
  readonly scale: number;
}

/** Calls fn for each kept frequency of nx × ny, which form a triangle. */
function eachWave(nx: number, ny: number, fn: (cx: number, cy: number) => void): void {
  for (let cy = 0; cy < ny; cy++) for (let cx = 0; cx * ny < nx * (ny - cy); cx++) fn(cx, cy);
}

function transform(values: Float64Array, width: number, height: number, nx: number, ny: number): Channel {
  let base = 0;
  let scale = 0;
  const waves: number[] = [];
  eachWave(nx, ny, (cx, cy) => {
    let sum = 0;
    for (let y = 0; y < height; y++) {
      const fy = cos((PI / height) * cy * (y + 0.5));
      for (let x = 0; x < width; x++) sum += values[x + y * width]! * cos((PI / width) * cx * (x + 0.5)) * fy;
    }
    sum /= width * height;
    if (!cx && !cy) return void (base = sum);
    waves.push(sum);
    scale = max(scale, abs(sum));
  });
  return { base, waves: waves.map(w => (scale ? 0.5 + (0.5 / scale) * w : 0)), scale };
}

/** Returns the sizes of the brightness's triangle of frequencies. */
function waveSizes(width: number, height: number, opaque: boolean): [number, number] {
  const most = opaque ? 7 : 5;
  const size = (side: number) => max(1, round((most * side) / max(width, height)));
  return [size(width), size(height)];
}

/** Returns the ThumbHash of a picture of at most MOST_ENCODED pixels in width and height. */
export function encodePixels({ width, height, rgba }: Pixels): Uint8Array<ArrayBuffer> {
  const count = width * height;
  const average = [0, 0, 0];
  let opacity = 0;
  for (let i = 0; i < count * 4; i += 4) {
    const alpha = rgba[i + 3]! / 255;
    average.forEach((_, c) => (average[c]! += (alpha * rgba[i + c]!) / 255));
    opacity += alpha;
  }
  const opaque = opacity >= count;
  const [l, p, q, a] =
    [0, 1, 2, 3].map(() => new Float64Array(count)) as [Float64Array, Float64Array, Float64Array, Float64Array];
  for (let i = 0; i < count; i++) {
    const alpha = rgba[i * 4 + 3]! / 255;
    // A transparent pixel has the average color.
    const [r, g, b] = average.map((sum, c) =>
      (sum / (opacity || 1)) * (1 - alpha) + (alpha * rgba[i * 4 + c]!) / 255) as [number, number, number];
    l[i] = (r + g + b) / 3;
    p[i] = (r + g) / 2 - b;
    q[i] = r - g;
    a[i] = alpha;
  }
  const [lx, ly] = waveSizes(width, height, opaque);
  const channels = [
    transform(l, width, height, max(3, lx), max(3, ly)),
    transform(p, width, height, 3, 3),
    transform(q, width, height, 3, 3),
  ];
  if (!opaque) channels.push(transform(a, width, height, 5, 5));
  return pack(channels, width > height, width > height ? ly : lx);
}

function pack([l, p, q, a]: readonly Channel[], landscape: boolean, shorter: number): Uint8Array<ArrayBuffer> {
  const first = round(63 * l!.base) | (round(31.5 + 31.5 * p!.base) << 6) | (round(31.5 + 31.5 * q!.base) << 12)
    | (round(31 * l!.scale) << 18) | (a ? 1 << 23 : 0);
  const second = shorter | (round(63 * p!.scale) << 3) | (round(63 * q!.scale) << 9) | (landscape ? 1 << 15 : 0);
  const bytes = [first & 255, (first >> 8) & 255, first >> 16, second & 255, second >> 8];
  if (a) bytes.push(round(15 * a.base) | (round(15 * a.scale) << 4));
  const waves = [l!, p!, q!, ...(a ? [a] : [])].flatMap(c => c.waves);
  for (let i = 0; i < waves.length; i += 2) bytes.push(round(15 * waves[i]!) | (round(15 * (waves[i + 1] ?? 0)) << 4));
  return Uint8Array.from(bytes);
}

/** Returns a small picture of what a placeholder in base64 shows; undefined if it is none. */
export function decode(placeholder: string): Pixels | undefined {
  try {
    return decodeBytes(Uint8Array.from(atob(placeholder), c => c.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

function decodeBytes(bytes: Uint8Array): Pixels | undefined {
  if (bytes.length < 5) return undefined;
  const [b0, b1, b2, b3, b4, b5 = 0] = bytes as unknown as [number, number, number, number, number, number?];
  const first = b0 | (b1 << 8) | (b2 << 16);
  const second = b3 | (b4 << 8);
  const opaque = !(first >> 23);
  const longer = opaque ? 7 : 5;
  const [w, h] = second >> 15 ? [longer, second & 7] : [second & 7, longer];
  let next = (opaque ? 5 : 6) * 2; // the next half of a byte
  const channel = (base: number, scale: number, nx: number, ny: number) => {
    const waves: [number, number, number][] = [];
    eachWave(nx, ny, (cx, cy) => {
      if (!cx && !cy) return;
      if (next >> 1 >= bytes.length) throw new RangeError("The placeholder is too short.");
      const half = (bytes[next >> 1]! >> ((next++ & 1) << 2)) & 15;
      waves.push([cx, cy, (half / 7.5 - 1) * scale]);
    });
    return (x: number, y: number) =>
      waves.reduce((sum, [cx, cy, f]) => sum + f * 2 * cos(PI * cx * x) * cos(PI * cy * y), base);
  };
  const l = channel((first & 63) / 63, ((first >> 18) & 31) / 31, max(3, w), max(3, h));
  const p = channel(((first >> 6) & 63) / 31.5 - 1, (((second >> 3) & 63) / 63) * 1.25, 3, 3);
  const q = channel(((first >> 12) & 63) / 31.5 - 1, (((second >> 9) & 63) / 63) * 1.25, 3, 3);
  const a = opaque ? () => 1 : channel((b5 & 15) / 15, (b5 >> 4) / 15, 5, 5);
  return draw(w / h, (x, y) => {
    const [light, blue, red] = [l(x, y), p(x, y), q(x, y)];
    const b = light - (2 / 3) * blue;
    const r = (3 * light - b + red) / 2;
    return [r, r - red, b, a(x, y)];
  });
}

/** Draws a picture with sides in a ratio, from the colors at places of 0 to 1. */
function draw(ratio: number, color: (x: number, y: number) => readonly number[]): Pixels | undefined {
  if (!(ratio > 0 && ratio < Infinity)) return undefined;
  const width = max(1, round(min(DECODED, DECODED * ratio)));
  const height = max(1, round(min(DECODED, DECODED / ratio)));
  const rgba = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      rgba.set(color((x + 0.5) / width, (y + 0.5) / height).map(v => 255 * min(1, max(0, v))), (x + y * width) * 4);
  return { width, height, rgba };
}
