// The files of a message, and what they are called. Their space is known before their code is loaded, so
// that nothing moves.
import type { Message } from "@parley/client";
import { lazy } from "../ui/lazy.js";
import type { Attachment } from "./attachment.js";

/** A picture without a preview is shown if it is smaller than this, in bytes. */
const small = 1 << 20;

/** Reports whether a file is shown as a picture. Browsers show no others. */
export const isPicture = ({ type, bytes, preview }: Pick<Attachment, "type" | "bytes"> & {
  readonly preview?: unknown;
}): boolean =>
  /^image\/(png|jpeg|gif|webp|avif)$/.test(type) && (!!preview || bytes < small);

type Named = Pick<Attachment, "name" | "type">;

/** Returns what files are called: the name of one file, or how many there are. */
export const filesWords = (files: readonly Named[] = []): string =>
  files[1] ? `${files.length} ${files.every(f => /^image/.test(f.type)) ? "pictures" : "files"}` : files[0]?.name ?? "";

/** Returns the text of a message, or what its files are called if it has none. */
export const textOf = ({ text, attachments }: {
  readonly text: string; readonly attachments?: readonly Named[];
}): string => text || filesWords(attachments);

/**
 * The largest width of pictures in a message, the largest height of one, and the least width of an
 * enlarged one, in pixels.
 */
const widest = 360;
const highest = 300;
const least = 120;
/** The shape of the space of several pictures, as width to height. */
const severally = 1.5;

const Pictures = lazy(() => import("./pictures.js"));
const File = lazy(() => import("./file.js"));

/** The files of a stored message that has some. */
export function Files({ message, tabIndex = -1 }: { message: Message; tabIndex?: number }) {
  const all = message.attachments!;
  const pictures = all.filter(isPicture);
  return (
    <>
      {pictures[0] && (
        <div class="pictures" style={spaceOf(pictures as [Attachment])}>
          <Pictures {...{ message, pictures, tabIndex }} />
        </div>
      )}
      {all.map(file => !isPicture(file) && (
        <div key={file.id} class={`file ${file.type.split("/", 1)}`}><File {...{ message, file, tabIndex }} /></div>
      ))}
    </>
  );
}

interface Sized { readonly width?: number; readonly height?: number }

/** Returns the space of the pictures of a message. Only one picture has its own shape, within limits. */
export function spaceOf([{ width = 480, height = 360 }, second]: readonly [Sized, (Sized | undefined)?]) {
  const aspectRatio = second ? severally : Math.max(.3, Math.min(4, width / height));
  return {
    aspectRatio, width: `${Math.min(widest, highest * aspectRatio, second ? widest : Math.max(least, width))}px`,
  };
}
