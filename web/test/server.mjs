// A real `chat serve` for browser tests: started, killed and started again on the same port and
// folder. CHAT_BIN names the built command, by default bin/chat. PAGE_FOLDER holds another page
// than the one that is built in.
import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { test } from "@playwright/test";

const repository = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const chat = resolve(process.env.CHAT_BIN ?? join(repository, "bin", "chat"));
const pageFlags = process.env.PAGE_FOLDER ? ["--page", process.env.PAGE_FOLDER] : [];

/** Longer than any start or import. It only ends hangs. */
const START_MS = 180_000;
/** The life of tokens for tests, longer than any of them. */
const TOKEN_LIFE = "1h";

/** An error of the server is explained by its last few lines. */
const LOG_CHARS = 2000;
/** Other programs can hold up the disk, and with it the store, for some seconds. */
const BUSY_MS = 60_000;
const RETRY_MS = 500;

const run = promisify(execFile);

/** Lines of the log about changes that the connections may never get: the machine was too slow. */
const LOST = /.*("(dropped|cut)":[1-9]|"msg":"consumers? (failed|abandoned)").*/;

/** Adds what a test needed to pass on a slow machine to its annotations. */
export function note(type, description) {
  test.info().annotations.push({ type, description });
}

/** A running server with a data folder of its own. */
export class Server {
  #process = null;
  #port = 0;
  #command;
  #logs = "";
  #tokens = new Map();
  /** Called with the line of the log when connections may have lost changes. */
  lost = () => {};

  constructor(data, command) {
    this.data = data;
    this.#command = command;
  }

  /** Starts a server on a new folder, after the given preparation of the folder. */
  static async start({ flags = [], prepare, command = ["serve", "--send-rate", "1000", ...flags] } = {}) {
    if (!existsSync(chat)) throw new Error(`${chat} does not exist: run make build`);
    const server = new Server(await mkdtemp(join(tmpdir(), "parley-browser-")), command);
    await prepare?.(server.data);
    await server.launch();
    return server;
  }

  get url() { return `http://127.0.0.1:${this.#port}`; }

  get logs() { return this.#logs; }

  /** Starts the process, on the same port as before if there was one. */
  async launch() {
    const args = [...this.#command, "--data", this.data, "--addr", `127.0.0.1:${this.#port}`, ...pageFlags];
    const child = spawn(chat, args, { cwd: repository, stdio: ["ignore", "pipe", "pipe"] });
    this.#process = child;
    child.stderr.on("data", text => {
      this.#logs += text;
      const [line] = LOST.exec(text) ?? [];
      if (line) this.lost(line);
    });
    this.#port = await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`chat serve is not ready:\n${this.#logs}`)), START_MS);
      let printed = "";
      child.stdout.on("data", text => {
        printed += text;
        const ready = /http:\/\/127\.0\.0\.1:(\d+)/.exec(printed);
        if (ready) { clearTimeout(timer); resolve(Number(ready[1])); }
      });
      child.once("exit", code => { clearTimeout(timer); reject(new Error(`chat serve exited with ${code}:\n${this.#logs}`)); });
    });
  }

