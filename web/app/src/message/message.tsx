import type { Message, People, Room } from "@parley/client";
import { Component, type ComponentChild, type ComponentType, type TargetedEvent } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import type { Access } from "../access/access.js";
import { Files } from "../files/files.js";
import { Face } from "../people/face.js";
import { StatusMark } from "../people/status.js";
import { Poll } from "../polls/poll.js";
import { mentionsMe } from "../state/names.js";
import { usePage } from "../state/page.js";
import { briefTime, clockTime, fullTime, withoutHalf } from "../ui/dates.js";
import { Icon } from "../ui/icons.js";
import { lazy } from "../ui/lazy.js";
import { Text } from "../ui/text.js";
import { Waiting } from "./delivery.js";
import { Editor } from "./editor.js";
import { restore } from "./edits.js";
import { isThread } from "./find.js";
import { forwardIn, linkedMessages } from "./links.js";
import { Quoted } from "./quote.js";
import { Chips } from "./reactions.js";
import type { LineProps } from "./system.js";

export interface MessageProps {
  readonly room: Room;
  readonly message: Message;
  readonly first: boolean;
  readonly blocked: boolean;
  readonly name: string;
  readonly card: People[string] | undefined;
  readonly access: Access;
  /** The current text of what it quotes. */
  readonly quoted: string | undefined;
  /** The names that the message mentions, a line each: a name, a tab, and the user id. */
  readonly names: string;
  readonly editing: boolean;
  /** Whether a link led to it. */
  readonly lit: boolean;
  /** Whether it is the first below the line "New messages", over which the arrows go. */
  readonly unread: boolean;
}

/** Whether the pointer cannot hover: each message then shows its menu button. */
const touch = matchMedia("(hover: none)").matches;

const Tools = lazy(() => import("./menu.js"));
const Outgoing = lazy(() => import("../files/outgoing.js"));
const NotDone = lazy(() => import("./not-done.js"));
const Preview = lazy(() => import("./preview.js"), () => <span class="linked" />);

const System = lazy(() => import("./system.js"), ({ message }: LineProps) => (
  <article class="row line" data-id={message.id} tabIndex={-1}>
    <div class="main small quiet">{message.text}</div>
  </article>
));

/** Longer texts are folded: they would push everything else away. */
const foldedLines = 24;
const foldedLength = 2400;

/** One message of the timeline. */
export const MessageRow = memo(function MessageRow(props: MessageProps) {
  return props.message.system
    ? <System room={props.room} message={props.message} lit={props.lit} />
    : <Article {...props} />;
});

function Article(props: MessageProps) {
  const { message, first, name, card, editing, lit, unread } = props;
  const mentioned = mentionsMe(usePage(), message);
  const classes = ["row", first && "first", lit && "lit", message.deletedAt && "gone", mentioned && "mentioned"]
    .filter(Boolean)
    .join(" ");
  const [active, setActive] = useState({ hover: false, focus: false, menu: false });
  const [unfolded, setUnfolded] = useState(false);
  const folded = props.blocked && !unfolded;
  const set = (part: Partial<typeof active>) => setActive(a => ({ ...a, ...part }));
  const leave = (e: TargetedEvent<HTMLElement, FocusEvent>) => {
    if (!e.currentTarget.contains(e.relatedTarget as Node | null)) set({ focus: false, menu: false });
  };
  const acting = !message.status && !message.deletedAt && !editing && !folded;
  const time = clockTime(message.receivedAt);
  const notes = [mentioned && "mentions you", unread && "first new message"]
    .filter(Boolean)
    .map(note => `, ${note}`)
    .join("");
  const contents = useId();
  return (
    <article
      class={classes}
      data-id={message.id}
      data-status={message.status}
      tabIndex={-1}
      aria-label={folded ? `Blocked message, ${time}` : `${name}, ${time}${notes}`}
      aria-describedby={contents}
      onPointerEnter={e => { if (e.pointerType === "mouse") set({ hover: true }); }}
      onPointerLeave={() => set({ hover: false })}
      onFocusIn={e => { if ((e.target as Element).matches(":focus-visible")) set({ focus: true }); }}
      onFocusOut={leave}
    >
      {first && !folded
        ? <Face opens user={message.user} people={card ? { [message.user]: card } : {}} />
        : <time class="aside">{withoutHalf(time)}</time>}
      <div class="main">
        {first && !folded && <Who {...props} time={time} />}
        <div id={contents}>
          <Contents {...props} folded={folded} onUnfold={() => setUnfolded(true)} />
        </div>
      </div>
      {acting && (touch || active.hover || active.focus || active.menu)
        && <Tools {...props} brief={touch} onMenu={menu => set({ menu })} />}
    </article>
  );
}

