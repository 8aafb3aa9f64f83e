import type { Client } from "./client.js";
import type { RequestError } from "./errors.js";
import { UUID, encode, restamp, timeOf } from "./ids.js";
import { TIMEOUT, retryIn, serverTimeOf, statusOf } from "./http.js";
import { lookOut } from "./lookout.js";
import { Alarm } from "./pause.js";
import { database, forgetDatabase } from "./storage.js";
import type { Delivery } from "./queue.js";
import { scrubbed } from "./scrub.js";
import { viewsOf } from "./shown.js";
import type { Storage } from "./options.js";
import type { Unsent, UnsentFile } from "./types.js";
import type { Uploader } from "./uploader.js";

/** The server refuses older messages. */
const MAX_AGE = 86_400_000;
const TOO_OLD = "Not sent for a day.";
const CLOCK = "Not sent, or sent before: the clock of this device is wrong.";
/** An answer that takes longer shows that the connection may be dead. Most take 0.1 s. */
const LATE_AFTER = 1000;
/** The limit of the first try; the next ones may take twice as long each. The id makes a repetition safe. */
const FIRST_LIMIT = 3000;
/** The change of a stored message arrives within this time, or the connection has lost it. */
const CHANGE_TIME = 3000;
/** An upload waits 47 hours for its message. */
const UPLOAD_LIFE = 47 * 3_600_000;

/** Stores the messages of the queue, and sends each room's in order, until the server has them. */
export class Sender implements Delivery {
  readonly #storage: Storage | undefined;
  #pauses = new Map<string, Alarm>(); // before the next try, by room
  #uploader: Uploader | undefined;
  #loading: Promise<void> | undefined;
  readonly #over = new Set<string>(); // messages of this page that were sent or discarded
  #expected = new Set<string>(); // stored messages whose changes have not arrived

