// A machine's clock that is wrong: Date of this process is shifted. Timers and performance.now go on.

const real = Date;
let shift = 0;

class Shifted extends real {
  constructor(...args: [] | [number | string | Date]) {
    if (args.length === 0) super(real.now() + shift);
    else super(args[0]);
  }
  static override now(): number {
    return real.now() + shift;
  }
}

/** Sets the clock of this process that many milliseconds ahead, or behind if negative. */
export function shiftClock(ms: number): void {
  shift = ms;
  globalThis.Date = ms === 0 ? real : Shifted as DateConstructor;
}

/** The true time in milliseconds. */
export const trueTime = () => real.now();
