// A message that was found: its sender, room and time, and the part of its text that was searched for.
import type { Mark, Message, People, SearchResult } from "@parley/client";
import { isPicture, textOf } from "../files/files.js";
import { FileIcon } from "../files/icon.js";
import { Picture } from "../files/picture.js";
import { useRoomName } from "../inbox/card.js";
import { Face } from "../people/face.js";
import { useValue } from "../state/cell.js";
import { nameOf } from "../state/names.js";
import { usePage } from "../state/page.js";
import { href } from "../state/route.js";
import { plain } from "../ui/markup.js";
import { Time } from "../ui/parts.js";
import { excerptOf, shown } from "./excerpt.js";
import { openMessage } from "./open.js";

/** More letters than a line has. */
const longestLine = 200;

/** Returns what the room of a result is called. */
export function useRoomOf({ message, roomName }: SearchResult): string {
  const name = useRoomName(message.room);
  return name === message.room && roomName ? `#${roomName}` : name; // a room that is not in the list
}

/** Reports whether the sender of a message is blocked. */
export function useBlocked(): (m: Message) => boolean {
  const blocked = useValue(usePage().blocked);
  return m => !!m.blocked || blocked.has(m.user);
}

/** A text from at most so many letters before the first of its marks on. */
const Excerpt = ({ text, marks = [], before }: { text: string; marks?: readonly Mark[] | undefined; before: number }) =>
  <>{excerptOf(text, marks, before).map(part => (part.marked ? <mark>{part.text}</mark> : part.text))}</>;

/**
 * What was found in a message: its text from some letters before the first mark on, and its files.
 * Pictures show if thumbs is true.
 */
export function Matched({ result: { message, marks = [], fileMarks }, before, thumbs = false }: {
  result: SearchResult; before: number; thumbs?: boolean;
}) {
  const { text, attachments = [] } = message;
  return (
    <>
      {text && <span class="s-text" dir="auto"><Excerpt {...shown(text, marks)} before={before} /></span>}
      {attachments.map((file, i) => (
        <span key={file.id} class="s-file small">
          {thumbs && isPicture(file)
            ? <span class="mini"><Picture message={message} file={file} /></span>
            : <FileIcon file={file} />}
          <span class="cut" dir="auto"><Excerpt text={file.name} marks={fileMarks?.[i]} before={before} /></span>
        </span>
      ))}
    </>
  );
}

/** A line of the message before or after. */
function Neighbor({ message, people }: { message: Message; people: People }) {
  const page = usePage();
  const blocked = useBlocked();
  const words = message.deletedAt ? "Message deleted" : plain(textOf(message).slice(0, longestLine));
  return (
    <span class="small quiet cut" dir="auto">
      {blocked(message) ? "Blocked message" : <><bdi>{nameOf(page, people, message.user)}</bdi>: {words}</>}
    </span>
  );
}

/** A result of the panel, which leads to its message. onOpen is called before. */
export function Result({ result, people, onOpen }: { result: SearchResult; people: People; onOpen: () => void }) {
  const page = usePage();
  const blocked = useBlocked();
  const room = useRoomOf(result);
  const { message, before, after } = result;
  const { id, user, receivedAt, thread, editedAt } = message;
  const open = (e: MouseEvent) => {
    if (e.ctrlKey || e.metaKey || e.shiftKey) return; // in another tab
    e.preventDefault();
    onOpen();
    openMessage(page, message);
  };
  return (
    <li>
      <a class="s-result" href={href(message.room, id)} onClick={open}>
        {blocked(message) ? <span class="face" /> : <Face user={user} people={people} />}
        <span class="small quiet">
          <b>
            <bdi>{blocked(message) ? "Blocked person" : nameOf(page, people, user)}</bdi>
          </b> in <bdi>{room}</bdi>, <Time at={receivedAt} />
          {thread && ", in a thread"}
          {editedAt && ", edited"}
        </span>
        {before && <Neighbor message={before} people={people} />}
        {blocked(message) ? <span class="quiet">Blocked message</span> : <Matched result={result} before={60} thumbs />}
        {after && <Neighbor message={after} people={people} />}
      </a>
    </li>
  );
}