  async #end(signal) {
    const child = this.#process;
    this.#process = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise(resolve => child.once("exit", resolve));
    child.kill(signal);
    await ended;
  }

  /** Kills the process as a power cut would. */
  kill() { return this.#end("SIGKILL"); }

  /** Ends the process in order, so that the folder can be copied. */
  stop() { return this.#end("SIGTERM"); }

  /** Ends the process and removes the folder. */
  async close() {
    await this.#end("SIGTERM");
    await rm(this.data, { recursive: true, force: true });
  }

  /** Copies the data folder of a stopped server, and returns a function that puts the copy back. */
  async backup() {
    const copy = await mkdtemp(join(tmpdir(), "parley-backup-"));
    await cp(this.data, copy, { recursive: true });
    return async () => {
      await rm(this.data, { recursive: true });
      await cp(copy, this.data, { recursive: true });
      await rm(copy, { recursive: true });
    };
  }

  /** Returns an access token of a user, signed by the key in the data folder. */
  async token(user) {
    if (!this.#tokens.has(user)) {
      const printed = await run(chat, ["token", "--data", this.data, "--url", this.url, "--as", user, "--life", TOKEN_LIFE]);
      this.#tokens.set(user, printed.stdout.trim());
    }
    return this.#tokens.get(user);
  }

  /** Erases a person, as a service does. */
  async erase(user) {
    const { stdout } = await run(chat, ["token", "--data", this.data, "--url", this.url, "--service", "--user", "registry"]);
    const answer = await fetch(`${this.url}/people/${user}`, { method: "DELETE", headers: { Authorization: `Bearer ${stdout.trim()}` } });
    if (!answer.ok) throw new Error(`DELETE /people/${user}: ${answer.status}`);
  }

  /** Suspends a user with the command while the server runs, or ends the suspension with "--end". */
  suspend(user, ...flags) {
    return run(chat, ["suspend", "--data", this.data, ...flags, user]);
  }

  /**
   * Sends a request for a user, again if the store could not answer: a request can be repeated. A retry
   * is an annotation of the test. It throws unless the answer is a success.
   */
  async api(user, method, path, body, headers = {}) {
    for (const end = Date.now() + BUSY_MS; ;) {
      const answer = await fetch(this.url + path, {
        method,
        headers: { Authorization: `Bearer ${await this.token(user)}`, "Content-Type": "application/json", ...headers },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      const text = await answer.text();
      if (answer.ok) return text ? JSON.parse(text) : null;
      if (answer.status === 503 && Date.now() < end) {
        note("retry", `${method} ${path}`);
        await new Promise(done => setTimeout(done, RETRY_MS));
        continue;
      }
      throw new Error(`${method} ${path} as ${user}: ${answer.status} ${text}${answer.status < 500 ? "" : `\n${this.#logs.slice(-LOG_CHARS)}`}`);
    }
  }

  /** Creates a public room and lets people join it. */
  async room(id, creator, members = [], settings = {}) {
    await this.api(creator, "PUT", `/rooms/${id}`, { name: id, systemMessages: false, ...settings });
    for (const user of members) await this.api(user, "PUT", `/rooms/${id}/members/me`, { role: "member" });
  }

  /** Posts a message and returns it. */
  post(user, room, text, more) {
    return this.api(user, "POST", `/rooms/${room}/messages`, { id: uuid7(Date.now()), text, ...more });
  }

  /** Marks a room as read that has fewer than 1000 messages, once all of them are in its feed. */
  async read(user, room) {
    const all = await this.messages(user, room);
    const others = all.filter(m => m.user !== user).length;
    const unread = async () => (await this.api(user, "GET", "/people/me/rooms")).items.find(r => r.id === room).unread;
    while (await unread() < others) await new Promise(done => setTimeout(done, RETRY_MS));
    await this.api(user, "PUT", `/rooms/${room}/read`, { message: all.at(-1).id });
  }

  /** Returns all messages of a room, oldest first. */
  async messages(user, room) {
    const all = [];
    for (let cursor = ""; ;) {
      const page = await this.api(user, "GET", `/rooms/${room}/messages?order=asc&limit=100${cursor}`);
      all.push(...page.items);
      if (!page.next) return all;
      cursor = `&cursor=${encodeURIComponent(page.next)}`;
    }
  }
}

/** Returns a UUIDv7 of a time. */
export function uuid7(ms) {
  const time = ms.toString(16).padStart(12, "0");
  const random = crypto.randomUUID();
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
}

/** Imports the Slack archive or the IRC logs of CHAT_DATA into a data folder. */
export async function importArchive(kind, data) {
  const folder = process.env.CHAT_DATA;
  if (!folder) throw new Error("CHAT_DATA does not name a folder with real archives");
  const args = kind === "slack"
    ? ["import", "slack", join(folder, "slack-houston"), "--data", data]
    : ["import", "irc", "--room", "ubuntu", ...await logs(join(folder, "irc-ubuntu")), "--data", data];
  await run(chat, args, { timeout: START_MS });
}

/** Imports the small export of a team that the tests of imports use, too. */
export async function importTeam(data) {
  await run(chat, ["import", "slack", join(repository, "internal/archive/slack/testdata/team"), "--data", data], { timeout: START_MS });
}

async function logs(folder) {
  return (await readdir(folder)).filter(name => /^\d.*\.txt$/.test(name)).sort().map(name => join(folder, name));
}

/**
 * Reports whether tests of real archives can run. Without CHAT_DATA they are skipped on a
 * developer's machine, and fail in CI.
 */
export function withoutArchives() {
  if (process.env.CHAT_DATA) return false;
  if (process.env.CI) throw new Error("CHAT_DATA must name the folder with real archives in CI");
  return "CHAT_DATA does not name a folder with real archives";
}
