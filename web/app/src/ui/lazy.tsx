import type { ComponentType, VNode } from "preact";
import { cell, useValue } from "../state/cell.js";
import { type Page, usePage } from "../state/page.js";

/** Returns a component whose code is loaded when it is first shown. Until then Place is shown. */
export function lazy<P extends object>(
  load: (page: Page) => Promise<{ default: ComponentType<P> }>, Place?: ComponentType<P>,
): (props: P) => VNode | null {
  const loaded = cell<{ part: ComponentType<P> } | null>(null);
  let loading = false;
  const start = async (page: Page) => {
    loading = true;
    try {
      loaded.value = { part: (await load(page)).default };
    } catch {
      page.toast("This part of the page could not be loaded. Try again when you are online.");
    }
    loading = false;
  };
  return function Lazy(props: P) {
    const page = usePage();
    const Part = useValue(loaded)?.part;
    if (Part) return <Part {...props} />;
    if (!loading) void start(page);
    return Place ? <Place {...props} /> : null;
  };
}
