import type { ComponentType } from "preact";
import { cell } from "./cell.js";
import { toast, useValue } from "./store.js";

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
