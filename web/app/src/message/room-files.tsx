// The files of a room, the newest first. Each leads to its message.
import type { Room } from "@parley/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { usePages } from "../api/load.js";
import type { FilePage } from "../api/types.js";
import { isPicture } from "../files/files.js";
import { FileIcon, typeWords } from "../files/icon.js";
import { save } from "../files/link.js";
import { Picture } from "../files/picture.js";
import { sizeWords } from "../files/size.js";
import { styled } from "../files/styles.js";
import { useCards } from "../people/cards.js";
import { useValue } from "../state/cell.js";
import { nameOf } from "../state/names.js";
import { usePage } from "../state/page.js";
import { isDeleting } from "../state/unsent.js";
import { href } from "../state/route.js";
import { IconButton } from "../ui/icons.js";
import { More, Shown, Time } from "../ui/parts.js";
import { whenSeen } from "../ui/seen.js";

/** More than fit in a window. The next are loaded when the end is in sight. */
const perPage = 50;
/** A change of a message changes the list of files some time later, in milliseconds. */
const settle = 500;

export default styled(RoomFiles);

function RoomFiles({ room }: { room: Room }) {
  const page = usePage();
  const pages = usePages<FilePage>(`/rooms/${encodeURIComponent(room.id)}/attachments`, perPage);
  const deleted = useDeleted(room, pages.reload);
  const acts = useValue(page.acts);
  const isGone = (id: string) => deleted.has(id) || isDeleting(acts, id);
  const items = (pages.value ?? []).flatMap(p => p.items).filter(i => !isGone(i.message));
  const people = useCards(room, items.map(i => i.user));
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => (pages.hasMore && end.current ? whenSeen(end.current, pages.more) : undefined), [pages.value]);
  return (
    <Shown loaded={pages}>{() => (
      <>
        <ul>{items.map(({ message: id, user, sentAt, attachment: file }) => {
          const message = { room: room.id, id };
          return (
            <li key={file.id} class="p-file">
              <a class="p-row" href={href(room.id, id)}>
                <span class="p-thumb">
                  {isPicture(file) ? <Picture message={message} file={file} /> : <FileIcon file={file} />}
                </span>
                <span class="p-name">
                  <span class="cut" dir="auto">{file.name}</span>
                  <span class="small quiet cut"><bdi>{nameOf(page, people, user)}</bdi>, <Time at={sentAt} /></span>
                  <span class="small quiet cut">{typeWords(file)}, {sizeWords(file.bytes)}</span>
                </span>
              </a>
              <IconButton name="down" label={`Download ${file.name}`} onClick={() => void save(page, message, file)} />
            </li>
          );
        })}</ul>
        {!items.length && !pages.hasMore && <p class="p-state">No files yet. Files of messages are listed here.</p>}
        <div ref={end}><More pages={pages} what="files" /></div>
      </>
    )}</Shown>
  );
}

/** Calls fn after changes of messages with files, and returns the messages that were deleted meanwhile. */
function useDeleted(room: Room, fn: () => void): ReadonlySet<string> {
  const chat = usePage().chat.value;
  const [deleted, setDeleted] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const off = chat?.on("change", ({ room: at, id, type, message }) => {
      if (at !== room.id || !id) return;
      if (type === "message.deleted") setDeleted(all => new Set(all).add(id));
      else if (!message?.attachments || type === "counts.changed") return;
      clearTimeout(timer);
      timer = setTimeout(fn, settle);
    });
    return () => { off?.(); clearTimeout(timer); };
  }, [chat, room]);
  return deleted;
}
