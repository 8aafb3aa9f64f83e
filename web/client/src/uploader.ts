import type { Acts } from "./acts.js";
import type { Client } from "./client.js";
import { retryIn, serverTimeOf, statusOf } from "./http.js";
import { UUID, encode, timeOf } from "./ids.js";
import { Alarm } from "./pause.js";
import { prepare, type Scrub, sentOf } from "./prepare.js";
import { put } from "./put.js";
import type { Schemas, Unsent, UnsentFile } from "./types.js";

/** The most files that are uploaded concurrently. One more is being prepared. */
const CONCURRENT = 3;
/** A file fails after this many refusals by the storage. The first may be due to an expired link. */
const REFUSALS = 3;
/** The pause between two reports of progress. */
const REPORT_EVERY = 100;
/** The longest pause, which a connection ends. */
const LONG = 86_400_000;

type Upload = Schemas["Upload"];

/** Returns the unsent message of a file. */
const messageOf = (acts: Acts, file: string): Unsent | undefined =>
  acts.messages.find(m => m.files?.some(f => f.id === file));

/** Does work that only one window of the device does at a time. */
const alone = async (name: string, work: () => Promise<void>): Promise<void> =>
  globalThis.navigator?.locks ? navigator.locks.request(`parley file ${name}`, work) : work();

/** The work at one file: its preparation, or else its upload. */
class Job {
  readonly ending = new AbortController();
  readonly pause = new Alarm();

  constructor(readonly uploads: boolean) {}

  end(): void {
    this.ending.abort();
    this.pause.ring();
  }

  wait(ms: number): Promise<void> {
    return new Promise(resolve => this.pause.set(ms, resolve));
  }
}

/**
 * Uploads the files of unsent messages. Each step may be repeated: a file keeps its id, so the server
 * answers a second announcement as the first, and the storage takes the bytes once.
 */
export class Uploader {
  #jobs = new Map<string, Job>(); // by file id

  constructor(private readonly chat: Client, private readonly scrub: Scrub) {}

  /** Begins with files that wait, and ends uploads of files that were removed. */
  run(): void {
    const { acts } = this.chat;
    const messages = acts.closed ? [] : acts.messages.filter(m => !m.error);
    const waiting = messages.flatMap(({ room, files = [] }) => files.map(file => ({ room, file })))
      .filter(({ file }) => !file.stored && !file.error);
    for (const [id, job] of this.#jobs) if (!waiting.some(({ file }) => file.id === id)) job.end();
    for (const { room, file } of waiting) {
      if (!this.#jobs.has(file.id) && this.#isFree(!!file.sha256)) void this.#work(room, file);
    }
  }

  /** Continues uploads that wait for a retry. */
  wake(): void {
    for (const job of this.#jobs.values()) job.pause.ring();
  }

  /** Reports whether an upload may begin, or a preparation. */
  #isFree(uploads: boolean): boolean {
    return [...this.#jobs.values()].filter(job => job.uploads === uploads).length < (uploads ? CONCURRENT : 1);
  }

  async #work(room: string, file: UnsentFile): Promise<void> {
    const job = new Job(!!file.sha256);
    this.#jobs.set(file.id, job);
    await alone(file.id, () => this.#step(room, file, job));
    this.#jobs.delete(file.id);
    this.run();
  }

  /** Prepares or uploads a file, unless another window of this device has done so meanwhile. */
  async #step(room: string, file: UnsentFile, job: Job): Promise<void> {
    const now = messageOf(this.chat.acts, file.id)?.files?.find(f => f.id === file.id);
    if (!now || now.stored || !!now.sha256 !== job.uploads) return;
    let patch: Partial<UnsentFile>;
    try {
      if (file.blob.size !== file.bytes) throw new Error("This file is no longer on this device.");
      patch = job.uploads ? await this.#upload(room, file, job) : await prepare(file, this.scrub);
    } catch (e) {
      patch = { sent: 0, error: (e as Error).message };
    }
    if (!job.ending.signal.aborted) this.#patch(file.id, patch, true);
  }

  /** Changes a file of an unsent message. If stores is false, the change is only shown. */
  #patch(id: string, patch: Partial<UnsentFile>, stores: boolean): void {
    const { acts } = this.chat;
    const m = messageOf(acts, id);
    if (m) acts.put(m.id, { ...m, files: m.files!.map(f => (f.id === id ? { ...f, ...patch } : f)) }, !stores);
  }

  /** Uploads a file, with retries. It returns the file's new facts, or throws the reason of a refusal. */
  async #upload(room: string, file: UnsentFile, job: Job): Promise<Partial<UnsentFile>> {
    let announced: Upload | undefined;
    for (let failures = 1, refusals = 1; ; failures++) {
      while (!this.chat.reachable && !job.ending.signal.aborted) await job.wait(LONG);
      if (job.ending.signal.aborted) return {};
      try {
        if (!announced || Date.parse(announced.expiresAt) < this.chat.now()) {
          announced = await this.#announce(room, file);
        }
        const refused = await this.#send(file, announced, job);
        if (!refused) return { stored: true, sent: file.bytes };
        if (refusals++ === REFUSALS) throw new Error(`The file could not be stored (${refused}).`);
        announced = undefined; // the link may have expired
      } catch (e) {
        const renewed = this.#renewed(file, e);
        if (renewed) return renewed;
        const pause = e instanceof Error && "status" in e ? retryIn(e, failures) : 0;
        if (!pause) throw e;
        await job.wait(pause);
      }
    }
  }

  #announce(
    room: string,
    { id, name, type, bytes, sha256 = "", width, height, placeholder, alt, preview: small }: UnsentFile,
  ): Promise<Upload> {
    const preview = small && { type: small.blob.type, bytes: small.blob.size, sha256: small.sha256 };
    const details = {
      ...(width && height && { width, height }),
      ...(placeholder && { placeholder }),
      ...(alt && { alt }),
      ...(preview && { preview }),
    };
    return this.chat.http.once("POST", `/rooms/${encode(room)}/uploads`, { id, name, type, bytes, sha256, ...details });
  }

  /** Sends preview and file. It returns the status of a refusal, or 0. It throws if it should be repeated. */
  async #send(file: UnsentFile, to: Upload, { ending: { signal } }: Job): Promise<number> {
    const { id, preview } = file;
    let reported = 0;
    const report = (sent: number) => {
      if (Date.now() - reported < REPORT_EVERY || signal.aborted) return;
      reported = Date.now();
      this.#patch(id, { sent }, false);
    };
    const refused = preview && to.preview && (await put(this.chat, to.preview, preview.blob, signal));
    return refused || put(this.chat, to.put, await sentOf(file, this.scrub), signal, report);
  }

  /** Returns a new id if the server refused the old one because this device's clock was ahead. */
  #renewed(file: UnsentFile, e: unknown): Partial<UnsentFile> | undefined {
    if (statusOf(e) === 404) this.chat.rooms.reloadSoon(); // nothing else reports that a room was deleted
    const serverTime = serverTimeOf(e);
    if (!serverTime || timeOf(file.id) <= Date.parse(serverTime)) return undefined;
    this.chat.setTime(serverTime);
    return { id: this.chat.newId().slice(0, UUID) };
  }
}
