import type { Notice, Notices } from "@parley/client";
import { useEffect, useState } from "preact/hooks";
import { hush } from "../people/hush.js";
import { statusOf } from "../people/status.js";
import { cell, useValue } from "../state/cell.js";
import { usePage } from "../state/page.js";
import { badge } from "./badge.js";
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
