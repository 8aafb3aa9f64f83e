// A picture in the space of what contains it: its colors first, and then its preview.
import { decode } from "@parley/client/files";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Attachment, Owner } from "./attachment.js";
import { useLink } from "./link.js";

/** A picture. It covers its space, or with whole fits in it; it shows itself instead of its preview then. */
export function Picture({ message, file }: { message: Owner; file: Attachment }) {
  const box = useRef<HTMLSpanElement>(null);
  const [loaded, setLoaded] = useState(false);
  const { link, failed, turn, onError, onLoad } = useLink(message, file, box);
  return (
    <span ref={box} class="fill">
      {!loaded && file.placeholder && <Colors of={file.placeholder} />}
      {link && !failed && <img key={turn} class={loaded ? "loaded" : ""} src={link.preview ?? link.url} alt={nameOf(file)} onError={onError} onLoad={() => { onLoad(); setLoaded(true); }} />}
      {failed && !loaded && <span class="missing small">{nameOf(file)}: not available</span>}
    </span>
  );
}

/** The colors of a picture by its ThumbHash. */
export function Colors({ of: hash }: { of: string }) {
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
