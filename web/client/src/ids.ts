/** Encodes a part of a path, or a value of a query. */
export const encode = encodeURIComponent;

const hex = (n: number, digits: number) => n.toString(16).padStart(digits, "0").slice(-digits);

const timePart = (ms: number) => hex(ms, 12).replace(/.{8}/, "$&-");

/** The length of a UUID, with which a message id begins. */
export const UUID = 36;

/** Returns a UUID of version 7 with a time. It uses 66 of the 96 random bits. */
export function uuid(ms: number, random: Uint32Array): string {
  const [a = 0, b = 0, c = 0] = random;
  return `${timePart(ms)}-7${hex(a, 3)}-8${hex(b, 3)}-${hex(c, 8)}${hex(a >>> 16, 4)}`;
}

/** Two pages that send one message derive the same new id within this time. */
const MINUTE = 60_000;

/** Returns an id with another time, rounded down to the minute. */
export const restamp = (id: string, ms: number): string => timePart(ms - (ms % MINUTE)) + id.slice(13);

/** Returns the time in a UUID of version 7, or in a message id that begins with one. */
export const timeOf = (id: string): number => parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
