// Decisions about requests and frames that several tests make.
import { posted, type Fate, type Frame, type FrameFate, type Proxy, type Seen } from "./proxy.js";
import { pick, type Random } from "./random.js";

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

const requestFaults: Fate[] = [
  "lose-request", "lose-answer", "repeat", "echo", { delay: 120 }, { status: 503 }, { status: 429, retryAfter: 1 }, { status: 500 },
];
const frameFaults: FrameFate[] = ["drop", "repeat", { delay: 40 }, { delay: 300 }];

/** Gives a share of all requests and frames a fate by chance. */
export function chance(network: Proxy, share: number, r: Random): void {
  network.request = () => r() < share ? pick(requestFaults, r) : "pass";
  network.frame = f => f.type !== "ack" && r() < share ? pick(frameFaults, r) : "pass";
}
