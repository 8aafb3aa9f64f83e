import type { Room } from "@parley/client";
import { useEffect } from "preact/hooks";
import { usePage } from "../state/page.js";

/** Lets fingers act on the messages of a log. The code is loaded only where there are fingers. */
export function useFingers(room: Room, log: { readonly current: HTMLElement | null }): void {
  const page = usePage();
  useEffect(() => {
    if (!matchMedia("(any-pointer: coarse)").matches) return undefined;
    let end: (() => void) | undefined = () => { end = undefined; };
    void import("./gestures.js").then(m => {
      if (end && log.current) end = m.follow(page, room, log.current);
    }, () => undefined);
    return () => end?.();
  }, [room]);
}
