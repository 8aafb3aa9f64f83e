/** The least and the most of a pause before a retry: a blip passes, a long failure costs little. */
export const MIN_PAUSE = 500;
export const MAX_PAUSE = 20_000;

/** Returns a random pause in milliseconds that grows with the failures in a row, from 1. */
export function backoff(failures: number, random = Math.random()): number {
  return random * Math.min(MAX_PAUSE, MIN_PAUSE * 2 ** Math.min(failures, 10));
}

/** One pause that something else can end early. */
export class Pause {
  #end: (() => void) | undefined;

  wait(ms: number): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(() => this.#end?.(), Math.min(ms, 2 ** 31 - 1));
      this.#end = () => {
        clearTimeout(timer);
        this.#end = undefined;
        resolve();
      };
    });
  }

  end(): void {
    this.#end?.();
  }
}
