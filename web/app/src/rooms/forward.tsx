// Posts a message of one room to another.
import { useState } from "preact/hooks";
import { textOf } from "../files/files.js";
import { linkTo } from "../message/actions.js";
import { forwarded } from "../message/links.js";
import { useValue } from "../state/cell.js";
import { roomName } from "../state/names.js";
import { usePage } from "../state/page.js";
import { isSent } from "../state/unsent.js";
import { having } from "../ui/having.js";
import { FormBody, Sheet, TextField, useForm } from "../ui/parts.js";
import { useAllRooms } from "../state/all-rooms.js";

/** The rooms that are shown for a text. */
const mostRooms = 6;

/** Asks for a room and a comment, and posts the message there with its link. */
export function Forward({ onClose }: { onClose: () => void }) {
  const page = usePage();
  const message = useValue(page.forwarding);
  const [query, setQuery] = useState("");
  const rooms = useAllRooms(!!query).filter(r => !r.archived && r.role !== "muted");
  const [chosen, setChosen] = useState("");
  const [comment, setComment] = useState("");
  const nameOf = (r: (typeof rooms)[number]) => (r.kind === "direct" ? roomName(page, r) : `#${roomName(page, r)}`);
  const found = having(rooms, query.trim(), nameOf, r => (r.kind === "direct" ? "" : r.id), mostRooms);
  const target = found.find(r => r.id === chosen) ?? (query ? found[0] : undefined);
  const form = useForm([], async () => {
    if (!message || !target || !page.chat.value) return;
    const chat = page.chat.value;
    const id = chat.room(target.id).send(forwarded(textOf(message), linkTo(message), comment));
    const sent = page.connection.value !== "offline" && await isSent(chat, target.id, id);
    onClose();
    page.toast(
      sent ? `Forwarded to ${nameOf(target)}.` : `Forwarded to ${nameOf(target)} when the server can be reached.`,
    );
  });
  if (!message) return null;
  return (
    <Sheet title="Forward a message" onClose={onClose}>
      <FormBody form={form} label="Forward a message" action="Forward" onCancel={onClose} ready={!!target}>
        <p class="quote cut" dir="auto">{textOf(message)}</p>
        <TextField form={form} name="room" label="Find a room or person" autofocus value={query} onValue={setQuery} />
        <fieldset class="targets">
          <legend class="unseen">Forward to</legend>
          {found.map(r => (
            <label key={r.id}>
              <input type="radio" name="target" checked={r === target} onChange={() => setChosen(r.id)} />
              <span class="cut" dir="auto">{nameOf(r)}</span>
            </label>
          ))}
          {found.length === 0 && <p class="quiet small" role="status">None of your rooms has such a name.</p>}
        </fieldset>
        <TextField
          form={form}
          name="comment"
          label="Comment"
          hint="It stands above the message."
          rows={2}
          value={comment}
          onValue={setComment}
        />
      </FormBody>
    </Sheet>
  );
}
