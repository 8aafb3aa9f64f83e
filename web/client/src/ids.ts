const hex = (n: number, digits: number) => n.toString(16).padStart(digits, "0").slice(-digits);

/** Returns a function that makes UUIDs of version 7, ordered within a millisecond too. */
export function uuids(random: (words: Uint32Array<ArrayBuffer>) => void): (ms: number) => string {
  let last = 0;
  let count = 0;
  return ms => {
    const words = new Uint32Array(2);
    random(words);
    const [a = 0, b = 0] = words;
    // The 12 bits after the version count within a millisecond.
    count = ms === last ? count + 1 : 0;
    last = ms;
    const time = hex(ms, 12);
    return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(count, 3)}-${hex(0x8000 | (a & 0x3fff), 4)}-${hex(a >>> 16, 4)}${hex(b, 8)}`;
  };
}

/** Returns the time in a UUID of version 7, or in a message id that begins with one. */
export const timeOf = (id: string): number => parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
