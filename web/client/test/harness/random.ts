// Random numbers that a seed repeats. SEED=n sets the seed of a run.

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

/** The seed of this run: that of the environment, or a new one. */
export const runSeed = Number(process.env["SEED"] || 0) || Math.floor(Math.random() * 2 ** 31) + 1;

/** Returns one of the items. */
export function pick<T>(items: readonly T[], r: Random): T {
  const item = items[Math.floor(r() * items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}
