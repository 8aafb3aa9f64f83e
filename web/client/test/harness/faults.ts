// Decisions about requests and frames that several tests make.
import { posted, type Fate, type Frame, type FrameFate, type Proxy, type Seen } from "./proxy.js";
import { shuffled, type Random } from "./random.js";
import { sleep } from "./until.js";

/** Reports whether a request posts a message. */
export const isPost = (r: Seen) => r.method === "POST" && /^\/rooms\/[^/]+\/messages$/.test(r.path);

/** Gives the first tries of each post a fate, and passes the later ones. */
export function firstTries(tries: number, fate: Fate): (r: Seen) => Fate {
  const seen = new Map<string, number>();
  return r => {
    if (!isPost(r)) return "pass";
    const text = posted(r.body).text ?? "";
    const n = (seen.get(text) ?? 0) + 1;
    seen.set(text, n);
    return n <= tries ? fate : "pass";
  };
}

/** Gives every frame of changes a fate in turn, and passes all others. */
export function inTurn(...fates: FrameFate[]): (f: Frame) => FrameFate {
  let n = 0;
  return f => f.type === "changes" ? fates[n++ % fates.length] ?? "pass" : "pass";
}

/** What requests and frames wait at until a test opens it. */
export class Gate {
  open!: () => void;
  /** The fate of what waits. */
  readonly passed = new Promise<"pass">(done => { this.open = () => done("pass"); });
}

/** A fate that comes later than those behind it. */
const late = async (ms: number) => {
  await sleep(ms);
  return "pass" as const;
};
const requestFaults: (() => Fate | Promise<Fate>)[] = [
  () => "lose-request", () => "lose-answer", () => "repeat", () => "echo", () => late(120),
  () => ({ status: 503 }), () => ({ status: 429, retryAfter: 1 }), () => ({ status: 500 }),
];
const frameFaults: (() => FrameFate | Promise<FrameFate>)[] = [() => "drop", () => "repeat", () => late(40), () => late(300)];

/** Gives each nth request and frame one of the faults in turn, in a random order. */
export function everyNth(n: number, network: Proxy, r: Random): void {
  const turns = <T>(faults: T[]) => {
    const order = shuffled(faults, r);
    let count = 0;
    return () => ++count % n ? undefined : order[count / n % order.length];
  };
  const request = turns(requestFaults);
  const frame = turns(frameFaults);
  network.request = () => request()?.() ?? "pass";
  network.frame = f => f.type === "ack" ? "pass" : frame()?.() ?? "pass";
}

/** The number of kinds of faults that requests meet. */
export const requestFaultKinds = requestFaults.length;
