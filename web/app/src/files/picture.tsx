// A picture in the space of what contains it: its colors first, and then its preview.
import { decode } from "@parley/client/files";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Attachment, Owner } from "./attachment.js";
import { canBeShown } from "./head.js";
import { type Linked, useLink } from "./link.js";

/** A picture by its preview. With whole it is the picture itself, above its preview until it is loaded. */
export function Picture({ message, file, whole = false }: { message: Owner; file: Attachment; whole?: boolean }) {
  const box = useRef<HTMLSpanElement>(null);
  const [loaded, setLoaded] = useState(false);
  const { link, failed, turn, onError, onLoad } = useLink(message, file, box);
  const src = link && ((!whole && link.preview) || link.url);
  const small = useChecked(link?.preview, `${file.id} preview`, file, { turn, onError });
  const large = useChecked(link && (whole || !link.preview) ? link.url : undefined, file.id, file, { turn, onError });
  const shown = src === link?.preview ? small : large;
  return (
    <span ref={box} class="fill">
      {!loaded && file.placeholder && <Colors of={file.placeholder} />}
      {whole && link?.preview && small && !loaded && <img class="loaded" src={link.preview} alt="" draggable={false} />}
      {src && shown && !failed && (
        <img
          key={turn} class={loaded ? "loaded" : ""} src={src} alt={nameOf(file)} draggable={!whole}
          onError={onError} onLoad={() => { onLoad(); setLoaded(true); }}
        />
      )}
      {shown === false && (
        <span class={whole ? "missing" : "missing small"}>{nameOf(file)}: too large to show. Save it to open it.</span>
      )}
      {failed && !loaded && <span class={whole ? "missing" : "missing small"}>{nameOf(file)}: not available</span>}
    </span>
  );
}

/** The known facts about pictures, by name. They do not change. */
const checked = new Map<string, Promise<boolean>>();

/** Reports whether a picture at an address can be shown, once that is known. What cannot be read is an error. */
function useChecked(
  url: string | undefined, called: string, stated: Attachment, { turn, onError }: Pick<Linked, "turn" | "onError">,
): boolean | undefined {
  const [is, setIs] = useState<boolean>();
  useEffect(() => {
    if (!url || is !== undefined) return;
    const found = checked.get(called) ?? canBeShown(url, stated);
    checked.set(called, found);
    found.then(setIs, () => { checked.delete(called); onError(); });
  }, [turn]);
  return is;
}

/** The colors of a picture by its ThumbHash. */
function Colors({ of: hash }: { of: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const pixels = decode(hash);
    if (!pixels) return;
    const { width, height, rgba } = pixels;
    Object.assign(canvas.current!, { width, height });
    canvas.current!.getContext("2d")?.putImageData(new ImageData(rgba, width, height), 0, 0);
  }, [hash]);
  return <canvas ref={canvas} class="colors" aria-hidden="true" />;
}

/** Returns what a file is called: its description, or else its name. */
export const nameOf = ({ alt, name }: Attachment): string => alt || name;
