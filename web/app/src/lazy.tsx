import type { ComponentType } from "preact";
import { cell } from "./cell.js";
import { toast, useValue } from "./store.js";

const firstPaint = 600; // milliseconds that the first messages take at most on a good line

/** Lets what is not needed at once wait until the page had time to show messages. */
export function soon<T>(load: () => Promise<T>): () => Promise<T> {
  return async () => {
    await new Promise(resolve => setTimeout(resolve, firstPaint - performance.now()));
    return await load();
  };
}

/** Returns a component whose code is loaded when it is first shown. It shows nothing until then. */
export function lazy<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> {
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
    return null;
  };
}
