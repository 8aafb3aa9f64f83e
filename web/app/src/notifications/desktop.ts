// Notifications by the browser, while a page of the person is open and none is looked at: one a
// message and browser. One of the tabs shows them, and removes them when their messages are read
// anywhere.
import type { Chat, Notice, Notices } from "@parley/client";
import { openMessage } from "../search/open.js";
import { nameOf, roomName } from "../state/names.js";
import type { Page } from "../state/page.js";
import { href } from "../state/route.js";
import { permission } from "./permission.js";
import { chosenSound, play } from "./sound.js";

/** The lock of tabs that somebody looks at. A tab that ends gives it back. */
const looking = "parley looked at";
/** The most ids of shown notifications that are remembered: older messages do not notify again. */
const remembered = 500;
/** A name that is not known is waited for so long, in milliseconds. */
const patience = 1_000;
/** The most characters of a text that a notification shows. */
const longest = 200;

/** What a notification belongs to. */
interface About {
  readonly user: string;
  readonly notice: Pick<Notice, "room" | "id" | "seq">;
  readonly thread?: string;
  readonly path: string;
}

// undefined without a secure origin
const worker = (navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker;

/** Holds the lock while somebody looks at this tab. */
function followLooks(signal: AbortSignal): void {
  let release: (() => void) | undefined;
  const check = () => {
    const looked = !signal.aborted && document.visibilityState === "visible" && document.hasFocus();
    if (looked === !!release) return;
    release?.();
    release = undefined;
    if (!looked) return;
    const until = new Promise<void>(done => { release = done; });
    void navigator.locks.request(looking, { mode: "shared" }, () => until);
  };
  for (const event of ["focus", "blur"]) addEventListener(event, check, { signal });
  document.addEventListener("visibilitychange", check, { signal });
  signal.addEventListener("abort", check);
  check();
}

const isLookedAt = async (): Promise<boolean> =>
  !!(await navigator.locks.query()).held?.some(lock => lock.name === looking);

/** Shows notifications of a person until the signal. Of several tabs of the browser, one shows them. */
export function follow(page: Page, chat: Chat, notices: Notices, signal: AbortSignal): void {
  const user = page.me.value;
  followLooks(signal);
  worker?.addEventListener("message", e => {
    const notice = (e.data as { notice?: About } | undefined)?.notice;
    if (notice?.user === user) openMessage(page, { ...notice.notice, ...(notice.thread && { thread: notice.thread }) });
  }, { signal });
  void navigator.locks.request(`parley notices ${user}`, { signal }, () => new Promise<void>(done => {
    const desk = new Desk(page, chat, notices, user);
    const ends = [notices.subscribe(desk.update), chat.rooms.subscribe(desk.update)];
    desk.update();
    signal.addEventListener("abort", () => {
      for (const end of ends) end();
      void desk.clear().finally(done);
    });
  })).catch(() => undefined); // the session ended while another tab showed them
}

/** Shows a notification that belongs to no message. */
export async function test(page: Page): Promise<void> {
  await show("This is a test", { body: "So a notification looks and sounds.", tag: "parley test" });
  page.toast("A notification was sent. If you see none, your system may be holding it back.");
}

async function show(title: string, options: NotificationOptions): Promise<void> {
  const sound = chosenSound();
  const all = { icon: "/icon.png", silent: sound !== "", ...options };
  const registration = await worker?.getRegistration();
  if (registration?.active) await registration.showNotification(title, all);
  else new Notification(title, all); // which a click only closes
  play(sound);
}

class Desk {
  #work: Promise<void> = Promise.resolve();
  #seen = new Set<string>(); // the notices that there were
  readonly #key: string;

  constructor(
    private readonly page: Page,
    private readonly chat: Chat,
    private readonly notices: Notices,
    private readonly user: string,
  ) {
    this.#key = `parley.told ${user}`;
  }

  readonly update = (): void => { this.#work = this.#work.then(() => this.#update()).catch(() => undefined); };

  /**
   * Shows new notifications unless the page is in view, and removes notifications of read messages. Another tab may
   * then take over: the browser remembers the shown ids.
   */
  async #update(): Promise<void> {
    const told = JSON.parse(localStorage.getItem(this.#key) ?? "[]") as string[];
    const fresh = this.notices.value.filter(n => !told.includes(n.id));
    if (fresh.length) {
      const shows = permission() === "granted" && !(await isLookedAt());
      for (const n of shows ? fresh : []) await this.#tell(n);
      localStorage.setItem(this.#key, JSON.stringify([...told, ...fresh.map(n => n.id)].slice(-remembered)));
    }
    for (const { id } of this.notices.value) this.#seen.add(id);
    await this.#remove(({ notice: { id, room, seq } }) => {
      if (this.notices.value.some(n => n.id === id)) return false;
      // of an earlier page
      return this.#seen.has(id) || (this.chat.rooms.value.find(r => r.id === room)?.read ?? 0) >= seq;
    });
  }

  async #tell({ room, id, seq, message: m, kind }: Notice): Promise<void> {
    const { page, chat, notices } = this;
    const form = shownForm(page, notices.settings.value?.show);
    const entry = chat.rooms.value.find(r => r.id === room);
    chat.people.need(m.user);
    for (let waited = 0; !Object.hasOwn(chat.people.value, m.user) && waited < patience; waited += 100) {
      await new Promise(done => setTimeout(done, 100));
    }
    const sender = nameOf(page, chat.people.value, m.user);
    const where = kind === "direct" && entry?.direct?.length === 2
      ? ""
      : ` in ${entry ? roomName(page, entry) : page.elsewhere.value.find(e => e.id === room)?.name ?? room}`;
    const isListed = !m.thread || m.showInRoom;
    const about: About = {
      user: this.user,
      notice: { room, id, seq },
      ...(!isListed && m.thread && { thread: m.thread }),
      path: `/${href(room, isListed ? id : m.thread)}`,
    };
    const text = m.text || (m.attachments ?? []).map(a => a.name).join(", ");
    await show(form === "none" ? "New message" : `${sender}${where}`, {
      body: form === "text" ? [...text].slice(0, longest).join("") : "", tag: id, data: about,
    });
  }

  /** Removes the shown notifications of the person for which is holds. */
  async #remove(is: (about: About) => boolean): Promise<void> {
    const registration = await worker?.getRegistration();
    for (const shown of await registration?.getNotifications() ?? []) {
      const about = shown.data as About | null;
      if (about?.user === this.user && is(about)) shown.close();
    }
  }

  /** Removes all notifications of a person who has signed out. */
  async clear(): Promise<void> {
    if (this.page.phase.value !== "in") await this.#remove(() => true);
  }
}

/** Returns what notifications show: what the person chose, or less if the deployment says so. */
export function shownForm(page: Page, chosen?: string): "text" | "sender" | "none" {
  const forms = ["text", "sender", "none"] as const;
  const at = (form: string | undefined) => Math.max(0, forms.findIndex(f => f === form));
  return forms[Math.max(at(chosen), at(page.config.value?.notificationsShow))]!;
}
