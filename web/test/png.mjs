// Small pictures for tests.
import { crc32, deflateSync } from "node:zlib";

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
/** Eight bits of red, green and blue for each pixel. */
const FORMAT = [8, 2, 0, 0, 0];

function chunk(type, data) {
  const length = Buffer.alloc(4), sum = Buffer.alloc(4);
  const body = Buffer.concat([Buffer.from(type), data]);
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** Returns the bytes of a PNG of one colour. */
export function png(width, height, colour = [20, 110, 190]) {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const line = [0, ...Array(width).fill(colour).flat()];
  const pixels = deflateSync(Buffer.from(Array(height).fill(line).flat()));
  return Buffer.concat([SIGNATURE, chunk("IHDR", Buffer.concat([header, Buffer.from(FORMAT)])), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))]);
}
