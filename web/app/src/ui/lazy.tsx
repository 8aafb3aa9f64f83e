import type { ComponentType, VNode } from "preact";
import { cell } from "../state/cell.js";
import { toast, useValue } from "../state/store.js";

const afterPaint = 150; // milliseconds: nobody reads a message and begins to type sooner
const longestWait = 3_000; // a room that takes longer is not waited for
let paint: () => void;
const painted = new Promise<void>(resolve => {
  paint = () => void setTimeout(resolve, afterPaint);
  setTimeout(resolve, longestWait);
});

/** Tells that the first messages are shown, or that there are none to wait for. */
export const showsMessages = (): void => paint();

/** Lets what the first paint does without wait for it, as scripts and messages share the line. */
export function soon<T>(load: () => Promise<T>): () => Promise<T> {
  return async () => {
    await painted;
    return await load();
  };
}

/** Returns a component whose code is loaded when it is first shown. Until then Place is shown. */
export function lazy<P extends object>(load: () => Promise<{ default: ComponentType<P> }>, Place?: ComponentType<P>): (props: P) => VNode | null {
  const loaded = cell<{ part: ComponentType<P> } | null>(null);
  let loading = false;
  const start = async () => {
    loading = true;
    try {
      loaded.value = { part: (await load()).default };
    } catch {
      toast("This part of the page could not be loaded. Try again when you are online.");
    }
    loading = false;
  };
  return function Lazy(props: P) {
    const Part = useValue(loaded)?.part;
    if (Part) return <Part {...props} />;
    if (!loading) void start();
    return Place ? <Place {...props} /> : null;
  };
}
