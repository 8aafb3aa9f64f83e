import "@parley/client/more"; // stores messages, so it is loaded before the person can write one
import type { Extras, NewPoll, Room, RoomInfo } from "@parley/client";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { accessOf } from "../access/access.js";
import { isThread, lastOwn } from "../message/find.js";
import { wordsOf } from "../message/quote.js";
import { useValue } from "../state/cell.js";
import { nameOf } from "../state/names.js";
import { usePage } from "../state/page.js";
import { grow, restOf, restWords } from "../ui/field.js";
import { Icon, IconButton } from "../ui/icons.js";
import { lazy } from "../ui/lazy.js";
import { useCompletion } from "./completion.js";
import { draftOf, keepDraft } from "./drafts.js";
import { slowFor } from "./slow-mode.js";
import { Typing } from "./typing.js";

const PollDialog = lazy(() => import("../polls/new-poll.js"));

/** A draft is stored this long after the last key, and when the field or the page is left. */
const draftPause = 300;

interface ComposerProps {
  readonly room: Room;
  /** The name of the recipient: `#general`, or `Bob` in a direct room. */
  readonly name: string;
  /** In a thread, the extras of each reply. */
  readonly reply?: Extras;
  /** Called after a message was sent. */
  onSent?(): void;
}

/** The field for a new message of a room or a thread. */
export function Composer({ room, name, reply, onSent }: ComposerProps) {
  const page = usePage();
  const { me, quoting } = page;
  const { info, typing, people } = useValue(room);
  const field = useRef<HTMLTextAreaElement>(null);
  const [state, setState] = useState({ empty: true, rest: undefined as number | undefined });
  const { barred } = accessOf(info);
  const [creatingPoll, setCreatingPoll] = useState(false);
  const wait = useSlow(room, info);
  const tooLong = (state.rest ?? 0) < 0;
  const draft = isThread(room) ? `${room.id} ${room.root}` : room.id;
  const keep = useDraft(room, draft, field, () => note());
  const completion = useCompletion(room, draft, field, () => input());
  const quote = useValue(quoting);
  const quoted = quote?.room === room ? quote.message : undefined;
  const unquote = () => { if (quoting.value?.room === room) quoting.value = null; };
  useEffect(() => unquote, [room]);
  /** Updates the state of the form after a change of the text. It renders only if the state differs. */
  const note = () => {
    const f = field.current;
    if (!f) return;
    grow(f);
    const empty = f.value.trim() === "";
    const rest = restOf(f.value);
    setState(s => (s.empty === empty && s.rest === rest ? s : { empty, rest }));
  };
  const after = () => {
    if (!reply) page.sent.value++;
    onSent?.();
  };
  const sendPoll = (question: string, poll: NewPoll) => {
    room.send(question, undefined, { ...reply, poll });
    after();
  };
  const send = () => {
    const f = field.current;
    const text = f?.value.trim();
    if (!f || !text || (restOf(text) ?? 0) < 0 || barred || wait) return;
    room.send(text, undefined, { ...reply, ...(quoted && { quote: quoted.id }), ...completion.take(text) });
    unquote();
    f.value = "";
    keep("");
    note();
    after();
    f.focus();
  };
  const keys = (e: KeyboardEvent) => {
    if (e.isComposing || completion.key(e)) return;
    if (e.key === "Escape" && quoted) {
      e.preventDefault(); // this Escape only removes the quote; the next one closes the panel
      unquote();
    }
    if (e.key === "Enter" && !e.shiftKey) {
      e.preventDefault();
      send();
    } else if (e.key === "ArrowUp" && field.current?.value === "" && !barred) {
      const last = lastOwn(room.value.messages, me.value);
      if (!last) return;
      e.preventDefault();
      page.editing.value = { id: last.id, inThread: !!reply };
    }
  };
  const input = () => {
    note();
    completion.look();
    const text = field.current?.value ?? "";
    keep(text);
    if (text.trim()) room.typing();
  };
  return (
    <div class="foot">
      <div class="line small quiet">
        <div class="typing" dir="auto">{typing.length > 0 && <Typing typing={typing} people={people} />}</div>
        <span role="status">{barred}</span>
        {wait > 0 && !barred && <span>Slow mode: write again in {wait} s</span>}
        <span class={tooLong ? "alert" : ""}>{restWords(state.rest)}</span>
      </div>
      {quoted && (
        <div class="quoting small">
          <span class="quote cut" dir="auto"><bdi>{nameOf(page, people, quoted.user)}</bdi>: {wordsOf(quoted.text)}</span>
          <IconButton name="close" label="Do not quote" onClick={() => { unquote(); field.current?.focus(); }} />
        </div>
      )}
      <form class="composer" onSubmit={e => { e.preventDefault(); send(); }}>
        <textarea
          ref={field} rows={1} dir="auto" aria-label={`Message ${name}`} placeholder={barred || `Message ${name}`} disabled={barred !== ""}
          enterkeyhint="send" onInput={input} onKeyDown={keys} {...completion.attributes}
        />
        {completion.list}
        <button type="button" class="icon" aria-label="Create a poll" title="Create a poll" disabled={barred !== "" || wait > 0} onClick={() => setCreatingPoll(true)}><Icon name="poll" /></button>
        <button type="submit" class="send" aria-label="Send" title="Send" disabled={state.empty || tooLong || barred !== "" || wait > 0}><Icon name="send" /></button>
      </form>
      {creatingPoll && <PollDialog onSend={sendPoll} onClose={() => setCreatingPoll(false)} />}
    </div>
  );
}

/** Shows the draft of the room or the thread, and returns a function that stores it. */
function useDraft(room: Room, draft: string, field: { readonly current: HTMLTextAreaElement | null }, shown: () => void): (text: string) => void {
  const { me, route } = usePage();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const store = () => {
    clearTimeout(timer.current);
    if (field.current) keepDraft(me.value, draft, field.current.value);
  };
  useLayoutEffect(() => {
    const f = field.current;
    if (!f) return;
    f.value = draftOf(me.value, draft);
    shown();
    // A link to a message moves the focus there, and a panel or a dialog keeps it. An on-screen keyboard
    // would cover the room.
    const free = isThread(room) || !(route.value.message || document.activeElement?.closest(".panel, dialog"));
    if (free && matchMedia("(pointer: fine)").matches) f.focus();
    addEventListener("pagehide", store);
    f.addEventListener("blur", store);
    return () => {
      removeEventListener("pagehide", store);
      f.removeEventListener("blur", store);
      clearTimeout(timer.current);
      keepDraft(me.value, draft, f.value);
    };
  }, [room]);
  return () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(store, draftPause);
  };
}

/** Returns the seconds until the person may write again in slow mode. */
function useSlow(room: Room, info: RoomInfo | undefined): number {
  const page = usePage();
  const [, tick] = useState(0);
  const now = page.now();
  const last = info?.slowModeSeconds ? room.value.messages.findLast(m => m.user === page.me.value && m.status !== "failed") : undefined;
  const ms = last ? slowFor(info, Date.parse(last.receivedAt), now) : 0;
  useEffect(() => {
    if (ms <= 0) return;
    const timer = setTimeout(() => tick(n => n + 1), ms % 1000 || 1000);
    return () => clearTimeout(timer);
  });
  return Math.ceil(ms / 1000);
}
