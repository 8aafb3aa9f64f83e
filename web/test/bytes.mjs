// Pictures and sounds for tests, and messages with them that are sent by the API.
import { createHash } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import { uuid7 } from "./server.mjs";

const RGB = 2; // the color type of a PNG without transparency
const BITS = 8;

/** Returns a PNG of a size: a frame of one color, and in it another that changes from left to right. */
export function png(width, height, [r, g, b] = [40, 120, 200]) {
  const row = y => Buffer.from([0, ...Array.from({ length: width }, (_, x) => {
    const edge = x < 4 || y < 4 || x >= width - 4 || y >= height - 4;
    return edge ? [r >> 1, g >> 1, b >> 1] : [r, g, Math.round(255 * x / width)];
  }).flat()]);
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    return Buffer.concat([number(data.length), body, number(crc32(body))]);
  };
  const head = Buffer.concat([number(width), number(height), Buffer.from([BITS, RGB, 0, 0, 0])]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, (_, y) => row(y))));
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", head), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))]);
}

function number(n) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(n);
  return bytes;
}

/** Returns a WAV of so many seconds, with a tone. */
export function wav(seconds = 1, rate = 8000) {
  const samples = Buffer.from(Array.from({ length: seconds * rate }, (_, i) => 128 + Math.round(60 * Math.sin(i / 5))));
  const head = Buffer.alloc(44);
  head.write("RIFF", 0); head.writeUInt32LE(36 + samples.length, 4); head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16); head.writeUInt16LE(1, 20); head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24); head.writeUInt32LE(rate, 28); head.writeUInt16LE(1, 32); head.writeUInt16LE(8, 34);
  head.write("data", 36); head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

/** Returns a picture to attach, with its size. */
export const picture = (name, width = 320, height = 200, more = {}) =>
  ({ name, type: "image/png", data: png(width, height), width, height, ...more });

const sums = data => ({ bytes: data.length, sha256: createHash("sha256").update(data).digest("base64") });

/** Uploads a file of a user to a room. Returns its id. */
export async function upload(server, user, room, { data, preview, ...about }) {
  const id = uuid7(Date.now());
  const given = { id, ...about, ...sums(data), ...(preview && { preview: { type: "image/png", ...sums(preview) } }) };
  const to = await server.api(user, "POST", `/rooms/${room}/uploads`, given);
  for (const [{ url, headers }, body] of [[to.put, data], ...(preview ? [[to.preview, preview]] : [])]) {
    const answer = await fetch(new URL(url, server.url), { method: "PUT", headers, body });
    if (!answer.ok) throw new Error(`PUT ${about.name}: ${answer.status} ${await answer.text()}`);
  }
  return id;
}

/** Gives a user a picture of themself. */
export async function portray(server, user, data) {
  const given = { type: "image/png", ...sums(data) };
  const { put: { url, headers } } = await server.api(user, "POST", "/people/me/picture", given);
  const answer = await fetch(new URL(url, server.url), { method: "PUT", headers, body: data });
  if (!answer.ok) throw new Error(`PUT the picture of ${user}: ${answer.status} ${await answer.text()}`);
  await server.api(user, "PATCH", "/people/me", { picture: given.sha256 });
}

/** Posts a message of a user with files. */
export async function attach(server, user, room, text, files) {
  const attachments = [];
  for (const file of files) attachments.push(await upload(server, user, room, file));
  return server.post(user, room, text, { attachments });
}
