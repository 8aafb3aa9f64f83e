// The stage of the lightbox: a picture that wheel, fingers and double clicks enlarge and move.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Attachment, Owner } from "./attachment.js";
import { Picture } from "./picture.js";
import { fitting, kept, moved, type Point, swiped, type View, zoomed } from "./zoom.js";

/** A double click enlarges so much. */
const closer = 2.5;
/** How fast the wheel enlarges, by its way in pixels. Two fingers on a touchpad are a wheel with Ctrl, and slow. */
const wheelSpeed = 1 / 500;
const pinchSpeed = 1 / 100;

interface StageProps {
  readonly message: Owner;
  readonly file: Attachment;
  /** Gives the functions that the buttons and keys call. */
  readonly handle: { current: Zoom | undefined };
  onView(view: View): void;
  onSwipe(what: "left" | "right" | "close"): void;
  onClose(): void;
}

export interface Zoom {
  readonly view: View;
  by(factor: number): void;
  move(by: Point): void;
  reset(): void;
}

export function Stage({ message, file, handle, onView, onSwipe, onClose }: StageProps) {
  const stage = useRef<HTMLDivElement>(null);
  const picture = useRef<HTMLDivElement>(null);
  const [view, setView] = useState(fitting);
  const latest = useRef(view);
  const show = (next: View) => {
    if (!picture.current || !stage.current) return; // it has closed
    const { offsetWidth: width, offsetHeight: height } = picture.current;
    latest.current =
      kept(next, { width, height }, { width: stage.current.clientWidth, height: stage.current.clientHeight });
    setView(latest.current);
    onView(latest.current);
  };
  handle.current = {
    view: latest.current,
    by: factor => show(zoomed(latest.current, factor)),
    move: by => show(moved(latest.current, by)),
    reset: () => show(fitting),
  };
  useEffect(() => followStage(stage.current!, latest, { show, onSwipe, onClose }), []);
  useEffect(() => {
    const resized = new ResizeObserver(() => show(latest.current));
    resized.observe(stage.current!);
    return () => resized.disconnect();
  }, []);
  return (
    <div
      ref={stage} class={view.scale > 1 ? "canvas zoomed" : "canvas"}
      onDblClick={e => show(view.scale > 1 ? fitting : zoomed(view, closer, pointOf(e, stage.current!)))}
    >
      <div
        ref={picture}
        class="whole"
        style={{ ...spaceOf(file), transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
      >
        <Picture message={message} file={file} whole />
      </div>
    </div>
  );
}

/** Returns the space of a picture: its size, but no more than the stage has. */
function spaceOf({ width, height }: Attachment) {
  if (!width || !height) return { width: "100%", height: "100%" };
  return { aspectRatio: width / height, width: `min(100%, ${width}px, 100cqh * ${width / height})` };
}

function pointOf({ clientX, clientY }: { clientX: number; clientY: number }, stage: HTMLElement): Point {
  const { left, top, width, height } = stage.getBoundingClientRect();
  return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
}

/** What a stage does for wheel and fingers. */
interface Acts extends Pick<StageProps, "onSwipe" | "onClose"> { show(view: View): void }

/** A finger, or a mouse, that moves less rests, in pixels. */
const slop = 6;

/** Follows wheel and fingers on a stage, until the returned function is called. */
function followStage(stage: HTMLElement, view: {
  readonly current: View;
}, { show, onSwipe, onClose }: Acts): () => void {
  const picture = stage.firstElementChild as HTMLElement;
  const down = new Map<number, Point>();
  let way = { x: 0, y: 0, swipes: false };
  const listen = new AbortController();
  const on = <K extends keyof HTMLElementEventMap>(type: K, fn: (
    e: HTMLElementEventMap[K],
  ) => void) => stage.addEventListener(type, fn, { signal: listen.signal, passive: false });
  on("wheel", e => {
    e.preventDefault(); // the browser would enlarge the page
    show(zoomed(view.current, Math.exp(-e.deltaY * (e.ctrlKey ? pinchSpeed : wheelSpeed)), pointOf(e, stage)));
  });
  on("pointerdown", e => {
    if (e.button) return;
    down.set(e.pointerId, pointOf(e, stage));
    way = { x: 0, y: 0, swipes: down.size === 1 && e.pointerType === "touch" && view.current.scale === 1 };
  });
  on("pointermove", e => {
    const before = down.get(e.pointerId);
    if (!before || !e.buttons) return void down.delete(e.pointerId); // it was released elsewhere
    const now = pointOf(e, stage);
    down.set(e.pointerId, now);
    const by = { x: now.x - before.x, y: now.y - before.y };
    way = { ...way, x: way.x + by.x, y: way.y + by.y };
    const other = [...down].find(([id]) => id !== e.pointerId)?.[1];
    if (other) {
      show(moved(zoomed(view.current, distance(now, other) / (distance(before, other) || 1), middle(before, other)), {
        x: by.x / 2, y: by.y / 2,
      }));
    } else if (way.swipes) picture.style.translate = `${way.x}px ${Math.max(0, way.y)}px`;
    else show(moved(view.current, by));
  });
  const up = (e: PointerEvent) => {
    if (!down.delete(e.pointerId) || down.size) return;
    picture.style.removeProperty("translate");
    const what = e.type === "pointerup" && way.swipes && swiped(way);
    if (what) onSwipe(what);
  };
  on("pointerup", up);
  on("pointercancel", up);
  on("click", e => { if (e.target === stage && Math.hypot(way.x, way.y) < slop) onClose(); });
  return () => listen.abort();
}

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);
const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
