import type { Extras, NewPoll, Room, RoomInfo } from "@parley/client";
import type { TargetedEvent } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { accessOf } from "../access/access.js";
import { textOf } from "../files/files.js";
import { isThread, lastOwn } from "../message/find.js";
import { paste } from "../message/paste.js";
import { wordsOf } from "../message/quote.js";
import { useValue } from "../state/cell.js";
import { nameOf } from "../state/names.js";
import { filesOf, keepFiles } from "../state/drafts.js";
import { usePage } from "../state/page.js";
import { aid } from "../ui/aids.js";
import { grow, restOf, restWords } from "../ui/field.js";
import { Icon, IconButton } from "../ui/icons.js";
import { lazy } from "../ui/lazy.js";
import { hasMarkup } from "../ui/markup.js";
import { Opening } from "../ui/opening.js";
import type { Completion } from "./completion.js";
import { useDraft } from "./draft.js";
import type { Mentioned } from "./mentions.js";
import { slowFor } from "./slow-mode.js";
import { Typing } from "./typing.js";

const PollDialog = lazy(() => import("../polls/new-poll.js"), Opening);
const Completer = lazy(() => import("./completion.js"));
const Preview = lazy(() => import("./text-preview.js"));
const Outside = lazy(() => import("./outside.js"));
const Tray = lazy(() => import("./tray.js"));
const AsFile = lazy(() => import("./as-file.js"));
const InsertEmoji = lazy(() => import("./insert-emoji.js"), Opening);

