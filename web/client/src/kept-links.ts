/** A link is not used in its last milliseconds: the answer may take as long. */
const MARGIN = 30_000;

/** Links that are requested, and kept until they expire. */
export interface Kept<T> {
  readonly found: Promise<T>;
  /** When they expire, by the server's clock; infinite while they are requested. */
  until: number;
}

/** Reports whether links can be used. Fresh demands others than those that were found already. */
export function isUsable<T>(links: Kept<T> | undefined, now: number, fresh = false): links is Kept<T> {
  return !!links && links.until > now + MARGIN && !(fresh && links.until < Infinity);
}
