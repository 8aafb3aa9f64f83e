// A message, or a change of it, that the server has refused, and what to do about it.
import type { Act, Message, Room } from "@parley/client";
import { filesOf, keepFiles } from "../state/drafts.js";
import { type Page, usePage } from "../state/page.js";
import { takeBack } from "../ui/take-back.js";
import { isThread } from "./find.js";

/** Shows why a message was not sent or, given an act, why that was not done. */
export default function NotDone({ room, message, act }: {
  room: Room; message: Message;
  /** What was not done with a message that is stored. */
  act?: Act | undefined;
}) {
  const page = usePage();
  const id = act?.id ?? message.id;
  const edit = () => { page.editing.value = { id: message.id, inThread: isThread(room) }; };
  const text = act?.kind === "edit" ? act.text : message.text;
  const elsewhere = act?.kind === "edit" && act.elsewhere;
  const reason = message.files?.some(f => f.error)
    ? "A file could not be sent."
    : act?.error ?? message.error ?? "The server cannot be reached.";
  const link = (words: string, run: (from: HTMLElement) => void) => (
    <button type="button" class="link" tabIndex={-1} onClick={e => run(e.currentTarget)}>{words}</button>
  );
  return (
    <div class="failure" role="alert">
      <span>{!act ? "Not sent." : act.kind === "edit" ? "Not saved." : "Not deleted."} {reason}</span>
      {elsewhere && <span class="quiet" dir="auto">Yours: {text}</span>}
      {link(elsewhere ? "Save yours" : "Try again", () => room.retry(id))}
      {act?.kind === "edit" && link("Edit again", edit)}
      {!act && link("Take back", from => takeBackMessage(page, room, message, from))}
      {link(elsewhere ? "Keep theirs" : act?.kind === "deletion" ? "Dismiss" : "Discard", () => room.discard(id))}
    </div>
  );
}

/** Makes a message that was not sent the draft of its room or thread again. */
export function takeBackMessage(page: Page, room: Room, { id, text, files = [] }: Message, from: HTMLElement): void {
  const place = isThread(room) ? `${room.id} ${room.root}` : room.id;
  const taken = files.map(({ blob, name, alt, original }) => ({
    blob, name, ...(alt && { alt }), ...(original && { original }),
  }));
  takeBack(text, from);
  keepFiles(page.me.value, place, [...taken, ...filesOf(page.me.value, place)]);
  room.discard(id);
}
