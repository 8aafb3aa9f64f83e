const hex = (n: number, digits: number) => n.toString(16).padStart(digits, "0").slice(-digits);

/** Returns a UUID of version 7 with a time and 66 of 96 random bits. */
export function uuid(ms: number, random: Uint32Array): string {
  const [a = 0, b = 0, c = 0] = random;
  const time = hex(ms, 12);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(a, 3)}-8${hex(b, 3)}-${hex(c, 8)}${hex(a >>> 16, 4)}`;
}

/** Returns the time in a UUID of version 7, or in a message id that begins with one. */
export const timeOf = (id: string): number => parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
