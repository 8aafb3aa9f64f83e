/** A link is not used in its last milliseconds: the answer may take as long. */
const MARGIN = 30_000;

interface Kept<T> {
  readonly found: Promise<T>;
  /** When the links expire, by the server's clock; infinite while they are requested, and 0 if there are none. */
  until: number;
}

/** Links by keys, which are kept until they expire. */
export class KeptLinks<T> {
  #kept = new Map<string, Kept<T>>();

  /** EndOf returns when links expire, and 0 if there are none. */
  constructor(private readonly now: () => number, private readonly endOf: (links: T) => number) {}

  /** Returns the links of a key. It requests them if none are kept, or if fresh demands others than were found. */
  get(key: string, request: () => Promise<T>, fresh = false): Promise<T> {
    const known = this.#kept.get(key);
    if (known && known.until > this.now() + MARGIN && !(fresh && known.until < Infinity)) return known.found;
    for (const [key, { until }] of this.#kept) if (until < this.now()) this.#kept.delete(key);
    const kept: Kept<T> = { found: request(), until: Infinity };
    this.#kept.set(key, kept);
    kept.found.then(links => { kept.until = this.endOf(links); }, () => { kept.until = 0; });
    return kept.found;
  }

  delete(key: string): void {
    this.#kept.delete(key);
  }

  clear(): void {
    this.#kept.clear();
  }
}
