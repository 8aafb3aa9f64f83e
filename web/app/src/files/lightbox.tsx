// The pictures of a message, each as large as the window. Keys, buttons, wheel and fingers enlarge them.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { usePage } from "../state/page.js";
import { Dialog } from "../ui/dialog.js";
import { IconButton } from "../ui/icons.js";
import type { Attachment, Owner } from "./attachment.js";
import { save } from "./link.js";
import { nameOf } from "./picture.js";
import { sizeWords } from "./size.js";
import { Stage, type Zoom } from "./stage.js";
import { fitting, step } from "./zoom.js";

/** An arrow moves an enlarged picture so far, in pixels. */
const arrow = 80;

interface LightboxProps {
  readonly message: Owner;
  readonly pictures: readonly Attachment[];
  /** The index of the picture that shows first. */
  readonly first: number;
  onClose(): void;
}

/** How far the keys move an enlarged picture. */
const ways: { readonly [key: string]: { readonly x: number; readonly y: number } } = {
  ArrowLeft: { x: arrow, y: 0 },
  ArrowRight: { x: -arrow, y: 0 },
  ArrowUp: { x: 0, y: arrow },
  ArrowDown: { x: 0, y: -arrow },
};

export default function Lightbox({ message, pictures, first, onClose }: LightboxProps) {
  const [at, setAt] = useState(first);
  const [{ scale }, setView] = useState(fitting);
  const zoom = useRef<Zoom>(undefined);
  const box = useRef<HTMLDivElement>(null);
  const file = pictures[at]!;
  const go = (by: number) => {
    setAt((at + by + pictures.length) % pictures.length);
    setView(fitting);
  };
  /** Goes to the picture at a side of the window. */
  const side = (right: boolean) => go(right === (getComputedStyle(box.current!).direction === "ltr") ? 1 : -1);
  const several = pictures.length > 1;
  const keys = (e: KeyboardEvent) => {
    e.stopPropagation(); // they are not for the message
    if (e.ctrlKey || e.metaKey || e.altKey || !act(e.key)) return;
    e.preventDefault();
  };
  const act = (key: string): boolean => {
    const way = ways[key];
    if (way && scale > 1) zoom.current?.move(way);
    else if (way && !way.y && several) side(key === "ArrowRight");
    else if (key === "+" || key === "=") zoom.current?.by(step);
    else if (key === "-") zoom.current?.by(1 / step);
    else if (key === "0") zoom.current?.reset();
    else return false;
    return true;
  };
  useReturn(file);
  const stop = (e: Event) => e.stopPropagation();
  return (
    <div ref={box} onKeyDown={keys} onPointerDown={stop} onContextMenu={stop}>
      <Dialog label={`Picture: ${nameOf(file)}`} class="lightbox" onClose={onClose}>
        <Bar
          message={message}
          file={file}
          place={several ? `${at + 1} of ${pictures.length}, ` : ""}
          scale={scale}
          zoom={zoom}
          onClose={onClose}
        />
        <Stage
          key={file.id} message={message} file={file} handle={zoom} onView={setView} onClose={onClose}
          onSwipe={what => { if (what === "close") onClose(); else if (several) side(what === "left"); }}
        />
        {several && <Button class="previous" label="Previous picture" path="m14.5 5-7 7 7 7" onClick={() => go(-1)} />}
        {several && <Button class="next" label="Next picture" path="m9.5 5 7 7-7 7" onClick={() => go(1)} />}
        {file.alt && <p class="alt small" dir="auto">{file.alt}</p>}
        <p class="unseen" role="status">
          {nameOf(file)}
          {several && `, ${at + 1} of ${pictures.length}`}
          {scale > 1 && `, ${Math.round(scale * 100)} %`}
        </p>
      </Dialog>
    </div>
  );
}

/** The name of the picture, its place among the others, and what can be done with it. */
function Bar({ message, file, place, scale, zoom, onClose }: {
  message: LightboxProps["message"]; file: Attachment; place: string; scale: number;
  zoom: { readonly current: Zoom | undefined }; onClose: () => void;
}) {
  const page = usePage();
  return (
    <header class="bar">
      <h2 class="cut" dir="auto">{file.name}</h2>
      <span class="small">{place}{sizeWords(file.bytes)}</span>
      <span class="icons">
        <Button label="Zoom out" path="M5 12h14" disabled={scale <= 1} onClick={() => zoom.current?.by(1 / step)} />
        <Button label="Zoom in" path="M12 5v14M5 12h14" onClick={() => zoom.current?.by(step)} />
        <Button
          label="Download"
          path="M12 4.5v11M7 11l5 5 5-5M5 19.5h14"
          onClick={() => void save(page, message, file)}
        />
        <IconButton name="close" label="Close" onClick={onClose} />
      </span>
    </header>
  );
}

/** Moves the focus to the picture of the message that was shown last, once the lightbox has closed. */
function useReturn(file: Attachment): void {
  const last = useRef(file);
  last.current = file;
  const [opener] = useState(() => document.activeElement); // the dialog takes the focus then
  useLayoutEffect(() => () => void setTimeout(() => {
    if (document.activeElement === opener) {
      opener?.parentElement?.querySelector<HTMLElement>(`[data-file="${last.current.id}"]`)?.focus();
    }
  }), []);
}

/** A button of the lightbox with an icon of its own. */
function Button({ label, path, class: name = "", disabled = false, onClick }: {
  label: string;
  path: string;
  class?: string;
  disabled?: boolean;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      class={`icon ${name}`}
      aria-label={label}
      title={label}
      aria-disabled={disabled}
      onClick={onClick}
    >
      <svg class="svg" viewBox="0 0 24 24" aria-hidden="true"><path d={path} /></svg>
    </button>
  );
}