  constructor(private readonly chat: Client) {
    const { options, url, user } = chat;
    this.#storage = options.storage ?? (globalThis.indexedDB && database(`parley ${url} ${user}`));
    lookOut(chat);
    chat.on("change", ({ id = "" }) => this.#expected.delete(id));
  }

  async start(): Promise<void> {
    const { queue } = this.chat;
    const read = (await this.#storage?.all().catch(() => {})) ?? [];
    const before = read.filter(m => !this.#isOver(m));
    queue.list.value = [...before.filter(m => !queue.unsent(m.id)).sort((a, b) => a.at - b.at), ...queue.list.value];
    for (const m of queue.list.value) this.send(m);
    for (const room of new Set(before.map(m => m.room))) queue.show(room);
  }

  /** Reports whether a message was sent or discarded while the storage was read. */
  #isOver({ id, room }: Unsent): boolean {
    return this.#over.has(id)
      || viewsOf(this.chat, room).some(v => v?.value.messages.some(m => m.id === id && !m.status));
  }

  /** Stores and sends a message. If it cannot be stored, it waits only in memory. */
  send(m: Unsent): void {
    void this.#store(m);
    this.#upload();
    void this.#sendRoom(m.room);
  }

  /** Uploads the files that wait. Their module is loaded with the first; after a failure, wake tries again. */
  #upload(): void {
    if (this.#uploader) this.#uploader.run();
    else if (this.chat.queue.list.value.some(m => m.files)) {
      this.#loading ??= this.#loadUploader().catch(() => void (this.#loading = undefined));
    }
  }

  async #loadUploader(): Promise<void> {
    const { Uploader } = await import("./files.js");
    this.#uploader = new Uploader(this.chat, scrubbed); // this module has more room than the module of files
    this.#uploader.run();
  }

  swapped(id: string, by?: Unsent): void {
    if (by) this.send(by);
    else this.#upload();
    if (by?.id === id) return;
    this.#over.add(id);
    this.#storage?.delete(id).catch(() => {});
  }

  wake(): void {
    for (const pause of this.#pauses.values()) pause.ring();
    this.#uploader?.wake();
    this.#upload();
  }

  async forget(): Promise<void> {
    const { options, url, user } = this.chat;
    if (!options.storage) return forgetDatabase(`parley ${url} ${user}`);
    for (const { id } of (await this.#storage?.all()) ?? []) await this.#storage?.delete(id);
  }

  async #store(m: Unsent): Promise<void> {
    await this.#storage?.put(m).catch(() => {});
  }

  /** Sends the messages of a room, one after another. A message whose files are not stored yet lets others pass. */
  async #sendRoom(room: string): Promise<void> {
    const { queue } = this.chat;
    if (this.#pauses.has(room)) return;
    const pause = new Alarm();
    const wait = (ms: number) => new Promise<void>(resolve => pause.set(ms, resolve));
    this.#pauses.set(room, pause);
    for (let failures = 0; !queue.closed; ) {
      const leftOf = (m: Unsent) => m.at + MAX_AGE - Date.now();
      const m = queue.list.value.find(m =>
        m.room === room && !m.error && (!m.files?.some(f => !f.stored) || leftOf(m) <= 0));
      if (!m) break;
      const left = leftOf(m);
      if (left <= 0) queue.swap(m.id, { ...m, error: TOO_OLD });
      else if (!this.chat.reachable) await wait(left);
      else {
        const ms = await this.#try(m, ++failures);
        if (ms) await wait(ms);
        else failures = 0;
      }
    }
    this.#pauses.delete(room);
  }

  /** Tries to send a message. It returns the pause before another try, or 0 for no other try. */
  async #try(m: Unsent, failures: number): Promise<number> {
    const { queue, http } = this.chat;
    const { id, room, text, metadata, extras, files, tried } = m;
    // If the page ends now, the server may still store the message.
    const trying = { ...m, tried: true };
    queue.list.value = queue.list.value.map(other => (other === m ? trying : other));
    await this.#store(trying);
    const ending = new AbortController();
    const late = setTimeout(() => this.#check(room), LATE_AFTER);
    const limit = setTimeout(() => ending.abort(), Math.min(FIRST_LIMIT * 2 ** (failures - 1), TIMEOUT));
    try {
      const attached = files?.length && { attachments: files.map(f => f.id) };
      const body = { id, text, ...attached, ...(metadata && { metadata }), ...extras };
      const stored = await http.once("POST", `/rooms/${encode(room)}/messages`, body, undefined, ending.signal);
      for (const view of viewsOf(this.chat, room)) view?.stored(stored);
      if (queue.unsent(id)) {
        queue.remove(id);
        this.#expect(room, id);
      } else queue.show(room);
      return 0;
    } catch (e) {
      const status = statusOf(e);
      if (status && status < 500) this.#refused({ ...m, tried: !!tried }, e as RequestError);
      return status === 401 ? 1 : retryIn(e, failures);
    } finally {
      clearTimeout(late);
      clearTimeout(limit);
    }
  }

  /** Reads the changes of a room if the change of a stored message does not arrive. */
  #expect(room: string, id: string): void {
    this.#expected.add(id);
    setTimeout(() => {
      if (!this.#expected.delete(id) || !this.chat.live.followed.has(room)) return;
      this.#check(room);
      this.chat.opened.get(room)?.refresh().catch(() => {});
    }, CHANGE_TIME);
  }

  /** Compares an open room with the server, which shows whether the connection is alive. */
  #check(room: string): void {
    const open = this.chat.live.followed.get(room);
    this.chat.live.check(open && [open]);
  }

  /** Handles a refusal. This try has stored nothing, but an earlier one may have. */
  #refused(m: Unsent, e: RequestError): void {
    const { queue } = this.chat;
    const { status, problem, message } = e;
    const serverTime = serverTimeOf(e);
    if (status === 429 || status === 401) return queue.swap(m.id, m);
    if (status === 404) this.chat.rooms.reloadSoon(m.room); // nothing else reports that a room was deleted
    const wrong = problem?.errors
      ?.flatMap(({ location }) => /^attachments\[(\d+)/.exec(location)?.[1] ?? [])
      .map(Number);
    if (wrong?.length) return queue.swap(m.id, this.#uploadedAgain(m, wrong, message));
    if (!serverTime) return queue.swap(m.id, { ...m, error: message });
    if (m.tried || m.renewed) return queue.swap(m.id, { ...m, error: CLOCK });
    this.chat.setTime(serverTime);
    queue.swap(m.id, { ...m, id: restamp(m.id, Date.parse(serverTime)), renewed: true });
  }

  /**
   * Returns a message with some files that are uploaded again, under new ids: immediately if the
   * uploads have expired, and otherwise when the person retries.
   */
  #uploadedAgain(m: Unsent, wrong: readonly number[], error: string): Unsent {
    const again = ({ stored: _, ...f }: UnsentFile): UnsentFile => ({
      ...f,
      id: this.chat.newId().slice(0, UUID),
      sent: 0,
      ...(timeOf(f.id) + UPLOAD_LIFE > this.chat.now() && { error }),
    });
    return { ...m, files: m.files!.map((f, i) => (wrong.includes(i) ? again(f) : f)) };
  }
}
