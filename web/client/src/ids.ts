const hex = (n: number, digits: number) => n.toString(16).padStart(digits, "0");

/** Returns a function that makes UUIDs of version 7, ordered within a millisecond too. */
export function uuids(random: (bytes: Uint8Array<ArrayBuffer>) => void): (ms: number) => string {
  let last = 0;
  let count = 0;
  return ms => {
    const bytes = new Uint8Array(10);
    random(bytes);
    const at = (i: number) => bytes[i] ?? 0;
    // The 12 bits after the version count within a millisecond. They begin in the lower half.
    count = ms === last ? count + 1 : ((at(0) & 7) << 8) | at(1);
    last = ms;
    const time = hex(ms, 12);
    const tail = [...bytes.subarray(2)].map((b, i) => hex(i ? b : (b & 0x3f) | 0x80, 2)).join("");
    return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(count & 0xfff, 3)}-${tail.slice(0, 4)}-${tail.slice(4)}`;
  };
}

/** Returns the time in a UUID of version 7, or in a message id that begins with one. */
export const timeOf = (id: string): number => parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
