// What can happen to devices between a server and their people, in an order that a seed chooses.
import { setTimeout as later } from "node:timers/promises";
import { Gate } from "./faults.js";
import type { Frame, FrameFate, Proxy } from "./proxy.js";
import { shuffled, type Random } from "./random.js";

/** Every so many frames of changes meet a fault by themselves: they are lost, repeated or late. */
const frameEvery = 9;

/** The share of the steps with troubles. In the rest, frames are lost, repeated and late, and no more. */
const faulty = 0.85;

/** What a run can do to the devices of one kind, such as clients in this process. */
export interface Machines {
  /** Lets the machines sleep: their clocks move on, their connections die unnoticed, and they wake. */
  sleep(ms: number): void;
  /** Somebody looks at each of them. */
  look(): void;
  /** Closes the apps of some, and returns how they are started again. */
  close(): () => unknown;
  /** Calls stopped while the server is down for some seconds, by the clocks of the machines. */
  whileDown(seconds: number): Promise<void>;
}

/** What troubles happen to. */
export interface Between {
  readonly network: Proxy;
  readonly server: { kill(): Promise<void>; resume(): Promise<void> };
}

/** Begins a trouble, and returns how it ends. */
type Trouble = () => (() => unknown) | Promise<() => unknown>;

export class Troubles {
  /** The names of the troubles so far. */
  readonly met: string[] = [];
  /** The first step without troubles. */
  readonly calmAt: number;
  private ending: (() => unknown) | undefined;
  private readonly plan: (readonly [at: number, until: number, name: string])[];
  private readonly kinds: Record<string, Trouble>;

  /** Plans each trouble so many times within some steps. */
  constructor(private readonly w: Between, machines: Machines, steps: number, times: number, r: Random) {
    this.kinds = kindsOf(w, machines, r);
    const names = shuffled(Array.from({ length: times }, () => Object.keys(this.kinds)).flat(), r);
    const room = (steps * faulty) / (names.length + 1);
    this.calmAt = Math.floor(steps * faulty);
    this.plan = names.map((name, n) => {
      const at = Math.floor((n + 0.2 + r() * 0.3) * room);
      return [at, at + Math.floor((0.2 + r() * 0.3) * room), name] as const;
    });
    w.network.frame = frameTroubles(r);
  }

  /** Begins and ends the troubles of a step. */
  async step(n: number): Promise<void> {
    if (n === this.calmAt) {
      await this.end();
      // Another connection finds lost personal events. Another process knows the last names of people:
      // one may show previous names for a minute.
      await this.w.server.kill();
      await this.w.server.resume();
      this.w.network.cut();
    }
    for (const [at, until, name] of this.plan) {
      if (until === n) await this.end();
      if (at !== n) continue;
      this.met.push(name);
      this.ending = await this.kinds[name]?.();
    }
  }

  /** Ends the current troubles. */
  async end(): Promise<void> {
    await this.ending?.();
    this.ending = undefined;
  }

  /** Ends everything. */
  async over(): Promise<void> {
    await this.end();
    this.w.network.heal();
  }
}

/** Loses, repeats and holds up some frames of changes. */
function frameTroubles(r: Random): (f: Frame) => FrameFate | Promise<FrameFate> {
  let n = 0;
  const kinds: (() => FrameFate | Promise<FrameFate>)[] = [() => "repeat", () => later(40, "pass" as const), () => later(300, "pass" as const), () => "drop"];
  return f => {
    if (!/changes|personal/.test(f.type ?? "") || ++n % frameEvery) return "pass";
    // Personal events have no numbers: only a new connection finds lost ones.
    return kinds[Math.floor(r() * (f.type === "changes" ? kinds.length : 1))]!();
  };
}

function kindsOf(w: Between, machines: Machines, r: Random): Record<string, Trouble> {
  const { network, server } = w;
  const nothing = () => undefined;
  const some = () => [...network.links].filter(() => r() < 0.6);
  const usual = () => network.frame;
  return {
    "connections cut": () => { network.cut(); return nothing; },
    "no network": () => { network.fail(true); return () => network.fail(false); },
    "stalled": () => {
      const gate = new Gate();
      const links = some();
      network.request = () => gate.passed;
      for (const l of links) l.stall(true);
      return () => {
        network.request = () => "pass";
        gate.open();
        for (const l of links) l.stall(false);
      };
    },
    "half open": () => {
      for (const l of some()) l.halve();
      return r() < 0.5 ? nothing : () => machines.look();
    },
    "half open, and requests hang": () => {
      const gate = new Gate();
      network.request = () => gate.passed;
      for (const l of network.links) l.halve();
      return () => {
        network.request = () => "pass";
        machines.look(); // what hangs stays there
      };
    },
    "no frames": () => {
      const before = usual();
      network.frame = f => f.type === "ack" ? "pass" : "drop";
      return () => { network.frame = before; };
    },
    "server killed": async () => {
      await server.kill();
      await machines.whileDown(30);
      await server.resume();
      return nothing;
    },
    "requests fail": () => {
      let n = 0;
      const fates = ["lose-request", "lose-answer", { status: 503 }, "pass", { status: 500 }, { status: 429, retryAfter: 1 }, "repeat"] as const;
      network.request = () => fates[n++ % fates.length]!;
      return () => { network.request = () => "pass"; };
    },
    "machines sleep": () => {
      for (const l of network.links) l.halve();
      machines.sleep(600_000 + r() * 3_600_000);
      return nothing;
    },
    "apps closed": () => machines.close(),
    "no sockets": () => {
      network.live = false;
      network.cut();
      return () => { network.live = true; };
    },
  };
}
