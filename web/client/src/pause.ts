/** The bounds of the pause before a retry. */
export const MIN_PAUSE = 500;
export const MAX_PAUSE = 20_000;

/** Returns a random pause in milliseconds, which grows with the consecutive failures, from 1. */
export function backoff(failures: number, random = Math.random()): number {
  return random * Math.min(MAX_PAUSE, MIN_PAUSE * 2 ** Math.min(failures - 1, 10));
}

/** A timer with one piece of work. */
export class Alarm {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #work: (() => void) | undefined;

  /** Does work after some milliseconds, in place of the previous work. */
  set(ms: number, work: () => void): void {
    this.clear();
    this.#work = work;
    this.#timer = setTimeout(() => this.ring(), ms);
  }

  /** Reports whether there is work to do. */
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
