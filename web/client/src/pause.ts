/** The least and the most of a pause before a retry: a blip passes, a long failure costs little. */
export const MIN_PAUSE = 500;
export const MAX_PAUSE = 20_000;

/** Returns a random pause in milliseconds that grows with the failures in a row, from 1. */
export function backoff(failures: number, random = Math.random()): number {
  return random * Math.min(MAX_PAUSE, MIN_PAUSE * 2 ** Math.min(failures - 1, 10));
}

/** One thing to do later. */
export class Alarm {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #work: (() => void) | undefined;

  /** Does work after some milliseconds, in place of what was to be done. */
  set(ms: number, work: () => void): void {
    this.clear();
    this.#work = work;
    this.#timer = setTimeout(() => this.ring(), ms);
  }

  get armed(): boolean {
    return !!this.#work;
  }

  /** Does the work now. */
  ring(): void {
    const work = this.#work;
    this.clear();
    work?.();
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#work = undefined;
  }
}
