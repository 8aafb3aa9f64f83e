// Random numbers that a seed repeats. run.mjs sets the seed of a run.

export type Random = () => number;

/** Returns numbers in [0, 1), the same for the same seed: the generator mulberry32. */
export function random(seed: number): Random {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const runSeed = Number(process.env["SEED"] || 1);
export const nightly = !!process.env["NIGHTLY"];

/** Returns one of the items. */
export function pick<T>(items: readonly T[], r: Random): T {
  const item = items[Math.floor(r() * items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

/** Returns the items in a random order. */
export function shuffled<T>(items: readonly T[], r: Random): T[] {
  return items.map(item => [r(), item] as const).sort(([a], [b]) => a - b).map(([, item]) => item);
}
