import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useBack } from "./back.js";
import { backToComposer } from "./focus.js";
import { narrow } from "./menu.js";
import { type Anchor, place } from "./place.js";

/**
 * A modal dialog. It closes with Escape, Back or a click outside it, and returns the focus. One
 * with an anchor opens there and dims nothing.
 */
export function Dialog({ label, class: name = "", alert, anchor, onClose, children }: {
  label: string; class?: string; alert?: boolean | undefined;
  anchor?: Anchor | null | undefined; onClose: () => void; children: ComponentChildren;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  useBack(onClose);
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    const move = () => {
      if (!dialog || !anchor) return;
      dialog.removeAttribute("style"); // it was for another size of the window
      if (!narrow.matches) place(dialog, anchor); // else it is a sheet
    };
    move();
    addEventListener("resize", move);
    return () => {
      removeEventListener("resize", move);
      const closed = !dialog?.open; // by the browser, which takes the focus out later
      dialog?.close();
      const at = document.activeElement;
      if (at === document.body || (closed && dialog?.contains(at))) backToComposer(); // what opened it is gone
    };
  }, []);
  return (
    <dialog
      ref={ref}
      class={anchor ? `${name} near` : name}
      role={alert ? "alertdialog" : undefined}
      aria-label={label}
      onClose={() => { if (ref.current) onClose(); }}
      onMouseDown={e => { if (e.target === ref.current) onClose(); }}
    >
      <div class="inside">{children}</div>
    </dialog>
  );
}
