// The clients' time. bundle.mjs gives these timers and this Date to the client's sources only: the
// harness, sockets and servers keep the machine's time. The tests of a process share one clock, so
// tests that hold it run one after another.
import type { TestContext } from "node:test";

const RealDate = Date;
const { setTimeout: arm, clearTimeout: disarm } = globalThis;

/** A timer of a client. */
interface Timer {
  due: number;
  /** The period of an interval. */
  readonly every?: number;
  readonly work: () => void;
  /** The machine's timer behind it. While the clock is held, only timers that are due have one. */
  real?: NodeJS.Timeout | undefined;
}

const timers = new Set<Timer>();
let now = 0; // while the clock is held
let held = false;
// The clock of the clients was at base when the machine's was at since, and runs at a speed.
let base = 0;
let since = 0;
let speed = 1;
let wrong = 0; // how far the clients' Date is off

const time = () => held ? now : base + (RealDate.now() - since) * speed;

function begin(t: Timer): Timer {
  timers.add(t);
  if (!held || t.due <= now) t.real = arm(() => ring(t), Math.max(0, (t.due - time()) / speed)).unref();
  return t;
}

function ring(t: Timer): void {
  end(t);
  if (t.every) begin(Object.assign(t, { due: t.due + t.every }));
  t.work();
}

function stop(t: Timer): void {
  disarm(t.real);
  t.real = undefined;
}

function end(t: Timer | undefined): void {
  if (!t) return;
  stop(t);
  timers.delete(t);
}

export const setTimeout = (work: () => void, ms = 0) => begin({ due: time() + Math.trunc(ms), work });
export const setInterval = (work: () => void, every: number) => begin({ due: time() + every, every, work });
export { end as clearTimeout, end as clearInterval };

class ClientDate extends RealDate {
  constructor(...args: [] | [number | string | Date]) {
    super(args.length ? args[0] : ClientDate.now());
  }
  static override now(): number {
    return Math.floor(time() + wrong);
  }
}
export { ClientDate as Date };

/** The true time in milliseconds. */
export const trueTime = () => RealDate.now();

/** Sets the clients' Date ahead by some milliseconds, or behind if negative. Timers do not notice. */
export function missetClock(t: TestContext, ms: number): void {
  wrong = ms;
  t.after(() => { wrong = 0; });
}

/** Holds the clock until release, or until the test ends. */
export function hold(t: TestContext): void {
  now = time();
  held = true;
  for (const timer of timers) if (timer.due > now) stop(timer);
  t.after(() => {
    release();
    base = since = 0;
  });
}

/** Lets the clients' time pass so many times as fast as the machine's, until the test ends. */
export function hurry(t: TestContext, times: number): void {
  [base, since, speed] = [time(), RealDate.now(), times];
  for (const timer of timers) {
    stop(timer);
    begin(timer);
  }
  if (times !== 1) t.after(() => hurry(t, 1));
}

/** Moves the clock as a machine that sleeps: the timers do not notice, and ring late. */
export function sleepThrough(ms: number): void {
  base += ms;
}

/** Lets a held clock run on from where it is. */
export function release(): void {
  if (!held) return;
  [base, since] = [now, RealDate.now()];
  held = false;
  for (const timer of [...timers]) if (!timer.real) begin(timer);
}

/** Reports whether a timer is due. */
export const hasWork = () => [...timers].some(t => t.real && t.due <= time());

/** Moves a held clock to the next timer, which it rings, or to a time. It reports whether one rang. */
export function step(until: number): boolean {
  const next = [...timers].filter(t => t.due <= until && !t.real).sort((a, b) => a.due - b.due)[0];
  now = next?.due ?? until;
  if (next) ring(next);
  return !!next;
}

/** The time of a held clock. */
export const heldTime = () => now;
