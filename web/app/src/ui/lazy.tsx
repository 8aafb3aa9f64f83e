import type { ComponentType, VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { cell, useValue } from "../state/cell.js";
import { type Page, usePage } from "../state/page.js";

/**
 * Returns a component whose code is loaded when it is first shown. Until then Place is shown. Code that
 * could not be loaded is loaded once the network or the connection is back, or when it is shown again.
 */
export function lazy<P extends object>(
  load: (page: Page) => Promise<{ default: ComponentType<P> }>, Place?: ComponentType<P>,
): (props: P) => VNode | null {
  const loaded = cell<{ part: ComponentType<P> } | null>(null);
  let loading = false;
  let forget = () => {};
  const start = async (page: Page) => {
    loading = true;
    forget();
    try {
      loaded.value = { part: (await load(page)).default };
    } catch {
      page.toast("This part of the page could not be loaded. It is tried again when you are online.");
      forget = onceBack(page, () => void start(page));
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

/** Calls fn when the network or the connection is back, unless the returned function is called before. */
function onceBack({ connection }: Page, fn: () => void): () => void {
  const changed = () => { if (connection.value === "online" || connection.value === "polling") fn(); };
  const unsubscribe = connection.subscribe(changed);
  addEventListener("online", fn);
  return () => {
    unsubscribe();
    removeEventListener("online", fn);
  };
}

/**
 * The place of a dialog whose code is being loaded. It shows nothing and takes the keys: a text that follows the
 * key of the dialog would be keys of a message, or a message. Escape and a click give the dialog up.
 */
export function Opening({ onClose }: { onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close(); // the focus returns, for the dialog to find
  }, []);
  return (
    <dialog
      ref={ref}
      class="opening"
      aria-label="Loading"
      onClose={() => { if (ref.current) onClose(); }}
      onMouseDown={onClose}
    />
  );
}
