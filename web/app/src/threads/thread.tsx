// The thread of a message: the message, its replies, and a composer.
import type { Message, Room, Thread } from "@parley/client";
import { thread } from "@parley/client/more";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { accessOf } from "../access/access.js";
import { useApi } from "../api/load.js";
import { Composer } from "../composer/composer.js";
import { useFingers } from "../message/fingers.js";
import { useValue } from "../state/cell.js";
import { nameOf } from "../state/names.js";
import { usePage } from "../state/page.js";
import { focusItem, keepStop, logKey } from "../timeline/keys.js";
import { groupPause } from "../timeline/rows.js";
import { Announcer, rowOf, type RowContext } from "../timeline/timeline.js";
import { litTime } from "../timeline/viewport.js";
import { focusComposer } from "../ui/focus.js";
import { Check, Plain } from "../ui/parts.js";

/** The newest reply is visible up to this distance from the end, in pixels. */
const nearEnd = 40;

/** The thread of a message. It shows a reply, if one is given, and otherwise the newest ones. */
export default function ThreadPane({ room, root, reply }: { room: Room; root: string; reply: string }) {
  const { chat } = usePage();
  const [t] = useState(() => chat.value && thread(chat.value, room.id, root));
  useEffect(() => {
    void t?.open();
    return () => t?.close();
  }, [t]);
  return t && <Pane thread={t} reply={reply} />;
}

function Pane({ thread: t, reply }: { thread: Thread; reply: string }) {
  const page = usePage();
  const { first, phase, people, messages } = useValue(t);
  const log = useRef<HTMLDivElement>(null);
  const [also, setAlso] = useState(false);
  const name = first ? nameOf(page, people, first.user) : "";
  useReading(t, log);
  const lit = useReply(t, reply, log);
  useFingers(t, log);
  useEffect(() => { if (log.current) keepStop(log.current); }, [messages]);
  if (phase === "gone" || phase === "failed") {
    return (
      <div class="p-state" role="alert">
        <p>
          {phase === "gone" ? "This thread does not exist, or you may not see it." : "The replies could not be loaded."}
        </p>
        {phase === "failed" && <Plain onClick={() => void t.latest()}>Try again</Plain>}
      </div>
    );
  }
  return (
    <>
      <div class="t-log" role="group" aria-label={`Thread of ${name}`} aria-busy={phase !== "ready"} ref={log}
        onKeyDown={e => { if (log.current) logKey(log.current, e, focusComposer); }}>
        <div>{first && phase === "ready" && <Replies thread={t} first={first} lit={lit} />}</div>
      </div>
      <Composer room={t} name="the thread" reply={also ? { showInRoom: true } : {}} onSent={() => {
        setAlso(false);
        if (log.current) log.current.scrollTop = 0; // its end: see .t-log
      }} />
      <Check
        label="Also in the room"
        checked={also}
        disabled={accessOf(t.value.info).barred !== ""}
        onValue={setAlso}
      />
    </>
  );
}

/** The message, the number of its replies, and the loaded replies. */
function Replies({ thread: t, first, lit }: { thread: Thread; first: Message; lit: string }) {
  const { messages, hasOlder, people, info, following } = useValue(t);
  const page = usePage();
  const { attempt } = useApi();
  const hidden = useValue(page.blocked);
  const edited = useValue(page.editing);
  const access = useMemo(() => accessOf(info), [info]);
  const context: RowContext = { room: t, people, access, lit, editing: edited?.inThread ? edited.id : "" };
  const row = (message: Message, before?: Message) => rowOf(page, {
    message, unread: false, blocked: !!message.blocked || hidden.has(message.user),
    first: !before
      || before.user !== message.user
      || Date.parse(message.receivedAt) - Date.parse(before.receivedAt) > groupPause,
  }, context);
  const count = Math.max(first.replies?.count ?? 0, messages.filter(m => !m.deletedAt).length);
  return (
    <>
      {row(first)}
      <div class="p-bar t-bar">
        <span class="small quiet">{count === 0 ? "No replies yet" : count === 1 ? "1 reply" : `${count} replies`}</span>
        <Plain onClick={() => attempt(() => t.setFollowing(!following))}>{following ? "Unfollow" : "Follow"}</Plain>
      </div>
      {hasOlder && (
        <Plain class="button plain p-wide" onClick={() => attempt(() => t.older())}>Show earlier replies</Plain>
      )}
      {messages.map((m, i) => row(m, messages[i - 1]))}
      <Announcer room={t} />
    </>
  );
}

/** Moves to a reply once, and loads earlier ones until it is there. Returns its id while it is lit. */
function useReply(t: Thread, reply: string, log: { readonly current: HTMLElement | null }): string {
  const { messages, hasOlder, phase } = useValue(t);
  const [sought, setSought] = useState(reply);
  const [lit, setLit] = useState("");
  useEffect(() => {
    if (!sought || phase !== "ready" || !log.current) return;
    const row = [...log.current.getElementsByTagName("article")].find(a => a.dataset.id === sought);
    if (!row && hasOlder) return void t.older().catch(() => setSought(""));
    setSought("");
    if (!row) return;
    focusItem(log.current, row);
    row.scrollIntoView({ block: "center" });
    setLit(sought);
  }, [messages, phase]);
  useEffect(() => {
    const timer = setTimeout(() => setLit(""), litTime);
    return () => clearTimeout(timer);
  }, [lit]);
  return lit;
}

/** Marks the thread as read while its newest reply is visible and the window has the focus. */
function useReading(t: Thread, log: { readonly current: HTMLElement | null }): void {
  const look = () => {
    const visible = document.visibilityState === "visible"
      && document.hasFocus()
      && log.current
      && log.current.scrollTop > -nearEnd;
    if (visible) t.markRead().catch(() => undefined); // the next look retries
  };
  useEffect(look);
  useEffect(() => {
    const at = log.current;
    addEventListener("focus", look);
    document.addEventListener("visibilitychange", look);
    at?.addEventListener("scroll", look, { passive: true });
    return () => {
      removeEventListener("focus", look);
      document.removeEventListener("visibilitychange", look);
      at?.removeEventListener("scroll", look);
    };
  }, [t]);
}
