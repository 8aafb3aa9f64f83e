// The files of a message that is not sent yet. The code is loaded with the first one.
import type { Message, Room, UnsentFile } from "@parley/client";
import { Thumb } from "./thumb.js";
import { sizeWords } from "./size.js";
import { useValue } from "../state/cell.js";
import { usePage } from "../state/page.js";
import { backToComposer } from "../ui/focus.js";
import { sentence } from "../ui/forms.js";
import { IconButton } from "../ui/icons.js";

interface OutgoingProps { readonly room: Room; readonly message: Message }

/** Shows how much of each file is sent, or why it was not. */
export default function Outgoing({ room, message }: OutgoingProps) {
  const page = usePage();
  const offline = useValue(page.connection) === "offline";
  const cancel = (file: UnsentFile, button: Element) => {
    const others = [...button.closest("ul")?.querySelectorAll<HTMLElement>("button") ?? []].filter(b => b !== button);
    if (others[0]) others[0].focus();
    else backToComposer();
    room.removeFile(message.id, file.id);
    page.toast(`${file.name} will not be sent.`);
  };
  return (
    <ul class="tray" aria-label="Files of this message">
      {message.files?.map(f => (
        <li class="tile" key={f.id}>
          <Thumb blob={f.blob} />
          <span class="about">
            <bdi class="cut">{f.name}</bdi>
            <span class="small quiet"><State file={f} waits={offline || message.status === "failed"} /></span>
          </span>
          <IconButton name="close" label={`Do not send ${f.name}`} onClick={e => cancel(f, e.currentTarget as Element)} />
        </li>
      ))}
    </ul>
  );
}

function State({ file: { name, bytes, sent, error }, waits }: { file: UnsentFile; waits: boolean }) {
  if (error) return <span class="alert">{sentence(error)}</span>;
  if (waits || sent >= bytes) return <>{sizeWords(bytes)}</>;
  return <progress max={bytes} value={sent} aria-label={`Sending ${name}`} />;
}
