// The files of a message that is not sent yet. The code is loaded with the first one.
import type { Message, Room, UnsentFile } from "@parley/client";
import { useValue } from "../state/cell.js";
import { usePage } from "../state/page.js";
import { backToComposer } from "../ui/focus.js";
import { sentence } from "../ui/forms.js";
import { IconButton } from "../ui/icons.js";
import { useObjectUrl } from "../ui/object-url.js";
import { takeBack } from "../ui/take-back.js";
import { isPicture, spaceOf } from "./files.js";
import { sizeWords } from "./size.js";
import "./styles.js";
import { Thumb } from "./thumb.js";

/** The most pictures that have the space which they will have once the message is stored. */
const mostPictures = 4;

interface PartProps {
  readonly file: UnsentFile;
  readonly waits: boolean;
  cancel(e: MouseEvent): void;
  retry(e: MouseEvent): void;
}

/** Shows how much of each file is sent, or why it was not. */
export default function Outgoing({ room, message }: { room: Room; message: Message }) {
  const page = usePage();
  const files = message.files ?? [];
  const refused = message.status === "failed" && !files.some(f => f.error); // itself: then no file of it is sent
  const waits = useValue(page.connection) === "offline" || refused;
  const cancel = (file: UnsentFile, button: HTMLElement) => {
    const others = [...button.closest("[role=list]")?.querySelectorAll<HTMLElement>("button") ?? []].filter(
      b => b !== button,
    );
    if (others[0]) others[0].focus();
    else backToComposer();
    const ends = files.length === 1 && message.text !== ""; // then nobody decided that the text is sent without it
    if (ends) takeBack(message.text, button);
    room.removeFile(message.id, file.id);
    page.toast(`${file.name} will not be sent.${ends ? " The text is in the field again." : ""}`);
  };
  const retry = (file: UnsentFile, button: HTMLElement) => {
    button.closest("[role=listitem]")?.querySelector<HTMLElement>(".icon")?.focus();
    room.retry(message.id, file.id);
  };
  const props = (file: UnsentFile) => ({
    key: file.id, file, waits,
    cancel: (e: MouseEvent) => cancel(file, e.currentTarget as HTMLElement),
    retry: (e: MouseEvent) => retry(file, e.currentTarget as HTMLElement),
  });
  const [first, ...more] = files.filter(isPicture);
  const listed = files.some(f => f.error) || more.length >= mostPictures;
  return (
    <div role="list" aria-label="Files of this message" class={listed ? "tray" : ""}>
      {!listed && first && (
        <div class="pictures" style={spaceOf([first, more[0]])}>
          <div class="grid">{[first, ...more].map(f => <Picture {...props(f)} />)}</div>
        </div>
      )}
      {files.map(f => (listed || !isPicture(f)) && (
        <div key={f.id} class={listed ? "" : `file ${f.type.split("/", 1)}`}><Tile {...props(f)} /></div>
      ))}
    </div>
  );
}

function Tile({ file, waits, cancel, retry }: PartProps) {
  return (
    <div role="listitem" class="tile">
      <Thumb blob={file.blob} />
      <span class="about">
        <bdi class="cut">{file.name}</bdi>
        <span class="small quiet">
          {file.error ? <span class="alert">{sentence(file.error)}</span>
            : isSending(file, waits) ? <Progress file={file} />
            : sizeWords(file.bytes)}
        </span>
      </span>
      {file.error && (
        <button type="button" class="link" aria-label={`Try again: ${file.name}`} onClick={retry}>Try again</button>
      )}
      <Cancel file={file} cancel={cancel} />
    </div>
  );
}

function Picture({ file, waits, cancel }: PartProps) {
  return (
    <div role="listitem" class="picture unsent">
      <img src={useObjectUrl(file.blob)} alt={file.alt || file.name} decoding="async" />
      {isSending(file, waits) && <Progress file={file} />}
      <Cancel file={file} cancel={cancel} />
    </div>
  );
}

const isSending = ({ bytes, sent }: UnsentFile, waits: boolean): boolean => !waits && sent < bytes;

const Progress = ({ file: { name, bytes, sent } }: Pick<PartProps, "file">) => (
  <progress max={bytes} value={sent} aria-label={`Sending ${name}`} />
);

const Cancel = ({ file, cancel }: Pick<PartProps, "file" | "cancel">) => (
  <IconButton name="close" label={`Do not send ${file.name}`} onClick={cancel} />
);
