// A follower in a terminal: chat tail, whose lines say what it shows.
import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import type { Change } from "../../src/feed.js";
import type { StoredMessage } from "../../src/index.js";
import type { World } from "./world.js";

const program = process.env["CHAT_BIN"] ?? "";
const repository = process.env["CHAT_REPOSITORY"] ?? "";
/** The last lines of its notes that a failure shows. */
const notesTail = 2_000;

/** What a message is to a program that reads the lines. */
type Line = (StoredMessage & { seq?: undefined }) | Change;

export class Tail {
  readonly messages = new Map<string, StoredMessage>();
  readonly roles = new Map<string, string | undefined>();
  readonly pins = new Map<string, boolean>();
  readonly faults: string[] = [];
  created = 0;
  notes = "";
  /** When the oldest message of its first page was received. */
  from: string | undefined;
  private last: number | undefined;

  private constructor(readonly name: string, readonly user: string, readonly room: string, private readonly child: ChildProcess) {
    createInterface({ input: child.stdout! }).on("line", text => this.line(JSON.parse(text) as Line));
    child.stderr!.on("data", (b: Buffer) => { this.notes = (this.notes + b.toString()).slice(-notesTail); });
  }

  /** Starts the program through the network. */
  static start(w: World, user: string, room: string): Tail {
    const child = spawn(program, ["tail", room, "--json", "--as", user, "--url", w.network.url, "--data", w.server.data],
      { cwd: repository, stdio: ["ignore", "pipe", "pipe"] });
    return new Tail(`chat tail of ${user}`, user, room, child);
  }

  get ended(): boolean {
    return this.child.exitCode !== null;
  }

  /** Reports whether it has a live connection. */
  get live(): boolean {
    return /live$/.test(this.notes.trim().split("\n").at(-1) ?? "");
  }

  private line(line: Line): void {
    if (line.seq === undefined) return this.listed(line);
    const { seq, type, id = "", message, member, pinned } = line;
    if (this.last !== undefined && seq !== this.last + 1) this.faults.push(`${this.name}: change ${seq} followed ${this.last}`);
    this.last = seq;
    if (type === "message.created" || type === "reply.created") this.created++;
    const known = this.messages.get(id);
    if (message && !(known && known.revision > message.revision)) this.messages.set(id, message);
    if (member) this.roles.set(member.user, member.role);
    if (type === "pins.changed") this.pins.set(id, !!pinned);
  }

  /** Handles a message of the page with which it starts. */
  private listed(m: StoredMessage): void {
    if (this.from === undefined || m.receivedAt < this.from || !this.messages.size) this.from = m.receivedAt;
    this.messages.set(m.id, m);
  }

  async stop(): Promise<void> {
    if (this.ended) return;
    const ended = new Promise(done => this.child.once("exit", done));
    this.child.kill("SIGTERM");
    await ended;
  }
}
