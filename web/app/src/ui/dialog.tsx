import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useBack } from "./back.js";
import { backToComposer } from "./focus.js";

/** A modal dialog. It closes with Escape, Back or a click outside it, and returns the focus. */
export function Dialog({ label, class: name = "", alert, onClose, children }: {
  label: string; class?: string; alert?: boolean | undefined; onClose: () => void; children: ComponentChildren;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  useBack(onClose);
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => {
      const closed = !dialog?.open; // by the browser, which takes the focus out later
      dialog?.close();
      const at = document.activeElement;
      if (at === document.body || (closed && dialog?.contains(at))) backToComposer(); // what opened it is gone
    };
  }, []);
  return (
    <dialog ref={ref} class={name} role={alert ? "alertdialog" : undefined} aria-label={label} onClose={() => { if (ref.current) onClose(); }} onMouseDown={e => { if (e.target === ref.current) onClose(); }}>
      <div class="inside">{children}</div>
    </dialog>
  );
}
