import { useLayoutEffect, useRef } from "preact/hooks";
import { useBack } from "./back.js";

/** Asks before something that cannot be undone. */
export default function Confirm({ title, text, action, onDone }: {
  title: string; text: string; action: string; onDone(yes: boolean): void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const answer = (yes: boolean) => {
    dialog.current?.close(); // the rest of the page can then have the focus
    onDone(yes);
  };
  useBack(() => answer(false));
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby="confirm-title"
      aria-describedby="confirm-text"
      onCancel={e => { e.preventDefault(); answer(false); }}
    >
      <h2 id="confirm-title">{title}</h2>
      <p id="confirm-text" class="confirm-text" dir="auto">{text}</p>
      <div class="acts">
        <button type="button" class="button plain" onClick={() => answer(false)}>Cancel</button>
        <button type="button" class="button danger" onClick={() => answer(true)}>{action}</button>
      </div>
    </dialog>
  );
}