/** What begins the name of a person or a room, or the code of an emoji. */
const marks = /(?:^|[\s(])(?:[@#]|:\w)/;
/** Names are looked up this long after the last key, in milliseconds. */
const typingPause = 120;
/** A message that may mention people waits no longer than this for them, in milliseconds. */
const longestLookup = 1000;

interface ComposerProps {
  readonly room: Room;
  /** The name of the recipient: `#general`, or `Bob` in a direct room. */
  readonly name: string;
  /** In a thread, the extras of each reply. */
  readonly reply?: Extras;
  /** Called after a message was sent. */
  onSent?(): void;
}

/** What the form shows about the text. */
interface Noted { readonly empty: boolean; readonly rest: string; readonly tooLong: boolean; readonly mentions: string; readonly unknown: string; readonly outside: readonly Mentioned[]; readonly preview: string }

const blank: Noted = { empty: true, rest: "", tooLong: false, mentions: "", unknown: "", outside: [], preview: "" };

/** The field for a new message of a room or a thread. */
export function Composer({ room, name, reply, onSent }: ComposerProps) {
  const page = usePage();
  const { me, quoting } = page;
  const { info, typing, people } = useValue(room);
  const field = useRef<HTMLTextAreaElement>(null);
  const [state, setState] = useState(blank);
  const { barred } = accessOf(info);
  const [creatingPoll, setCreatingPoll] = useState(false);
  const [choosingEmoji, setChoosingEmoji] = useState(false);
  const wait = useSlow(room, info);
  const draft = isThread(room) ? `${room.id} ${room.root}` : room.id;
  const completion = useRef<Completion>(undefined);
  const [completing, setCompleting] = useState(false);
  const lookup = useLookup(completion, () => note());
  const keep = useDraft(room, draft, field, () => {
    note();
    prepare(field.current?.value ?? "");
  });
  const files = filesOf(me.value, draft); // useDraft subscribes to them
  const tray = useRef(false);
  tray.current ||= files.length > 0;
  const quote = useValue(quoting);
  const quoted = quote?.room === room ? quote.message : undefined;
  const unquote = () => { if (quoting.value?.room === room) quoting.value = null; };
  useEffect(() => unquote, [room]);
  /** Gets what completes and reads the marks of a text. */
  const prepare = (text: string) => {
    if (!marks.test(text)) return;
    setCompleting(true);
    lookup.later(text);
  };
  /** Shows what changed with the text. It renders only if that differs. */
  const note = () => {
    const f = field.current;
    if (!f) return;
    grow(f);
    const text = f.value;
    const rest = restOf(text);
    const next: Noted = {
      ...blank, empty: text.trim() === "", rest: restWords(rest), tooLong: (rest?.characters ?? 0) < 0,
      preview: hasMarkup(text) ? text.trim() : "", ...completion.current?.words(text),
    };
    setState(s => (JSON.stringify(s) === JSON.stringify(next) ? s : next));
  };
  const after = () => {
    if (!reply) page.sent.value++;
    onSent?.();
  };
  const sendPoll = (question: string, poll: NewPoll) => {
    room.send(question, undefined, { ...reply, poll });
    after();
  };
  const attach = (input: HTMLInputElement) => {
    keepFiles(me.value, draft, [...filesOf(me.value, draft), ...[...input.files ?? []].map(blob => ({ blob, name: blob.name }))]);
    input.value = ""; // the same file may be chosen again
  };
  /** Sends a text and the files, and leaves in the field what was typed after it. */
  const post = (text: string, sure?: boolean) => {
    const f = field.current;
    const chosen = filesOf(me.value, draft);
    if (!f?.value.trim().startsWith(text) || !(text || chosen.length)) return; // it was changed while names were looked up
    if (!sure && completion.current?.asks(text, () => post(text, true))) return;
    const { text: linked, ...mentions } = completion.current?.take(text) ?? { text };
    room.send(linked, undefined, { ...reply, ...(quoted && { quote: quoted.id }), ...mentions, ...(chosen.length > 0 && { files: chosen }) });
    keepFiles(me.value, draft);
    unquote();
    f.value = f.value.trim().slice(text.length).trimStart();
    keep(f.value);
    note();
    after();
    f.focus();
  };
  const send = () => {
    lookup.end();
    const text = field.current?.value.trim() ?? "";
    if (!(text || files.length) || (restOf(text)?.characters ?? 0) < 0 || barred || wait) return;
    if (page.connection.value === "offline" || !lookup.needs(text)) post(text);
    else lookup.begin(text, () => post(text));
  };
  const keys = (e: TargetedEvent<HTMLTextAreaElement, KeyboardEvent>) => {
    if (e.isComposing || completion.current?.key(e) || aid(e)) return;
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
  const input = (e: TargetedEvent<HTMLTextAreaElement, InputEvent>) => {
    note();
    completion.current?.look(e.data);
    const text = field.current?.value ?? "";
    keep(text);
    prepare(text);
    if (text.trim()) room.typing();
  };
  return (
    <div class="foot">
      <div class="line small quiet">
        <div class="typing" dir="auto">{typing.length > 0 && <Typing typing={typing} people={people} />}</div>
        <span role="status">{barred}</span>
        {wait > 0 && !barred && <span>Slow mode: write again in {wait} s</span>}
        <span class="about cut" role="status" dir="auto">{state.unknown && <span class="alert">{state.unknown} <span class="more">Choose a name, or send it as text.</span></span>} {state.mentions}</span>
        <span class={state.tooLong ? "alert" : ""}>{state.rest}</span>
        {state.tooLong && <AsFile place={draft} field={field} />}
        {state.outside.length > 0 && <Outside room={room} people={state.outside} completion={completion} />}
        {state.preview && <Preview text={state.preview} />}
      </div>
      {quoted && (
        <div class="quoting small">
          <span class="quote cut" dir="auto"><bdi>{nameOf(page, people, quoted.user)}</bdi>: {wordsOf(textOf(quoted))}</span>
          <IconButton name="close" label="Do not quote" onClick={() => { unquote(); field.current?.focus(); }} />
        </div>
      )}
      {tray.current && <Tray place={draft} field={field} />}
      <form class="composer" onSubmit={e => { e.preventDefault(); send(); }}>
        <textarea
          ref={field} rows={1} dir="auto" aria-label={`Message ${name}`} placeholder={barred || `Message ${name}`} disabled={barred !== ""}
          enterkeyhint="send" onInput={input} onKeyDown={keys} onPaste={paste} aria-autocomplete="list"
        />
        {completing && <Completer room={room} draft={draft} field={field} handle={completion} onChange={() => { lookup.settle(); note(); }} />}
        <span class="icon"><Icon name="plus" /><input type="file" multiple aria-label="Add files" title="Add files" disabled={barred !== ""} onChange={e => attach(e.currentTarget)} /></span>
        <button type="button" class="icon" aria-label="Emoji" title="Emoji" disabled={barred !== ""} onClick={() => setChoosingEmoji(true)}><Icon name="smile" /></button>
        <button type="button" class="icon" aria-label="Create a poll" title="Create a poll" disabled={barred !== "" || wait > 0} onClick={() => setCreatingPoll(true)}><Icon name="poll" /></button>
        <button type="submit" class="send" aria-label="Send" title="Send" disabled={(state.empty && !files.length) || state.tooLong || barred !== "" || wait > 0}><Icon name="send" /></button>
      </form>
      {choosingEmoji && field.current && <InsertEmoji field={field.current} onClose={() => setChoosingEmoji(false)} />}
      {creatingPoll && <PollDialog onSend={sendPoll} onClose={() => setCreatingPoll(false)} />}
    </div>
  );
}

/** Returns the seconds until the person may write again in slow mode. */
function useSlow(room: Room, info: RoomInfo | undefined): number {
  const page = usePage();
  const [, tick] = useState(0);
  const now = page.now();
  const last = info?.slowModeSeconds ? room.value.messages.findLast(m => m.user === page.me.value && !m.system && m.status !== "failed") : undefined;
  const ms = last ? slowFor(info, Date.parse(last.receivedAt), now) : 0;
  useEffect(() => {
    if (ms <= 0) return;
    const timer = setTimeout(() => tick(n => n + 1), ms % 1000 || 1000);
    return () => clearTimeout(timer);
  });
  return Math.ceil(ms / 1000);
}

/** Looks up the names of a text: while it is typed, and once more before it is sent. */
function useLookup(completion: { readonly current: Completion | undefined }, found: () => void) {
  const held = useRef<(() => void) | undefined>(undefined);
  /** The texts whose names are looked up once the completion is loaded: before one is sent, and while one is typed. */
  const waits = useRef("");
  const typed = useRef("");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const end = () => held.current?.();
  useLayoutEffect(() => () => { end(); clearTimeout(timer.current); }, []);
  /** Reports whether a text has marks that are not read yet, or names that were not looked up. */
  const needs = (text: string) => marks.test(text) && (!completion.current || completion.current.missing(text).length > 0);
  const look = (text: string) => completion.current?.find(completion.current.missing(text));
  return {
    needs, end,
    /** Calls post once: when the names are found, after longestLookup, or when end is called. */
    begin: (text: string, post: () => void) => {
      const late = setTimeout(end, longestLookup);
      const once = held.current = () => {
        if (held.current !== once) return;
        held.current = undefined;
        clearTimeout(late);
        post();
      };
      waits.current = completion.current ? "" : text;
      void look(text)?.then(once);
    },
    /** Continues when the completion is loaded. */
    settle: () => {
      const [sent, shown] = [waits.current, typed.current];
      waits.current = typed.current = "";
      if (shown) void look(shown)?.then(found);
      if (sent) void look(sent)?.then(held.current);
    },
    later: (text: string) => {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        typed.current = completion.current ? "" : text;
        void look(text)?.then(found);
      }, typingPause);
    },
  };
}
