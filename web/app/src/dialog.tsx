import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** A modal dialog. It closes with Escape or a click beside it, and the focus goes back to where it was. */
export function Dialog({ label, class: name = "", onClose, children }: {
  label: string; class?: string; onClose: () => void; children: ComponentChildren;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog ref={ref} class={name} aria-label={label} onClose={onClose} onClick={e => { if (e.target === ref.current) onClose(); }}>
      <div class="inside">{children}</div>
    </dialog>
  );
}
