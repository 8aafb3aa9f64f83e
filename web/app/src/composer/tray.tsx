// The files that are chosen for the next message of a room or a thread. The code is loaded with the first one.
import type { OutgoingFile } from "@parley/client";
import { useEffect, useRef, useState } from "preact/hooks";
import "../files/styles.js";
import { sizeWords } from "../files/size.js";
import { Thumb } from "../files/thumb.js";
import { filesOf, keepFiles } from "../state/drafts.js";
import { usePage } from "../state/page.js";
import { hasKeys } from "../ui/focus.js";
import { IconButton } from "../ui/icons.js";
import { useObjectUrl } from "../ui/object-url.js";
import { FormBody, Sheet, TextField, useForm } from "../ui/parts.js";

import("../files/outgoing.js").catch(() => undefined); // shows the files of a message that waits offline

/** The most files of a message, and the longest alternative text in bytes: the API refuses more. */
const mostFiles = 20;
const longestAlt = 500;

interface TrayProps {
  /** The room or the thread, as in drafts.ts. */
  readonly place: string;
  readonly field: { readonly current: HTMLTextAreaElement | null };
}

/** The files that were in a tray before, which are not announced again. */
const known = new WeakSet<Blob>();

export default function Tray({ place, field }: TrayProps) {
  const page = usePage();
  const me = page.me.value;
  const files = filesOf(me, place);
  const [said, say] = useState("");
  const [described, setDescribed] = useState<OutgoingFile | null>(null);
  const change = (fn: (all: readonly OutgoingFile[]) => readonly OutgoingFile[]) =>
    keepFiles(me, place, fn(filesOf(me, place)));
  const admit = async (fresh: readonly OutgoingFile[]) => {
    for (const { blob } of fresh) known.add(blob);
    if (hasKeys()) field.current?.focus();
    const unreadable = await Promise.all(fresh.map(isUnreadable));
    const read = fresh.filter((_, i) => !unreadable[i]);
    const left = read.slice(0, Math.max(0, mostFiles - files.length + fresh.length));
    change(all => all.filter(f => !fresh.includes(f) || left.includes(f)));
    if (left.length < fresh.length) {
      page.toast(refusal(fresh.filter((_, i) => unreadable[i]), read.length - left.length));
    }
    say(left.length === 1 ? `${left[0]!.name} was added` : left.length ? `${left.length} files were added` : "");
  };
  useEffect(() => {
    const fresh = files.filter(f => !known.has(f.blob));
    if (fresh.length) void admit(fresh);
  }, [files]);
  const remove = (file: OutgoingFile, tile: Element) => {
    const next =
      (tile.nextElementSibling ?? tile.previousElementSibling)?.querySelector<HTMLElement>(":scope > button");
    (next ?? field.current)?.focus();
    change(all => all.filter(f => f !== file));
    say(`${file.name} was removed`);
  };
  return (
    <>
      <div class="unseen" role="status">{said}</div>
      {files.length > 0 && (
        <ul class="tray" aria-label="Files to send">
          {files.map(f => (
            <Tile
              key={f.blob}
              file={f}
              onDescribe={() => setDescribed(f)}
              onOriginal={original =>
                change(all => all.map(other => (other.blob === f.blob ? { ...other, original } : other)))}
              onRemove={tile => remove(f, tile)}
            />
          ))}
        </ul>
      )}
      {described && (
        <AltDialog file={described} onClose={() => setDescribed(null)} onSave={alt =>
          change(all => all.map(f => (f.blob === described.blob ? { ...f, alt } : f)))} />
      )}
    </>
  );
}

/** Reports whether a file cannot be sent, such as a folder. */
async function isUnreadable({ blob }: OutgoingFile): Promise<boolean> {
  return !blob.size || await blob.slice(0, 1).arrayBuffer().then(() => false, () => true);
}

/** Returns why files were not added. */
function refusal(unreadable: readonly OutgoingFile[], tooMany: number): string {
  const [first] = unreadable;
  return [
    first
      && (unreadable.length === 1
        ? `${first.name} is empty or a folder, and cannot be sent.`
        : `${unreadable.length} files are empty or folders, and cannot be sent.`),
    tooMany > 0 && `A message has at most ${mostFiles} files: ${tooMany} ${tooMany === 1 ? "was" : "were"} left out.`,
  ].filter(Boolean).join(" ");
}

/** The types of files from which the place and the camera are taken out. */
const noted = /^(?:image\/(?:jpeg|png|gif|webp|hei[cf]|avif)|video\/(?:mp4|quicktime))$/;

/** A chosen file: its picture or an icon, its name and size, and what to do with it. */
function Tile({ file: { blob, name, alt, original = false }, onDescribe, onOriginal, onRemove }: {
  file: OutgoingFile; onDescribe(): void; onOriginal(original: boolean): void; onRemove(tile: Element): void;
}) {
  const picture = blob.type.startsWith("image/");
  const tile = useRef<HTMLLIElement>(null);
  return (
    <li class="tile" ref={tile}>
      <Thumb blob={blob} />
      <span class="about">
        <bdi class="cut">{name}</bdi>
        <span class="small quiet">
          {sizeWords(blob.size)}
          {picture && (
            <> · <button type="button" class="link" onClick={onDescribe}>
              {alt ? "Edit alt text" : "Add alt text"}<span class="unseen"> of {name}</span>
            </button></>
          )}
          {noted.test(blob.type) && (
            <>
              {" "}
              <label title="With the place, the camera and the time that the file may have in it">
                <input
                  type="checkbox"
                  checked={original}
                  aria-label={`Send the original of ${name}`}
                  onChange={e => onOriginal(e.currentTarget.checked)}
                /> Original
              </label>
            </>
          )}
        </span>
      </span>
      <IconButton name="close" label={`Remove ${name}`} onClick={() => { if (tile.current) onRemove(tile.current); }} />
    </li>
  );
}

/** Asks for the text in place of a picture. */
function AltDialog({ file: { blob, name, alt: before = "" }, onSave, onClose }: {
  file: OutgoingFile; onSave(alt: string): void; onClose(): void;
}) {
  const [alt, setAlt] = useState(before);
  const url = useObjectUrl(blob);
  const long = new TextEncoder().encode(alt.trim()).length > longestAlt;
  const form = useForm(["alt"], async () => {
    onSave(alt.trim());
    onClose();
  });
  return (
    <Sheet title={name} onClose={onClose}>
      <FormBody form={form} label="Alternative text" action="Save" ready={!long} onCancel={onClose}>
        {url && <img class="described" src={url} alt="" />}
        <TextField form={form} name="alt" label="Alternative text" rows={3} autofocus value={alt} onValue={setAlt}
          hint={long
            ? "This is too long. A few sentences are enough."
            : "It describes the picture to people who cannot see it."} />
      </FormBody>
    </Sheet>
  );
}
