import { useLayoutEffect, useRef } from "preact/hooks";

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
