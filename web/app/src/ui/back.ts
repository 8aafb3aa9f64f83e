// Back closes a dialog, or a panel that covers the page, and leaves the room beneath as it is. While
// any is open, the history has one more entry, for the same address: its state is `layer`.
import { useLayoutEffect, useRef } from "preact/hooks";
import { leave, leaving } from "../state/route.js";

const layer = "layer";

/** What closes the open layers, the lowest first. */
const layers: (() => void)[] = [];

/** Lets Back close the component, if it covers what is beneath. */
export function useBack(onClose: () => void, covers = true): void {
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => {
    if (!covers) return undefined;
    const own = () => close.current();
    layers.push(own);
    align();
    return () => {
      const at = layers.indexOf(own);
      if (at >= 0) layers.splice(at, 1);
      setTimeout(align); // first another may take its place, or a link lead elsewhere
    };
  }, []);
}

/** Gives the history its entry for the open layers, or takes it back. */
function align(): void {
  const is = history.state === layer;
  if (leaving.value || is === (layers.length > 0)) return;
  if (is) leave();
  else history.pushState(layer, "");
}

function onBack(): void {
  if (!leaving.value && history.state !== layer) layers.pop()?.();
  setTimeout(align); // others are open, or the person went forward to the entry of a closed one
}

addEventListener("popstate", onBack, { capture: true }); // before the route takes notice
