// A real `chat serve` with a data folder of its own, which can be killed and started again.
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { copyFile, cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { until } from "./until.js";

const run = promisify(execFile);
/** Keeps the server from dropping frames when it is slow: a client reads them minutes later. */
const steady = ["--delivery-time", "1m"];
/** The last lines of the log that a failure shows. */
const logTail = 4_000;

/** The program under test, built by run.mjs, and the folder with the node_modules of its engine. */
const program = process.env["CHAT_BIN"] ?? "";
const repository = process.env["CHAT_REPOSITORY"] ?? "";
/** The key of all servers of a run: its tokens are valid at each, and are made once. */
const key = process.env["CHAT_KEY"] ?? "";
const tokens = new Map<string, Promise<string>>();

export class Server {
  private process: ChildProcess | undefined;
  private log = "";
  private port = 0; // any, until the first start
  private constructor(readonly folder: string, private readonly flags: string[]) {}

  /** Starts a server on a free port. Tests send faster than people, so the rate is high. */
  static async start(...flags: string[]): Promise<Server> {
    if (!program) throw new Error("CHAT_BIN is not set: start the suite by run.mjs");
    const s = new Server(await mkdtemp(join(tmpdir(), "parley-suite-")), ["--send-rate", "1000", ...steady, ...flags]);
    await mkdir(s.data, { mode: 0o700 });
    await copyFile(key, join(s.data, basename(key)));
    await s.resume();
    return s;
  }

  get data(): string {
    return join(this.folder, "data");
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts the server again, on the same port and data. */
  async resume(): Promise<void> {
    // While the server was down, a connection of another program may have got its port for a while.
    await until("the server starts", () => this.begin());
  }

  /** Starts the process, and reports whether it had its port. */
  private async begin(): Promise<boolean> {
    const child = spawn(program, ["serve", "--data", this.data, "--addr", `127.0.0.1:${this.port}`, "--log-level", "warn", ...this.flags],
      { cwd: repository, stdio: ["ignore", "pipe", "pipe"] });
    this.process = child;
    this.log = "";
    const keep = (text: Buffer) => { this.log = (this.log + text.toString()).slice(-logTail); };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    const ended = () => child.exitCode !== null || child.signalCode !== null;
    const ready = () => /ready http:\/\/127\.0\.0\.1:(\d+)\n/.exec(this.log)?.[1];
    await until("the server is ready", () => ended() || ready());
    this.port = Number(ready() ?? this.port);
    if (ready()) return true;
    if (!this.log.includes("address already in use")) throw new Error(`chat serve ended:\n${this.log}`);
    return false;
  }

  /** Kills the server, without closing its connections. */
  async kill(): Promise<void> {
    await this.end("SIGKILL");
  }

  /** Stops the server and removes its data. */
  async remove(): Promise<void> {
    await this.end("SIGTERM");
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Keeps a copy of the data of a server that is stopped. */
  async backUp(): Promise<void> {
    await cp(this.data, join(this.folder, "backup"), { recursive: true });
  }

  /** Puts the copy in the place of the data of a server that is stopped. */
  async restore(): Promise<void> {
    await rm(this.data, { recursive: true });
    await cp(join(this.folder, "backup"), this.data, { recursive: true });
  }

  /** Returns an access token that is valid for an hour. */
  token(user: string): Promise<string> {
    const known = tokens.get(user) ?? this.freshToken(user, "1h");
    tokens.set(user, known);
    return known;
  }

  /** Returns an access token of an app, which is valid for an hour. */
  service(): Promise<string> {
    const known = tokens.get("") ?? this.freshToken("app", "1h", "--service");
    tokens.set("", known);
    return known;
  }

  /** Returns a new access token of `chat token`. */
  async freshToken(user: string, life: string, ...flags: string[]): Promise<string> {
    const { stdout } = await run(program, ["token", "--data", dirname(key), "--as", user, "--life", life, ...flags]);
    return stdout.trim();
  }

  /** Stops the server in the given way, and waits for its end. */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const child = this.process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise(done => child.once("exit", done));
    child.kill(signal);
    await ended;
  }
}
