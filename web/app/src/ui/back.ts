import { useLayoutEffect, useRef } from "preact/hooks";
import { usePage } from "../state/page.js";

/** Lets Back close the component, if it covers the page beneath. */
export function useBack(onClose: () => void, covers = true): void {
  const { layers } = usePage();
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => (covers ? layers.open(() => close.current()) : undefined), []);
}
