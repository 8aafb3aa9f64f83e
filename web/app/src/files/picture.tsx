// A picture in the space of what contains it: its colors first, and then its preview.
import { decode } from "@parley/client/files";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Attachment, Owner } from "./attachment.js";
import { useLink } from "./link.js";

/** A picture by its preview. With whole it is the picture itself, above its preview until it is loaded. */
export function Picture({ message, file, whole = false }: { message: Owner; file: Attachment; whole?: boolean }) {
  const box = useRef<HTMLSpanElement>(null);
  const [loaded, setLoaded] = useState(false);
  const { link, failed, turn, onError, onLoad } = useLink(message, file, box);
  return (
    <span ref={box} class="fill">
      {!loaded && file.placeholder && <Colors of={file.placeholder} />}
      {whole && link?.preview && !loaded && <img class="loaded" src={link.preview} alt="" draggable={false} />}
      {link && !failed && (
        <img
          key={turn} class={loaded ? "loaded" : ""} src={(!whole && link.preview) || link.url} alt={nameOf(file)} draggable={!whole}
          onError={onError} onLoad={() => { onLoad(); setLoaded(true); }}
        />
      )}
      {failed && !loaded && <span class={whole ? "missing" : "missing small"}>{nameOf(file)}: not available</span>}
    </span>
  );
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