/** All of a message but its sender: of a blocked person's, only that there is one until it is unfolded. */
function Contents({ folded, onUnfold, ...props }: MessageProps & { folded: boolean; onUnfold: () => void }) {
  const { message, editing } = props;
  const refused = !editing && message.acts?.find(a => a.error);
  return (
    <>
      {message.quote && !folded && <Quoted room={props.room} quote={message.quote} words={props.quoted} />}
      {folded
        ? (
          <div class="quiet">
            Blocked message · <button type="button" class="link" tabIndex={-1} onClick={onUnfold}>Show</button>
          </div>
        )
        : <Main {...props} />}
      {message.files && <Outgoing {...props} />}
      {message.attachments && !folded && <Files message={message} />}
      {message.poll && !folded && <Poll {...props} />}
      {message.reactions?.[0] && !folded && <Chips {...props} />}
      {!folded && !isThread(props.room) && (message.thread || message.replies) && <ThreadButton {...props} />}
      {message.status === "pending" && <Waiting {...props} />}
      {message.status === "failed" && <NotDone {...props} />}
      {refused && <NotDone room={props.room} message={message} act={refused} />}
    </>
  );
}

/** The text of a message, or the field in which it is edited. */
function Main({ room, message, names, editing }: MessageProps) {
  if (!editing) return <Body message={message} names={names} />;
  const refused = message.acts?.find(a => a.kind === "edit" && a.error);
  return <Editor room={room} message={message} draft={refused?.kind === "edit" ? refused.text : undefined} />;
}

/** The button that opens the thread of a message, or the thread that contains it. */
function ThreadButton({ room, message: { id, thread, replies } }: MessageProps) {
  const { panel } = usePage();
  return (
    <button type="button" class="answers small" tabIndex={-1} onClick={() => (panel.value = `thread:${thread ?? id}`)}>
      {thread || !replies ? <><Icon name="thread" />In a thread</> : (
        <>
          {replies.users.map(user => <Face key={user} user={user} people={room.value.people} />)}
          <span class="cut">
            <b>{replies.count === 1 ? "1 reply" : `${replies.count} replies`}</b>, last {briefTime(replies.lastAt)}
          </span>
        </>
      )}
    </button>
  );
}

function Who({ message, name, card, time }: MessageProps & { time: string }) {
  return (
    <div class="who">
      <b dir="auto" role="button" tabIndex={-1} data-person={message.user}>{name}</b>
      <StatusMark user={message.user} people={card ? { [message.user]: card } : {}} />
      {card?.kind === "bot" && <span class="tag">bot</span>}
      {message.via && <span class="small quiet">via {message.via}</span>}
      <time dateTime={message.receivedAt} title={fullTime(message.receivedAt)}>{time}</time>
    </div>
  );
}

/** The text, with a button that shows its edits. Long texts are folded. */
const Body = memo(function Body(props: BodyProps) {
  return <Foldable {...props} />;
});

interface BodyProps { message: Message; names: string }

function Foldable({ message, names }: BodyProps) {
  const { panel } = usePage();
  const [open, setOpen] = useState(false);
  const base = location.origin + location.pathname;
  const forward = forwardIn(message.text, base);
  const text = forward?.comment ?? message.text;
  if (message.deletedAt) return <Deleted message={message} />;
  const saving = message.acts?.some(a => a.kind === "edit" && !a.error);
  const long = text.length > foldedLength || text.split("\n", foldedLines + 1).length > foldedLines;
  return (
    <>
      <div class={long && !open ? "body folded" : "body"} dir="auto">
        <Text text={text} names={names ? names.split("\n") : []} />
        {saving ? <span class="edited late"> saving…</span> : message.editedAt && (
          <> <button
            type="button"
            class="edited"
            tabIndex={-1}
            title={fullTime(message.editedAt)}
            onClick={() => (panel.value = `history:${message.id}`)}
          >edited</button></>
        )}
      </div>
      {forward && <Preview {...forward} />}
      {linkedMessages(text, base).map(l => <Preview key={`${l.room} ${l.id}`} {...l} />)}
      {long && (
        <button type="button" class="link small" tabIndex={-1} aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Show less" : "Show all"}
        </button>
      )}
    </>
  );
}

/** The tombstone of a deleted message, with "Undo" while that is possible. */
function Deleted({ message }: { message: Message }) {
  const page = usePage();
  const act = message.acts?.find(a => a.kind === "deletion" && !a.error);
  const left = act?.kind === "deletion" ? act.due - Date.now() : 0;
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = left > 0 && setTimeout(() => tick(n => n + 1), left);
    return () => { if (timer) clearTimeout(timer); };
  }, [act]);
  const undo = () => restore(page, message);
  return (
    <div class="text">
      Message deleted
      {left > 0 && <> · <button type="button" class="link" tabIndex={-1} onClick={undo}>Undo</button></>}
    </div>
  );
}

/** Returns a component that is rendered again only if one of its props has changed. */
function memo<P extends object>(render: (props: P) => ComponentChild): ComponentType<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const props: Readonly<P> = this.props;
      return (Object.keys({ ...props, ...next }) as (keyof P)[]).some(key => props[key] !== next[key]);
    }
    override render(): ComponentChild {
      return render(this.props);
    }
  };
}
