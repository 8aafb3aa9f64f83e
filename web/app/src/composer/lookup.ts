import { useLayoutEffect, useRef } from "preact/hooks";
import type { Completion } from "./completion.js";

/** The marks that begin the name of a person or a room, or the code of an emoji. */
export const marks = /(?:^|[\s(])(?:[@#]|:\w)/;
/** Names are looked up this long after the last key, in milliseconds. */
const typingPause = 120;
/** A message that may mention people waits no longer than this for them, in milliseconds. */
const longestLookup = 1000;

/** Looks up the names of a text: while it is typed, and once more before it is sent. */
export function useLookup(completion: { readonly current: Completion | undefined }, found: () => void) {
  const held = useRef<(() => void) | undefined>(undefined);
  /** The texts whose names are looked up once the completion is loaded: before one is sent, and while one is typed. */
  const waits = useRef("");
  const typed = useRef("");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const end = () => held.current?.();
  useLayoutEffect(() => () => { end(); clearTimeout(timer.current); }, []);
  /** Reports whether a text has marks that are not read yet, or names that were not looked up. */
  const needs = (text: string) =>
    marks.test(text) && (!completion.current || completion.current.missing(text).length > 0);
  const look = (text: string) => completion.current?.find(completion.current.missing(text));
  return {
    needs, end,
    /** Calls post once: when the names are found, after longestLookup, or when end is called. */
    begin: (text: string, post: () => void) => {
      const late = setTimeout(end, longestLookup);
      const once = held.current = () => {
        if (held.current !== once) return;
        held.current = undefined;
        clearTimeout(late);
        post();
      };
      waits.current = completion.current ? "" : text;
      void look(text)?.then(once);
    },
    /** Continues when the completion is loaded. */
    settle: () => {
      const [sent, shown] = [waits.current, typed.current];
      waits.current = typed.current = "";
      if (shown) void look(shown)?.then(found);
      if (sent) void look(sent)?.then(held.current);
    },
    later: (text: string) => {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        typed.current = completion.current ? "" : text;
        void look(text)?.then(found);
      }, typingPause);
    },
  };
}
