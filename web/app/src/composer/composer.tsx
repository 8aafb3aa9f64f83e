import type { Extras, Message, NewPoll, Room } from "@parley/client";
import type { ComponentChildren, TargetedEvent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { accessOf } from "../access/access.js";
import { textOf } from "../files/files.js";
import { isThread, lastOwn } from "../message/find.js";
import { paste } from "../message/paste.js";
import { wordsOf } from "../message/quote.js";
import { useValue } from "../state/cell.js";
import { nameOf } from "../state/names.js";
import { filesOf, keepFiles } from "../state/drafts.js";
import { type Page, usePage } from "../state/page.js";
import { aid, enterSends, sends } from "../ui/aids.js";
import { grow, restOf, restWords } from "../ui/field.js";
import { IconButton } from "../ui/icons.js";
import { lazy, Opening } from "../ui/lazy.js";
import { hasMarkup } from "../ui/markup.js";
import { Toast } from "../ui/toast.js";
import { Bar, type Opened } from "./bar.js";
import type { Completion } from "./completion.js";
import { useDraft } from "./draft.js";
import { marks, useLookup } from "./lookup.js";
import type { Mentioned } from "./mentions.js";
import { useSlow } from "./slow-mode.js";
import { Typing } from "./typing.js";

const PollDialog = lazy(() => import("../polls/new-poll.js"), Opening);
const Completer = lazy(() => import("./completion.js"));
const Preview = lazy(() => import("./text-preview.js"));
const Outside = lazy(() => import("./outside.js"));
const Tray = lazy(() => import("./tray.js"));
const AsFile = lazy(() => import("./as-file.js"));
const InsertEmoji = lazy(() => import("./insert-emoji.js"), Opening);

interface ComposerProps {
  readonly room: Room;
  /** The name of the recipient: `#general`, or `Bob` in a direct room. */
  readonly name: string;
  /** In a thread, the extras of each reply. */
  readonly reply?: Extras;
  /** Called after a message was sent. */
  onSent?(): void;
}

interface Field { readonly current: HTMLTextAreaElement | null }

/** What the form shows about the text. */
interface Noted {
  readonly empty: boolean;
  readonly rest: string;
  readonly tooLong: boolean;
  readonly mentions: string;
  readonly unknown: string;
  readonly outside: readonly Mentioned[];
  readonly preview: string;
}

const blank: Noted = { empty: true, rest: "", tooLong: false, mentions: "", unknown: "", outside: [], preview: "" };

/** The field for a new message of a room or a thread, in two rows. */
export function Composer({ room, name, reply, onSent }: ComposerProps) {
  const page = usePage();
  const field = useRef<HTMLTextAreaElement>(null);
  const { barred } = accessOf(useValue(room).info);
  const wait = useSlow(room);
  const draft = isThread(room) ? `${room.id} ${room.root}` : room.id;
  const text = useText(room, draft, field);
  const files = filesOf(page.me.value, draft); // useText subscribes to them
  const tray = useRef(false);
  tray.current ||= files.length > 0;
  const { quoted, unquote } = useQuote(room);
  const [opened, open] = useState<Opened | null>(null);
  const after = () => {
    if (!reply) page.sent.value++;
    onSent?.();
  };
  const posting = { room, reply, field, draft, text, quoted, unquote, after };
  const send = sending(page, posting, barred !== "" || wait > 0);
  const sendPoll = (question: string, poll: NewPoll) => {
    room.send(question, undefined, { ...reply, poll });
    after();
  };
  const { noted } = text;
  return (
    <div class="foot">
      <Line room={room} noted={noted} barred={barred} wait={wait} completion={text.completion}>
        {noted.tooLong && <AsFile place={draft} field={field} />}
      </Line>
      {noted.preview && <Preview text={noted.preview} />}
      {quoted && <Quoted room={room} message={quoted} onRemove={() => { unquote(); field.current?.focus(); }} />}
      {tray.current && <Tray place={draft} field={field} />}
      <form class="composer" onSubmit={e => { e.preventDefault(); send(); }}>
        <Input
          room={room}
          name={name}
          draft={draft}
          field={field}
          barred={barred}
          text={text}
          onKeyDown={keysOf(page, posting, barred, send)}
        />
        <Bar
          field={field}
          barred={barred !== ""}
          waits={wait > 0}
          ready={(!noted.empty || files.length > 0) && !noted.tooLong}
          onFiles={chosen => attach(page, draft, chosen)}
          onOpen={open}
        />
      </form>
      {/* It stands in the line; Shift+Tab leads past its button to the messages. */}
      <Toast place={isThread(room) ? "thread" : "room"} />
      {opened === "emoji" && field.current && <InsertEmoji field={field.current} onClose={() => open(null)} />}
      {opened === "poll" && <PollDialog onSend={sendPoll} onClose={() => open(null)} />}
    </div>
  );
}

interface Posting extends Pick<ComposerProps, "room">, ReturnType<typeof useQuote> {
  readonly reply: ComposerProps["reply"] | undefined;
  readonly field: Field;
  readonly draft: string;
  readonly text: Typed;
  after(): void;
}

/** Returns what sends the text and the files, unless the person is barred, and leaves in the field what is typed after. */
function sending(
  page: Page, { room, reply, field, draft, text, quoted, unquote, after }: Posting, barred: boolean,
): () => void {
  const post = (words: string, sure?: boolean) => {
    const f = field.current;
    const chosen = filesOf(page.me.value, draft);
    // it was changed while names were looked up
    if (!f?.value.trim().startsWith(words) || !(words || chosen.length)) return;
    if (!sure && text.completion.current?.asks(words, () => post(words, true))) return;
    const { text: linked, ...mentions } = text.completion.current?.take(words) ?? { text: words };
    room.send(linked, undefined, {
      ...reply, ...(quoted && { quote: quoted.id }), ...mentions, ...(chosen.length > 0 && { files: chosen }),
    });
    keepFiles(page.me.value, draft);
    unquote();
    f.value = f.value.trim().slice(words.length).trimStart();
    text.keep(f.value);
    text.note();
    after();
    f.focus();
  };
  return () => {
    text.lookup.end();
    const words = field.current?.value.trim() ?? "";
    if (!(words || filesOf(page.me.value, draft).length) || (restOf(words)?.characters ?? 0) < 0 || barred) return;
    if (page.connection.value === "offline" || !text.lookup.needs(words)) post(words);
    else text.lookup.begin(words, () => post(words));
  };
}

/** Returns what the keys of the field do. */
function keysOf(page: Page, { room, reply, field, text, quoted, unquote }: Posting, barred: string, send: () => void) {
  const edit = () => {
    const last = lastOwn(room.value.messages, page.me.value);
    if (last) page.editing.value = { id: last.id, inThread: !!reply };
    return !!last;
  };
  return (e: TargetedEvent<HTMLTextAreaElement, KeyboardEvent>) => {
    if (e.isComposing || text.completion.current?.key(e) || aid(e)) return;
    if (e.key === "Escape" && quoted) {
      e.preventDefault(); // this Escape only removes the quote; the next one closes the panel
      unquote();
    }
    if (sends(e)) {
      e.preventDefault();
      send();
    } else if (e.key === "ArrowUp" && field.current?.value === "" && !barred && edit()) e.preventDefault();
  };
}

const attach = (page: Page, draft: string, chosen: Iterable<File>): void => keepFiles(page.me.value, draft, [
  ...filesOf(page.me.value, draft), ...[...chosen].map(blob => ({ blob, name: blob.name })),
]);

/** The field, with what completes names, rooms and emoji in it. */
function Input({ room, name, draft, field, barred, text, onKeyDown }: {
  room: Room; name: string; draft: string; field: Field; barred: string; text: Typed;
  onKeyDown: (e: TargetedEvent<HTMLTextAreaElement, KeyboardEvent>) => void;
}) {
  return (
    <>
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        aria-label={`Message ${name}`}
        placeholder={barred || `Message ${name}`}
        disabled={barred !== ""}
        enterkeyhint={enterSends() ? "send" : "enter"}
        onInput={text.input}
        onKeyDown={onKeyDown}
        onPaste={paste}
        aria-autocomplete="list"
      />
      {text.completing && (
        <Completer
          room={room}
          draft={draft}
          field={field}
          handle={text.completion}
          onChange={() => { text.lookup.settle(); text.note(); }}
        />
      )}
    </>
  );
}

/**
 * The line above the field: who types, what keeps the person from writing, and what there is to
 * know about the text.
 */
function Line({ room, noted, barred, wait, completion, children }: {
  room: Room; noted: Noted; barred: string; wait: number; completion: { readonly current: Completion | undefined };
  children: ComponentChildren;
}) {
  const { typing, people } = useValue(room);
  const passing = useValue(usePage().passing);
  return (
    <div class="line small quiet">
      <div class="typing" dir="auto">
        {typing.length > 0 && <Typing typing={typing} people={people} />}
        <span class="notice" role="status">{passing && <span key={passing}>{passing}</span>}</span>
      </div>
      <span role="status">{barred}</span>
      {wait > 0 && !barred && <span>Slow mode: write again in {wait} s</span>}
      <span class="about cut" role="status" dir="auto">
        {noted.unknown && (
          <span class="alert">{noted.unknown} <span class="more">Choose a name, or send it as text.</span></span>
        )} {noted.mentions}
      </span>
      <span class={noted.tooLong ? "alert" : ""}>{noted.rest}</span>
      {children}
      {noted.outside.length > 0 && <Outside room={room} people={noted.outside} completion={completion} />}
      {noted.preview && <Preview />}
    </div>
  );
}

/** The message that the next one quotes. */
function Quoted({ room, message, onRemove }: { room: Room; message: Message; onRemove(): void }) {
  const page = usePage();
  return (
    <div class="quoting small">
      <span class="quote cut" dir="auto">
        <bdi>{nameOf(page, useValue(room).people, message.user)}</bdi>: {wordsOf(textOf(message))}
      </span>
      <IconButton name="close" label="Do not quote" onClick={onRemove} />
    </div>
  );
}

/** Returns the message of the room or the thread that the next one quotes, and how to quote none. */
function useQuote(room: Room) {
  const { quoting } = usePage();
  const quote = useValue(quoting);
  const unquote = () => { if (quoting.value?.room === room) quoting.value = null; };
  useEffect(() => unquote, [room]);
  return { quoted: quote?.room === room ? quote.message : undefined, unquote };
}

type Typed = ReturnType<typeof useText>;

/**
 * Follows the text of the field: it is the draft of a place, its names are looked up, and others
 * see that it is typed.
 */
function useText(room: Room, draft: string, field: Field) {
  const [noted, setNoted] = useState(blank);
  const completion = useRef<Completion>(undefined);
  const [completing, setCompleting] = useState(false);
  const lookup = useLookup(completion, () => note());
  const keep = useDraft(room, draft, field, () => {
    note();
    prepare(field.current?.value ?? "");
  });
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
    setNoted(s => (JSON.stringify(s) === JSON.stringify(next) ? s : next));
  };
  const input = (e: TargetedEvent<HTMLTextAreaElement, InputEvent>) => {
    note();
    completion.current?.look(e.data);
    const text = field.current?.value ?? "";
    keep(text);
    prepare(text);
    if (text.trim()) room.typing();
  };
  return { noted, completing, completion, lookup, keep, note, input };
}
