import type { Notice, Notices } from "@parley/client";
import { useEffect, useState } from "preact/hooks";
import { hush, statusOf } from "../people/status.js";
import { cell, useValue } from "../state/cell.js";
import { usePage } from "../state/page.js";
import { follow } from "./desktop.js";
import { ask, permission, words } from "./permission.js";
import { useTotal } from "./total.js";

/** Where the browser remembers that the person was asked. */
const askedKey = "parley.asked";
const none = cell<readonly Notice[]>([]);

/**
 * Shows notifications and the number of unread messages outside the page. Inside the page, it only offers to turn
 * them on, with the first notification.
 */
export default function Notifications() {
  const page = usePage();
  const chat = useValue(page.chat);
  const { unread, mentioned } = useTotal();
  const [show] = useState(badge);
  const [notices, setNotices] = useState<Notices | null>(null);
  const [asked, setAsked] = useState(() => localStorage.getItem(askedKey) !== null);
  const told = useValue(notices ?? none);
  useEffect(() => show(unread, mentioned), [unread, mentioned]);
  useEffect(() => () => show(0, false), []);
  useEffect(() => {
    if (!chat) return undefined;
    const end = new AbortController();
    void chat.notices().then(n => {
      n.isBusy = () => statusOf(page, {}, page.me.value)?.emoji === hush;
      if (end.signal.aborted) return;
      setNotices(n);
      follow(page, chat, n, end.signal);
    }, () => undefined); // the code could not be loaded: the next session loads it
    return () => end.abort();
  }, [chat]);
  const answer = (turnOn: boolean) => {
    localStorage.setItem(askedKey, "1");
    setAsked(true);
    if (turnOn) void ask().then(p => page.toast(words[p]));
  };
  return (
    <div class="notice" role="status">
      {!asked && told.length > 0 && permission() === "default" && (
        <span>
          Hear of mentions and direct messages while you are in another window?
          <button type="button" onClick={() => answer(true)}>Turn on</button>
          <button type="button" onClick={() => answer(false)}>Not now</button>
        </span>
      )}
    </div>
  );
}

/** A larger number is not shown on the small icon of a tab. */
const most = 99;

/** Returns the page's icon with a number, red if a message mentions the person. */
function numbered(icon: string, count: number, mentioned: boolean): string {
  const text = count > most ? `${most}+` : `${count}`;
  const width = 8 + 7 * text.length;
  const shape =
    `<rect x="${32 - width}" width="${width}" height="17" rx="8" fill="${mentioned ? "#d1242f" : "#57606a"}"/>`;
  const font = `font-family="sans-serif" font-size="13" font-weight="bold"`;
  const label = `<text x="${32 - width / 2}" y="13" ${font} text-anchor="middle" fill="#fff">${text}</text>`;
  return icon.replace("</svg>", `${shape}${label}</svg>`);
}

/** Returns a function that shows the title's number on the icon of the tab and of the installed app. */
function badge(): (count: number, mentioned: boolean) => void {
  const link = document.querySelector("link[rel=icon]");
  const plain = link?.getAttribute("href") ?? "";
  const icons = new Map<string, string>(); // at most two for each number; the browser may load one late
  let icon: Promise<string> | undefined;
  let wanted = "";
  return (count, mentioned) => {
    void (count ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.())?.catch(() => undefined);
    const now = wanted = count ? `${Math.min(count, most + 1)} ${mentioned}` : "";
    if (!now) return link?.setAttribute("href", plain);
    icon ??= fetch(plain).then(answer => answer.text());
    void icon.then(text => {
      if (!icons.has(now)) {
        icons.set(now, URL.createObjectURL(new Blob([numbered(text, count, mentioned)], { type: "image/svg+xml" })));
      }
      if (wanted === now) link?.setAttribute("href", icons.get(now)!);
    }, () => { icon = undefined; });
  };
}
