// Fingers on the rows of a log: a swipe towards the end of the line quotes a message, and a long press
// opens its actions, or who reacted. The menu offers both to others.

import { pressTime, swallowClick } from "../ui/press.js";

/** A finger that moves less rests, in pixels. */
const slop = 10;
/** A swipe that is longer than this quotes; a row moves no further than the second. */
const reach = 56;
const furthest = 72;

export interface Gestures {
  /** Reports whether the message of a row can be quoted. */
  mayQuote(row: HTMLElement): boolean;
  quote(row: HTMLElement): void;
  /** Handles a long press of an element in a row. */
  press(row: HTMLElement, target: Element): void;
}

/** A finger that is down. */
interface Finger {
  readonly id: number;
  readonly row: HTMLElement;
  readonly x: number;
  readonly y: number;
  /** Whether it moves the row. */
  swiping: boolean;
  by: number;
}

/** Follows the fingers on the rows of a log, until the returned function is called. */
export function followTouch(log: HTMLElement, acts: Gestures): () => void {
  let finger: Finger | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const forward = () => (getComputedStyle(log).direction === "rtl" ? -1 : 1);
  const end = () => {
    clearTimeout(timer);
    finger?.row.style.removeProperty("transform");
    finger?.row.classList.remove("swiped", "ready");
    finger = undefined;
  };
  const press = (row: HTMLElement, target: Element) => {
    end();
    acts.press(row, target);
    swallowClick();
  };
  const listen = new AbortController();
  const on = <K extends keyof HTMLElementEventMap>(type: K, fn: (
    e: HTMLElementEventMap[K],
  ) => void) => log.addEventListener(type, fn, { signal: listen.signal });
  on("pointerdown", e => {
    const target = e.target as Element;
    const row = target.closest("article");
    end();
    if (
      e.pointerType !== "touch"
      || !e.isPrimary
      || !row
      || target.closest("a, pre, textarea, input, .tools, .p-layer")
    ) return;
    finger = { id: e.pointerId, row, x: e.clientX, y: e.clientY, swiping: false, by: 0 };
    timer = setTimeout(() => press(row, target), pressTime);
  });
  on("pointermove", e => {
    if (!finger || e.pointerId !== finger.id) return;
    const [x, y] = [(e.clientX - finger.x) * forward(), Math.abs(e.clientY - finger.y)];
    if (!finger.swiping) {
      if (Math.abs(x) <= slop && y <= slop) return;
      if (x < 2 * y || !acts.mayQuote(finger.row)) return end(); // it scrolls
      clearTimeout(timer);
      finger.swiping = true;
      finger.row.classList.add("swiped");
    }
    finger.by = Math.max(0, Math.min(furthest, x));
    finger.row.style.transform = `translateX(${finger.by * forward()}px)`;
    finger.row.classList.toggle("ready", finger.by >= reach);
  });
  on("pointerup", () => {
    const { row, by } = finger ?? { by: 0 };
    end();
    if (row && by >= reach) acts.quote(row);
  });
  on("pointercancel", end);
  on("contextmenu", e => { if (finger || (e as PointerEvent).pointerType === "touch") e.preventDefault(); });
  return () => {
    end();
    listen.abort();
  };
}
